import type { TFunction } from "i18next";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Concern, Expiry, OperationKey, SiteView } from "@/bridge";
import {
	formatAgo,
	formatCivilDay,
	formatDaysAway,
	formatList,
	formatTime,
	formatUtc,
	hostAndPathOf,
	hostAndPortOf,
} from "@/lib/format";
import { isAct, useEntryName } from "@/lib/history-text";
import type { Place } from "@/lib/navigation";
import { operationFor, useOperationUis } from "@/lib/operation-ui";
import { signInOf, usePlanText } from "@/lib/plan-text";
import { usePartText } from "@/lib/recoverable-text";
import { entryText } from "@/lib/summary-text";
import { dotted, isolated } from "@/messages/isolated";
import { atServer, serverName, targetOf } from "./target";

/** Texts of one row of the overview's attention list, with its button. */
export interface ConcernText {
	title: string;
	/** Time and account; empty if the title or the check states them. */
	when: string;
	/** Longer form of `when`, with further details and the source. */
	detail: string;
	act: string;
	/** Page that the button opens; `null` for a sign-in, which opens as a dialog. */
	to: Place | null;
	/** Navigation item whose badge counts this concern: an operation or the backup plans. `null` for none. */
	countedAt: OperationKey | "plans" | null;
	/** Whether the button leads to a change of the site, which a read-only site rejects. */
	changes: boolean;
}

/** Number of services named below the title. */
const namedServices = 2;

export function useConcernText(): (site: SiteView, concern: Concern) => ConcernText {
	const { t } = useTranslation(["sites", "common", "siteProof"]);
	const { t: common } = useTranslation("common");
	const nameOf = useEntryName();
	const uis = useOperationUis();
	const planText = usePlanText();
	const expiryText = useExpiryText();
	const partText = usePartText();
	return useCallback(
		(site, concern) => {
			const { about, server } = concern;
			const leadsTo = (kind: Concern["about"]["kind"]) => {
				const key = operationFor(uis, kind);
				return {
					to: { page: "operation" as const, ...targetOf(key, atServer(site, server) ?? site), key },
					countedAt: key,
				};
			};
			const place = server === null ? "" : serverName(site, server);
			const toPlans = { to: { page: "plans" as const, site: site.id }, countedAt: "plans" as const };
			// Values that most concerns share.
			const rest = { when: "", countedAt: null, changes: false };
			switch (about.kind) {
				case "record": {
					const { entry } = about;
					const failed = concern.tone === "failed";
					const key = failed ? "failed" : "unknown";
					// The server is named only if the site has several.
					const on = place !== "" && site.servers.length > 1;
					const when = who(formatTime(entry.startedAt), entry.username);
					return {
						...rest,
						title: t(on ? `attention.${key}On` : `attention.${key}`, { operation: nameOf(entry), server: place }),
						when,
						detail: dotted(when, entryText(common, entry), more(t, about.others)),
						act: t(failed ? "attention.showResult" : "attention.checkOutcome"),
						to: failed ? { page: "history", record: entry.id } : { page: "history", record: entry.id, check: true },
						countedAt: isAct(entry.operation) ? null : entry.operation,
					};
				}
				case "services": {
					const named = about.services.slice(0, namedServices);
					const states = named.map(({ service, state }) => t("attention.serviceState", { service, state }));
					return {
						...rest,
						title: t("attention.services", { count: about.count, server: place }),
						detail: dotted(formatList(states), more(t, about.count - namedServices), checked(t, about.checkedAt)),
						act: t("attention.showServices"),
						to: { page: "overview", site: site.id, ...(server === null ? {} : { services: server }) },
					};
				}
				case "notSignedIn": {
					const when = t("attention.sinceFirst", { at: formatTime(concern.at) });
					return {
						...rest,
						when,
						title: t("attention.notSignedIn", { server: place || site.name }),
						detail: dotted(when, checked(t, about.checkedAt)),
						act: t("attention.signIn"),
						to: null,
					};
				}
				case "webhooks": {
					const key = about.isUncertain ? "maybe" : about.webhooks.length > 0 ? "webhooks" : "webhooksOf";
					const names = key === "webhooks" ? about.webhooks : about.services;
					const at = formatTime(concern.at);
					return {
						when: who(t("attention.sinceFirst", { at }), about.by),
						title: t(`attention.${key}`, { count: names.length, server: place || site.name }),
						detail: dotted(
							formatList(names.slice(0, namedServices)),
							more(t, names.length - namedServices),
							who(t("attention.since", { at }), about.by),
							about.why && t("attention.why", { why: about.why }),
							about.checkedAt === null ? null : checked(t, about.checkedAt),
						),
						act: t("attention.reactivate"),
						...leadsTo(about.kind),
						changes: true,
					};
				}
				case "invitation": {
					const guest = hostAndPortOf(about.guest) || about.guest;
					const key = concern.tone === "failed" ? "expired" : "expires";
					const when = formatTime(about.expiresAt);
					const collaboration = about.collaboration && t("attention.collaboration", { name: about.collaboration });
					return {
						when,
						title: t(`attention.${key}`, { guest, ago: formatAgo(about.expiresAt) }),
						detail: dotted(when, collaboration, checked(t, about.checkedAt)),
						act: t("attention.refresh"),
						...leadsTo(about.kind),
						changes: true,
					};
				}
				case "plan": {
					const { why, when } = planText(site, about.state);
					const isSignIn = signInOf(about.state) !== undefined;
					return {
						...rest,
						title: t("plan.title", { plan: about.name, why }),
						when,
						detail: when,
						act: t(isSignIn ? "attention.signIn" : "plan.show"),
						to: isSignIn ? null : { page: "plans", site: site.id, plan: about.plan },
						countedAt: "plans",
					};
				}
				case "expires": {
					const { title: what, away: ago, when, stops, act, to } = expiryText(site, about.expiry);
					const title = t(about.expiry.isOver ? "expires.over" : "expires.soon", { what, ago });
					return { ...rest, when, title, detail: dotted(when, stops, checked(t, about.expiry.checkedAt)), act, to };
				}
				case "notRecoverable": {
					const named = about.parts.slice(0, namedServices).map((part) => partText(site, part));
					const without = about.hasPlan ? null : t("recoverable.withoutPlan");
					return {
						...rest,
						title: t("recoverable.notFromExports"),
						detail: dotted(...named, more(t, about.parts.length - namedServices), without),
						act: t("attention.toPlans"),
						...toPlans,
					};
				}
				case "noPlan": {
					const parts = about.parts.map((part) => (part === null ? t("recoverable.portal") : serverName(site, part)));
					const isWhole = parts.length === site.servers.length + Number(site.portal !== null);
					const detail = isWhole
						? t("recoverable.noPlanDetail")
						: t("recoverable.noPlanFor", { parts: formatList(parts) });
					return { ...rest, title: t("recoverable.noPlan"), detail, act: t("attention.toPlans"), ...toPlans };
				}
				case "noDataBackup": {
					const reported =
						about.checkedAt === null ? null : t("recoverable.reported", { at: formatTime(about.checkedAt) });
					return {
						...rest,
						title: t("recoverable.noDataBackup"),
						detail: dotted(t("recoverable.missingBelow"), reported),
						act: t("recoverable.explain"),
						to: { page: "help", topic: "recoverable" },
					};
				}
				case "wholeSite": {
					const lines = formatList(about.lines.map((line) => t(`siteProof:line.${line}`)));
					return {
						...rest,
						when: formatTime(concern.at),
						title: t(`siteProof:attention.${concern.tone}`, { lines }),
						detail: checked(t, concern.at),
						act: t("siteProof:attention.show"),
						to: { page: "overview", site: site.id },
					};
				}
				case "unsavedInvitations":
					return {
						...rest,
						title: t("attention.unsaved", { count: about.count }),
						detail: t("attention.sinceFirst", { at: formatTime(concern.at) }),
						act: t("attention.save"),
						...leadsTo(about.kind),
					};
			}
		},
		[t, common, nameOf, uis, planText, expiryText, partText],
	);
}

const who = (when: string, name: string) => (name ? `${when}, ${isolated(name)}` : when);

/** Returns how many others there are; empty if there are none. */
const more = (t: TFunction<["sites", "common", "siteProof"]>, count: number) =>
	count > 0 ? t("attention.more", { count }) : "";

function checked(t: TFunction<["sites", "common", "siteProof"]>, at: number | null): string {
	return at === null ? t("attention.neverChecked") : t("attention.checked", { at: formatTime(at) });
}

/** Texts of one expiry, with its button. */
interface ExpiryText {
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
	// As in the alerts.
	const { t: consequence } = useTranslation("common", { keyPrefix: "alert.expires.stops" });
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
					return explained(t("expires.license", { of }), consequence(`${isPortal ? "portal" : "server"}License`));
				case "presented":
					return explained(t("expires.presented", { of: what.host }), consequence("presented"));
				case "machine":
					return explained(
						t("expires.machine", { alias: what.alias, of: what.machine || of }),
						dotted(consequence("machine"), differing(what)),
					);
				case "authority":
				case "client":
					return edited(t(`expires.${what.kind}`, { of: what.subject }), consequence(what.kind));
				case "session": {
					const { username, plans } = what;
					const count = plans.length;
					return count > 0
						? texts(
								t("expires.planSession", { count, plans: plans.join(", ") }),
								consequence("planSession"),
								t("attention.signIn"),
								null,
							)
						: texts(t("expires.session", { username, of }), consequence("session"), t("attention.signIn"), null);
				}
				case "invitation": {
					const title = t("expires.invitation", { of: hostAndPortOf(what.guest) || what.guest });
					const to = { page: "operation", key: "refresh_invitation", site: site.id, server: null } as const;
					return texts(title, consequence("invitation"), t("attention.refresh"), to);
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
		[t, consequence],
	);
}
