import { Blockquote, Box, Code, List, Stack, Table, Text, Title } from "@mantine/core";
import { lexer, type Token, type Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { LinkButton } from "@/components/text";
import { SequencePicture } from "./pictures/sequence-picture";

/** Renders a help page. HTML in it stays text; only the elements defined here are created. */
export function Markdown({ text, onTopic }: { text: string; onTopic: (topic: string) => void }) {
	return (
		<Stack gap="md">
			<Blocks tokens={lexer(text)} onTopic={onTopic} />
		</Stack>
	);
}

interface TokensProps {
	tokens: readonly Token[] | undefined;
	onTopic: (topic: string) => void;
}

function Blocks({ tokens = [], onTopic }: TokensProps) {
	// biome-ignore lint/suspicious/noArrayIndexKey: the parts of a page have no other identity and never move
	return tokens.map((token, index) => <Fragment key={index}>{block(token as Tokens.Generic, onTopic)}</Fragment>);
}

function block(token: Token, onTopic: TokensProps["onTopic"]): ReactNode {
	const inner = "tokens" in token ? <Inline tokens={token.tokens} onTopic={onTopic} /> : null;
	switch (token.type) {
		case "heading":
			return token.depth === 1 ? (
				<Title order={2} size="h2">
					{inner}
				</Title>
			) : (
				<Title order={3} size="h3" mt="xs">
					{inner}
				</Title>
			);
		case "paragraph":
			return <Text>{inner}</Text>;
		case "text":
			return <Text span>{inner ?? token.text}</Text>;
		case "list":
			return (
				<List type={token.ordered ? "ordered" : "unordered"} spacing="xs" pe="md">
					{(token as Tokens.List).items.map((item) => (
						<List.Item key={item.raw}>
							<Blocks tokens={item.tokens} onTopic={onTopic} />
						</List.Item>
					))}
				</List>
			);
		case "blockquote":
			return (
				<Blockquote p="md" iconSize={0}>
					<Blocks tokens={token.tokens} onTopic={onTopic} />
				</Blockquote>
			);
		case "table":
			return <PageTable table={token as Tokens.Table} onTopic={onTopic} />;
		case "code":
			return <Picture language={token.lang} text={token.text} />;
		default:
			return null;
	}
}

function Picture({ language, text }: { language: string; text: string }) {
	if (language === "mermaid") return <SequencePicture text={text} />;
	return <Code block>{text}</Code>;
}

function PageTable({ table, onTopic }: { table: Tokens.Table; onTopic: TokensProps["onTopic"] }) {
	return (
		<Table.ScrollContainer minWidth={320}>
			<Table withTableBorder verticalSpacing="xs">
				<Table.Thead>
					<Table.Tr>
						{table.header.map((cell) => (
							<Table.Th key={cell.text}>
								<Inline tokens={cell.tokens} onTopic={onTopic} />
							</Table.Th>
						))}
					</Table.Tr>
				</Table.Thead>
				<Table.Tbody>
					{table.rows.map((row) => (
						<Table.Tr key={row.map(({ text }) => text).join()}>
							{row.map((cell, index) => (
								// biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity and never move
								<Table.Td key={index}>
									<Inline tokens={cell.tokens} onTopic={onTopic} />
								</Table.Td>
							))}
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
		</Table.ScrollContainer>
	);
}

function Inline({ tokens = [], onTopic }: TokensProps) {
	// biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other identity and never move
	return tokens.map((token, index) => <Fragment key={index}>{inline(token, onTopic)}</Fragment>);
}

function inline(token: Token, onTopic: TokensProps["onTopic"]): ReactNode {
	const inner = "tokens" in token ? <Inline tokens={token.tokens} onTopic={onTopic} /> : null;
	switch (token.type) {
		case "strong":
			return (
				<Text span fw={600}>
					{inner}
				</Text>
			);
		case "em":
			return <Box component="em">{inner}</Box>;
		case "codespan":
			return <Code>{token.text}</Code>;
		case "link":
			return (
				<LinkButton inherit onClick={() => onTopic(topicOf(token as Tokens.Link))}>
					{inner}
				</LinkButton>
			);
		default:
			return "text" in token ? token.text : null;
	}
}

/** Returns the topic of a link. Links name the file, so that they also work in the repository. */
function topicOf({ href }: Tokens.Link): string {
	return href.replace(/\.md$/, "");
}
