import { IconBan, IconLock, IconUserExclamation } from "@tabler/icons-react";
import type { Hindrance } from "@/lib/use-read-only";

/** Lock: ends by unlocking. Ban: not possible on this site. User: requires another account or a setting. */
const icons = {
	readOnly: IconLock,
	tooOld: IconBan,
	noComponent: IconBan,
	notOnSite: IconBan,
	notOnServer: IconBan,
	role: IconUserExclamation,
	noAdminUrl: IconUserExclamation,
} satisfies Record<Hindrance["kind"], typeof IconLock>;

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
