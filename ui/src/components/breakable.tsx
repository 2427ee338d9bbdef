import { Fragment } from "react";
import { seen } from "@/messages/isolated";

/** Hexadecimal, with or without colons. */
const hash = /^([0-9a-f]{2}:?){16,}$/i;

/**
 * After a separator, but not after a slash at the start of a path; also before the type of a service, for example
 * `.MapServer`.
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
