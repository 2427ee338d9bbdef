import { Blockquote, Box, Code, List, Stack, Table, Text, Title } from "@mantine/core";
import { lexer, type Token, type Tokens } from "marked";
import { Fragment, type ReactNode, useId } from "react";
import { LinkButton } from "@/components/text";
import classes from "./pictures/pictures.module.css";

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

const width = 660;
const line = 16;
const head = 52;
const boldLetter = 7;

function SequencePicture({ text }: { text: string }) {
	const sequence = readSequence(text);
	const tip = useId();
	const column = width / sequence.places.length;
	const middle = (place: number) => column * (place + 0.5);
	let y = head + 14;
	const rows = sequence.steps.map((step) => {
		const lines = wrap(step.text, span(step, column) - 16);
		const top = y;
		y += lines.length * line + (step.kind === "note" ? 26 : 22);
		return { step, lines, top };
	});
	return (
		<svg className={classes.picture} viewBox={`0 0 ${width} ${y}`} role="img" aria-label={inWords(sequence)}>
			<defs>
				<marker id={tip} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
					<path className={classes.head} d="M0 0 L8 4 L0 8 z" />
				</marker>
			</defs>
			{sequence.places.map((place, index) => (
				<g key={place}>
					<line className={classes.life} x1={middle(index)} x2={middle(index)} y1={head} y2={y} />
					<rect className={classes.place} x={column * index + 12} y={4} width={column - 24} height={head - 8} rx={6} />
					<TextLines lines={wrap(place, column - 36, boldLetter)} x={middle(index)} y={head / 2} strong />
				</g>
			))}
			{rows.map(({ step, lines, top }) => (
				<Row key={top} step={step} lines={lines} top={top} middle={middle} column={column} head={tip} />
			))}
		</svg>
	);
}

interface RowProps {
	step: SequenceStep;
	lines: string[];
	top: number;
	middle: (place: number) => number;
	column: number;
	head: string;
}

function Row({ step, lines, top, middle, column, head }: RowProps) {
	const [from, to] = [middle(step.from), middle(step.to)];
	const x = (from + to) / 2;
	const height = lines.length * line;
	if (step.kind === "note") {
		const wide = Math.abs(to - from) + column - 24;
		return (
			<g>
				<rect className={classes.note} x={x - wide / 2} y={top} width={wide} height={height + 12} rx={4} />
				<TextLines lines={lines} x={x} y={top + (height + 12) / 2} />
			</g>
		);
	}
	const y = top + height + 6;
	return (
		<g>
			<TextLines lines={lines} x={x} y={top + height / 2} backed />
			<line
				className={step.dashed ? classes.answer : classes.arrow}
				x1={from}
				x2={to + (to > from ? -2 : 2)}
				y1={y}
				y2={y}
				markerEnd={`url(#${head})`}
			/>
		</g>
	);
}

function span({ kind, from, to }: SequenceStep, column: number): number {
	return kind === "note" ? (Math.abs(to - from) + 1) * column - 24 : Math.max(1, Math.abs(to - from)) * column;
}

/** Returns the diagram as text for screen readers. */
function inWords({ places, steps }: Sequence): string {
	return steps
		.map(({ from, to, text }) => `${places[from]}${from === to ? "" : ` → ${places[to]}`}: ${text}`)
		.join("; ");
}

interface TextLinesProps {
	lines: readonly string[];
	x: number;
	/** Vertical center of the block. */
	y: number;
	strong?: boolean;
	/** Whether the text has an outline in the color of the page, because lines run behind it. */
	backed?: boolean;
}

/** Text of several lines around a vertical center. */
function TextLines({ lines, x, y, strong = false, backed = false }: TextLinesProps) {
	const top = y - ((lines.length - 1) * 16) / 2;
	return (
		<text
			className={backed ? classes.backed : classes.text}
			x={x}
			textAnchor="middle"
			fontWeight={strong ? 600 : undefined}
		>
			{lines.map((line, index) => (
				<tspan key={line} x={x} y={top + index * 16} dominantBaseline="central">
					{line}
				</tspan>
			))}
		</text>
	);
}

/**
 * Breaks a text into lines of similar length. `letter`: average width of a letter in a small sans-serif font, in
 * pixels.
 */
function wrap(text: string, width: number, letter = 6.4): string[] {
	const most = Math.max(6, Math.floor(width / letter));
	let lines = broken(text, most);
	// Narrows the lines as far as their number stays the same, so that no single word is left over.
	for (let narrower = most - 1; narrower > 5; narrower--) {
		const next = broken(text, narrower);
		if (next.length > lines.length) break;
		lines = next;
	}
	return lines;
}

function broken(text: string, most: number): string[] {
	const lines: string[] = [];
	let line = "";
	for (const word of text.split(/\s+/).filter(Boolean)) {
		if (line && line.length + 1 + word.length > most) {
			lines.push(line);
			line = word;
		} else line = line ? `${line} ${word}` : word;
	}
	return line ? [...lines, line] : lines;
}

/** Parsed diagram: the part of Mermaid's sequence diagrams that the help uses. */
interface Sequence {
	places: string[];
	steps: SequenceStep[];
}

type SequenceStep =
	| { kind: "arrow"; from: number; to: number; text: string; dashed: boolean }
	| { kind: "note"; from: number; to: number; text: string };

const participant = /^participant (\w+) as (.+)$/;
const arrow = /^(\w+)(--?)>>(\w+): (.+)$/;
const note = /^Note over (\w+)(?:,(\w+))?: (.+)$/;

/** Parses a diagram. Throws on any other line, which a test finds. */
export function readSequence(text: string): Sequence {
	const names: string[] = [];
	const sequence: Sequence = { places: [], steps: [] };
	const place = (name: string | undefined) => names.indexOf(name ?? "");
	for (const line of text.split("\n").map((one) => one.trim())) {
		const found = { participant: participant.exec(line), arrow: arrow.exec(line), note: note.exec(line) };
		if (found.participant) {
			names.push(found.participant[1] ?? "");
			sequence.places.push(found.participant[2] ?? "");
		} else if (found.arrow) {
			const [, from, dashes, to, said = ""] = found.arrow;
			sequence.steps.push({ kind: "arrow", from: place(from), to: place(to), text: said, dashed: dashes === "--" });
		} else if (found.note) {
			const [, from, to = from, said = ""] = found.note;
			sequence.steps.push({ kind: "note", from: place(from), to: place(to), text: said });
		} else if (line && line !== "sequenceDiagram") throw new Error(`not a line of a sequence: ${line}`);
	}
	return sequence;
}
