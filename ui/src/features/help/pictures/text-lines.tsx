import classes from "./pictures.module.css";

interface TextLinesProps {
	lines: readonly string[];
	x: number;
	/** The middle of the block. */
	y: number;
	center?: boolean;
	strong?: boolean;
	/** With the page's colour around the letters, where lines run behind them. */
	backed?: boolean;
}

/** A text of several lines, placed by its middle. */
export function TextLines({ lines, x, y, center = false, strong = false, backed = false }: TextLinesProps) {
	const top = y - ((lines.length - 1) * 16) / 2;
	return (
		<text
			className={backed ? classes.backed : classes.text}
			x={x}
			textAnchor={center ? "middle" : "start"}
			fontWeight={strong ? 600 : undefined}
			xmlSpace="preserve"
		>
			{lines.map((line, index) => (
				<tspan key={line} x={x} y={top + index * 16} dominantBaseline="central">
					{line}
				</tspan>
			))}
		</text>
	);
}
