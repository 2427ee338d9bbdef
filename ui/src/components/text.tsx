import { Anchor, Box, Button, List, type ListProps, rem, ScrollArea, Text, Title, Tooltip } from "@mantine/core";
import type { IconProps } from "@tabler/icons-react";
import { type ComponentProps, type ComponentType, Fragment, type ReactNode } from "react";
import type { Millis } from "@/bridge";
import { formatAgo, formatExactTime, formatTime, formatTimeOfDay, useNow } from "@/lib/format";
import { seen } from "@/messages/isolated";

/** Small text in gray, for example an age or a source. */
export const Small = Text.withProps({ size: "xs", c: "dimmed" });

export const Heading = Title.withProps({ order: 2, size: "h3" });

/** Button that looks like a link, within text or a table. */
export const LinkButton = Anchor.withProps<"button">({ component: "button", type: "button", size: "sm" });

export interface IconButtonProps extends Omit<ComponentProps<typeof Button<"button">>, "leftSection" | "children"> {
	label: ReactNode;
	icon?: ComponentType<IconProps> | undefined;
}

/** Button with an icon before its label. */
export function IconButton({ label, icon: Icon, ...button }: IconButtonProps) {
	return (
		<Button leftSection={Icon ? <Icon size={16} aria-hidden /> : null} {...button}>
			{label}
		</Button>
	);
}

export function Lines({ lines, ...list }: Omit<ListProps, "children"> & { lines: readonly string[] }) {
	return (
		<List {...list}>
			{lines.map((line, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: lines can be equal
				<List.Item key={`${at} ${line}`} mod="anywhere">
					<Breakable>{line}</Breakable>
				</List.Item>
			))}
		</List>
	);
}

/** Hexadecimal, with or without colons. */
const hash = /^([0-9a-f]{2}:?){16,}$/i;

/**
 * Positions of optional line breaks: after a separator, but not after a slash at the start of a path; also before the
 * type of a service, for example `.MapServer`.
 */
const separator = /(?<=[/\\?&=_-])(?<!(?:^|\s)[/\\])(?![/\\])|(?=\.\w+Server$)/;

/** A single email address. */
const mail = /^[^\s@/\\]+@[^\s@/\\]+$/;

/** Name of a request parameter, for example `contactEmailAddress`. */
const parameter = /^[a-z]+([A-Z][a-z]*)+$/;

interface BreakableProps {
	/** Path, URL, service, email address, or hash. */
	children: string;
}

/** Long word with optional line breaks and without invisible characters. Copied text does not contain the breaks. */
export function Breakable({ children }: BreakableProps) {
	const text = seen(children);
	const at = mail.test(text) ? /(?<=[@.])/ : parameter.test(text) ? /(?=[A-Z])/ : separator;
	const parts = hash.test(text) ? text.match(/(..:?){1,4}/g) : text.split(at);
	return (parts ?? []).map((part, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
		<Fragment key={index}>
			{index > 0 ? <wbr /> : null}
			{part}
		</Fragment>
	));
}

interface LongTextProps {
	/** Number of characters of the text in `children`; decides whether it scrolls. */
	length: number;
	/** Accessible name of the scrollable region. */
	label: string;
	children: ReactNode;
}

/** Characters shown in full, about 20 lines. A longer text scrolls, so that the buttons below stay in view. */
const lengthInFull = 1500;

/** Text returned by a site, which can be 8 kB long or consist of many messages. */
export function LongText({ length, label, children }: LongTextProps) {
	if (length <= lengthInFull) return children;
	return (
		<ScrollArea.Autosize
			mah={rem(320)}
			type="auto"
			offsetScrollbars
			viewportProps={{ tabIndex: 0, role: "region", "aria-label": label }}
		>
			{children}
		</ScrollArea.Autosize>
	);
}

/** List in a dialog, which scrolls if it is long, also by keyboard. */
export function LongList({ label, children }: { label: string; children: ReactNode }) {
	return (
		<Box mah={240} tabIndex={0} role="group" aria-label={label} style={{ overflow: "auto" }}>
			{children}
		</Box>
	);
}

/** Warnings returned by a site; renders nothing without any. */
export function WarningList({ title, messages }: { title: string; messages: readonly string[] }) {
	if (messages.length === 0) return null;
	return (
		<>
			<Text fw={600}>{title}</Text>
			<LongText length={messages.join().length} label={title}>
				<Lines lines={[...new Set(messages)]} />
			</LongText>
		</>
	);
}

interface TimeProps {
	at: Millis;
	/** Shows the age instead of the time. */
	relative?: boolean;
	/** `day`: only the time of day, for a row below its date. The row has the focus then. */
	of?: "day";
}

/** Local time. The exact time is shown on hover and focus. */
export function Time({ at, relative = false, of }: TimeProps) {
	if (of === "day") return <Exact at={at} words={formatTimeOfDay(at)} hasOwnFocus={false} />;
	return <Exact at={at} words={relative ? <Ago at={at} /> : formatTime(at)} />;
}

/** Custom text for a time, with the exact time in a tooltip for pointer and keyboard. */
export function Exact({ at, words, hasOwnFocus = true }: { at: Millis; words: ReactNode; hasOwnFocus?: boolean }) {
	return (
		<Tooltip label={formatExactTime(at)}>
			<time dateTime={new Date(at).toISOString()} {...(hasOwnFocus ? { tabIndex: 0 } : {})}>
				{words}
			</time>
		</Tooltip>
	);
}

function Ago({ at }: { at: Millis }) {
	return formatAgo(at, useNow(30_000));
}
