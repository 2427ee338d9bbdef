import { useId } from "react";
import classes from "./pictures.module.css";
import { readSequence, type Sequence, type SequenceStep } from "./sequence";

const width = 660;
const line = 16;
const head = 52;
const boldLetter = 7;

export function SequencePicture({ text }: { text: string }) {
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
