import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Expiry, SiteView } from "@/bridge";
import { formatCivilDay, formatDaysAway, formatUtc } from "@/lib/format";
import { hostAndPathOf, hostAndPortOf } from "@/lib/hosts";
import type { Place } from "@/lib/navigation";
import { joined } from "@/messages/isolated";
import { serverName } from "./target-name";

/** What expires, in words. */
export interface ExpiryText {
	/** What it is, without its time. */
	title: string;
	/** Day in the time zone of the site and in UTC. */
	when: string;
	/** How far away it is. */
	away: string;
	/** What does not work any more then. */
	stops: string;
	/** Label of the button that leads on. */
	act: string;
	/** Where the button leads; `null` for a sign-in, which opens over the page. */
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
			const howTo = { page: "help", topic: "expires" } as const;
			const edit = { page: "edit-site", site: site.id } as const;
			switch (what.kind) {
				case "license":
					return texts(
						t("expires.license", { of }),
						t(isPortal ? "expires.stops.portalLicense" : "expires.stops.serverLicense"),
						t("expires.how"),
						howTo,
					);
				case "presented":
					return texts(
						t("expires.presented", { of: what.host }),
						t("expires.stops.presented"),
						t("expires.how"),
						howTo,
					);
				case "machine":
					return texts(
						t("expires.machine", { alias: what.alias, of: what.machine || of }),
						joined([t("expires.stops.machine"), differing(what)].filter(Boolean), "\u00a0· "),
						t("expires.how"),
						howTo,
					);
				case "authority":
					return texts(
						t("expires.authority", { of: what.subject }),
						t("expires.stops.authority"),
						t("expires.edit"),
						edit,
					);
				case "client":
					return texts(t("expires.client", { of: what.subject }), t("expires.stops.client"), t("expires.edit"), edit);
				case "session":
					return what.plans.length > 0
						? texts(
								t("expires.planSession", { count: what.plans.length, plans: what.plans.join(", ") }),
								t("expires.stops.planSession"),
								t("attention.signIn"),
								null,
							)
						: texts(
								t("expires.session", { username: what.username, of }),
								t("expires.stops.session"),
								t("attention.signIn"),
								null,
							);
				case "invitation":
					return texts(
						t("expires.invitation", { of: hostAndPortOf(what.guest) || what.guest }),
						t("expires.stops.invitation"),
						t("attention.refresh"),
						{ page: "operation", key: "refresh_invitation", site: site.id, server: null },
					);
			}

			function differing({ alias, differs }: Extract<Expiry["what"], { kind: "machine" }>): string {
				if (differs === null) return "";
				const [presented, own] = [formatUtc(differs.presentedUntil), formatUtc(differs.ownUntil)];
				return t("expires.differs", { host: differs.host, alias, presented, own });
			}

			function whenOf(): string {
				const utc = formatUtc(expiry.at);
				const day = formatCivilDay(expiry.day);
				// In UTC it can be another day.
				const isOther = expiry.zone !== null && new Date(expiry.at).toISOString().slice(0, 10) !== expiry.day;
				return joined(
					[
						isOther ? t("expires.inZone", { day, zone: expiry.zone }) : "",
						utc,
						expiry.planFor === null ? "" : t("expires.planFor", { day: formatCivilDay(expiry.planFor) }),
					].filter(Boolean),
					"\u00a0· ",
				);
			}
		},
		[t],
	);
}
