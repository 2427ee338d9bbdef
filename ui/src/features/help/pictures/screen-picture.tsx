import classes from "./pictures.module.css";
import { readScreen, type ScreenLine } from "./screen";
import { TextLines } from "./text-lines";
import { wrap } from "./wrap";

const width = 660;
const left = 20;
const inner = width - 2 * left;

/** The shape of a screen: enough to recognise it, too little to be mistaken for it. */
export function ScreenPicture({ text }: { text: string }) {
	const lines = readScreen(text);
	let y = 12;
	const rows = lines.map((line, index) => {
		const top = y;
		y += height(line, lines[index + 1]);
		return { line, top };
	});
	return (
		<svg className={classes.picture} viewBox={`0 0 ${width} ${y + 8}`} role="img" aria-label={inWords(lines)}>
			<rect className={classes.window} x={1} y={1} width={width - 2} height={y + 6} rx={8} />
			{rows.map(({ line, top }) => (
				<Line key={top} line={line} top={top} />
			))}
		</svg>
	);
}

function Line({ line, top }: { line: ScreenLine; top: number }) {
	switch (line.kind) {
		case "title":
			return <TextLines lines={[line.text]} x={left} y={top + 12} strong />;
		case "text":
			return <TextLines lines={wrap(line.text, inner)} x={left} y={top + (wrap(line.text, inner).length * 16) / 2} />;
		case "field":
			return (
				<g>
					<TextLines lines={[line.text]} x={left} y={top + 8} />
					<rect className={classes.field} x={left} y={top + 20} width={inner * 0.7} height={24} rx={4} />
				</g>
			);
		case "check":
			return (
				<g>
					<rect className={line.on ? classes.on : classes.field} x={left} y={top + 4} width={14} height={14} rx={3} />
					<TextLines lines={[line.text]} x={left + 22} y={top + 11} />
				</g>
			);
		case "choice": {
			const share = inner / line.choices.length;
			return line.choices.map(({ text, on }, index) => (
				<g key={text}>
					<circle className={on ? classes.on : classes.field} cx={left + index * share + 7} cy={top + 11} r={7} />
					<TextLines lines={[text]} x={left + index * share + 22} y={top + 11} />
				</g>
			));
		}
		case "buttons":
			return <Buttons buttons={line.buttons} top={top} />;
		case "row": {
			const share = inner / line.cells.length;
			return (
				<g>
					{line.cells.map((cell, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity and do not move
						<g key={index} transform={`translate(${left + index * share} ${top})`}>
							<TextLines lines={[cell]} x={4} y={11} strong={line.head} />
							{/* What stands beside a cell need not belong to it. */}
							<line className={classes.rule} x1={0} x2={share - 12} y1={23} y2={23} />
						</g>
					))}
				</g>
			);
		}
		default:
			return null;
	}
}

function Buttons({ buttons, top }: { buttons: string[]; top: number }) {
	let x = left;
	return buttons.map((text, index) => {
		const wide = text.length * 7 + 24;
		const at = x;
		x += wide + 10;
		return (
			<g key={text}>
				<rect className={index === 0 ? classes.button : classes.field} x={at} y={top} width={wide} height={28} rx={4} />
				<TextLines lines={[text]} x={at + wide / 2} y={top + 14} center strong={index === 0} />
			</g>
		);
	});
}

function height(line: ScreenLine, next: ScreenLine | undefined): number {
	switch (line.kind) {
		case "title":
			return 32;
		case "text":
			return wrap(line.text, inner).length * 16 + 10;
		case "field":
			return 56;
		case "buttons":
			return 40;
		case "row":
			return next?.kind === "row" ? 24 : 36;
		default:
			return 30;
	}
}

/** The same for whoever hears the page. */
function inWords(lines: ScreenLine[]): string {
	return lines
		.flatMap((line) => {
			if (line.kind === "choice") return line.choices.map(({ text }) => text);
			if (line.kind === "buttons") return line.buttons;
			return line.kind === "row" ? line.cells : [line.text];
		})
		.filter(Boolean)
		.map((text) => text.replace(/ {2,}/g, "; "))
		.join("; ");
}
