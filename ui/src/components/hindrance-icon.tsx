import { IconBan, IconLock, IconUserExclamation } from "@tabler/icons-react";
import type { Hindrance } from "@/lib/unavailable-text";

/** A lock is what unlocking ends; a ban is what the site cannot do; the rest needs another account, or a setting. */
const icons = {
	readOnly: IconLock,
	tooOld: IconBan,
	noComponent: IconBan,
	notOnSite: IconBan,
	notOnServer: IconBan,
	role: IconUserExclamation,
	noAdminUrl: IconUserExclamation,
} satisfies Record<Hindrance["kind"], typeof IconLock>;

/** Tells apart why an operation cannot be used, beside the words that say it. */
export function HindranceIcon({ kind, className }: { kind: Hindrance["kind"]; className?: string }) {
	const Icon = icons[kind];
	return (
		<Icon
			size={14}
			stroke={1.5}
			aria-hidden
			data-hindrance={kind}
			{...(className === undefined ? {} : { className })}
		/>
	);
}

export { icons as hindranceIcons };
