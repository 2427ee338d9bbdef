import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Expiry, SiteView } from "@/bridge";
import { formatCivilDay, formatDaysAway, formatUtc, hostAndPathOf, hostAndPortOf } from "@/lib/format";
import type { Place } from "@/lib/navigation";
import { dotted } from "@/messages/isolated";
import { serverName } from "./target";

/** Texts of one expiry, with its button. */
export interface ExpiryText {
	/** Name of the expiring object, without its time. */
	title: string;
	/** Day in the time zone of the site and in UTC. */
	when: string;
	/** Distance in days, for example "in 9 days". */
	away: string;
	/** Consequence of the expiration. */
	stops: string;
	/** Label of the button. */
	act: string;
	/** Page that the button opens; `null` for a sign-in, which opens as a dialog. */
	to: Place | null;
}

export function useExpiryText(): (site: SiteView, expiry: Expiry) => ExpiryText {
	const { t } = useTranslation("sites");
	return useCallback(
		(site, expiry) => {
			const { what } = expiry;
			const of =
				expiry.server === null ? hostAndPathOf(site.portal ?? "") || site.name : serverName(site, expiry.server);
			const isPortal = expiry.server === null;
			const texts = (title: string, stops: string, act: string, to: Place | null): ExpiryText => ({
				title,
				when: whenOf(),
				away: formatDaysAway(expiry.days),
				stops,
				act,
				to,
			});
			const explained = (title: string, stops: string) =>
				texts(title, stops, t("expires.how"), { page: "help", topic: "expires" });
			const edited = (title: string, stops: string) =>
				texts(title, stops, t("expires.edit"), { page: "edit-site", site: site.id });
			switch (what.kind) {
				case "license":
					return explained(t("expires.license", { of }), t(`expires.stops.${isPortal ? "portal" : "server"}License`));
				case "presented":
					return explained(t("expires.presented", { of: what.host }), t("expires.stops.presented"));
				case "machine":
					return explained(
						t("expires.machine", { alias: what.alias, of: what.machine || of }),
						dotted(t("expires.stops.machine"), differing(what)),
					);
				case "authority":
				case "client":
					return edited(t(`expires.${what.kind}`, { of: what.subject }), t(`expires.stops.${what.kind}`));
				case "session": {
					const { username, plans } = what;
					const count = plans.length;
					return count > 0
						? texts(
								t("expires.planSession", { count, plans: plans.join(", ") }),
								t("expires.stops.planSession"),
								t("attention.signIn"),
								null,
							)
						: texts(t("expires.session", { username, of }), t("expires.stops.session"), t("attention.signIn"), null);
				}
				case "invitation": {
					const title = t("expires.invitation", { of: hostAndPortOf(what.guest) || what.guest });
					const to = { page: "operation", key: "refresh_invitation", site: site.id, server: null } as const;
					return texts(title, t("expires.stops.invitation"), t("attention.refresh"), to);
				}
			}

			function differing({ alias, differs }: Extract<Expiry["what"], { kind: "machine" }>): string {
				if (differs === null) return "";
				const [presented, own] = [formatUtc(differs.presentedUntil), formatUtc(differs.ownUntil)];
				return t("expires.differs", { host: differs.host, alias, presented, own });
			}

			function whenOf(): string {
				const { at, zone, planFor } = expiry;
				const day = formatCivilDay(expiry.day);
				// In UTC, the day can differ from that in the time zone of the site.
				const isOther = zone !== null && new Date(at).toISOString().slice(0, 10) !== expiry.day;
				return dotted(
					isOther ? t("expires.inZone", { day, zone }) : null,
					formatUtc(at),
					planFor === null ? null : t("expires.planFor", { day: formatCivilDay(planFor) }),
				);
			}
		},
		[t],
	);
}
