import { Fragment } from "react";
import { seen } from "@/messages/isolated";

/** In hexadecimal, with colons as in a certificate or without. */
const hash = /^([0-9a-f]{2}:?){16,}$/i;

/** A slash that begins a path stays with what follows it, and the dot of a service with its type. */
const separator = /(?<=[/\\?&=_-])(?<!(?:^|\s)[/\\])(?![/\\])|(?=\.\w+Server$)/;

/** An e-mail address, and nothing beside it. */
const mail = /^[^\s@/\\]+@[^\s@/\\]+$/;

/** The name of a parameter as it is sent, such as `contactEmailAddress`. */
const parameter = /^[a-z]+([A-Z][a-z]*)+$/;

interface BreakableProps {
	/** A path, an address, a service, an e-mail address, a hash. */
	children: string;
}

/**
 * A long word without blanks and invisible characters, with places where a line of it may end. A copy of it has none of
 * them.
 */
export function Breakable({ children }: BreakableProps) {
	const text = seen(children);
	const at = mail.test(text) ? /(?<=[@.])/ : parameter.test(text) ? /(?=[A-Z])/ : separator;
	const parts = hash.test(text) ? text.match(/(..:?){1,4}/g) : text.split(at);
	return (parts ?? []).map((part, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text stand still
		<Fragment key={index}>
			{index > 0 ? <wbr /> : null}
			{part}
		</Fragment>
	));
}
