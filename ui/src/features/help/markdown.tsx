import { Blockquote, Box, Code, List, Stack, Table, Text, Title } from "@mantine/core";
import { lexer, type Token, type Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import type { Problem } from "@/bridge";
import { LinkButton } from "@/components/text";
import type { HelpTopic } from "@/lib/help";
import { useNavigation } from "@/lib/navigation";

/** Renders a help page. HTML in it stays text; only the elements defined here are created. */
export function Markdown({ text }: { text: string }) {
	return (
		<Stack gap="md">
			<Parts tokens={lexer(text)} render={block} />
		</Stack>
	);
}

interface PartsProps {
	tokens: readonly Token[] | undefined;
	render: (token: Tokens.Generic) => ReactNode;
}

function Parts({ tokens = [], render }: PartsProps) {
	// biome-ignore lint/suspicious/noArrayIndexKey: the parts of a page have no other identity and never move
	return tokens.map((token, index) => <Fragment key={index}>{render(token as Tokens.Generic)}</Fragment>);
}

const inner = ({ tokens }: { tokens?: Token[] | undefined }) => <Parts tokens={tokens} render={inline} />;

function block(token: Tokens.Generic): ReactNode {
	switch (token.type) {
		case "heading":
			return token.depth === 1 ? (
				<Title order={2} size="h2">
					{inner(token)}
				</Title>
			) : (
				// A problem is a heading that its button leads to.
				<Title order={token.depth === 2 ? 3 : 4} size="h3" mt="xs" tabIndex={-1} style={{ outline: "none" }}>
					{inner(token)}
				</Title>
			);
		case "paragraph":
			return <Text>{inner(token)}</Text>;
		case "text":
			return <Text span>{token.tokens ? inner(token) : token.text}</Text>;
		case "list":
			return (
				<List type={token.ordered ? "ordered" : "unordered"} spacing="xs" pe="md">
					{(token as Tokens.List).items.map((item) => (
						<List.Item key={item.raw}>
							<Parts tokens={item.tokens} render={block} />
						</List.Item>
					))}
				</List>
			);
		case "blockquote":
			return (
				<Blockquote p="md" iconSize={0}>
					<Parts tokens={token.tokens} render={block} />
				</Blockquote>
			);
		case "table":
			return <PageTable table={token as Tokens.Table} />;
		case "code":
			return <Code block>{token.text}</Code>;
		default:
			return null;
	}
}

function PageTable({ table: { header, rows } }: { table: Tokens.Table }) {
	return (
		<Table.ScrollContainer minWidth={320}>
			<Table
				withTableBorder
				verticalSpacing="xs"
				data={{ head: header.map(inner), body: rows.map((row) => row.map(inner)) }}
			/>
		</Table.ScrollContainer>
	);
}

function inline(token: Tokens.Generic): ReactNode {
	switch (token.type) {
		case "strong":
			return (
				<Text span fw={600}>
					{inner(token)}
				</Text>
			);
		case "em":
			return <Box component="em">{inner(token)}</Box>;
		case "codespan":
			return <Code>{token.text}</Code>;
		case "link":
			return <PageLink link={token as Tokens.Link} />;
		default:
			return token.text ?? null;
	}
}

/** Link to a help page. It names the file, so that it also works in the repository, and can name a problem. */
function PageLink({ link }: { link: Tokens.Link }) {
	const { go } = useNavigation();
	const [topic, problem] = link.href.split(/\.md#?/) as [HelpTopic, Problem["kind"] | ""];
	return (
		<LinkButton inherit onClick={() => go({ page: "help", topic, ...(problem ? { problem } : {}) })}>
			{inner(link)}
		</LinkButton>
	);
}
