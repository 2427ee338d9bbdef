import type { TFunction } from "i18next";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Concern, OperationKey, SiteView } from "@/bridge";
import { useExpiryText } from "@/lib/expiry-text";
import { formatAgo, formatList, formatNumber, formatTime } from "@/lib/format";
import { isAct, useEntryName } from "@/lib/history-text";
import { hostAndPortOf } from "@/lib/hosts";
import type { Place } from "@/lib/navigation";
import { operationFor, useOperationUis } from "@/lib/operation-ui";
import { signInOf, usePlanText } from "@/lib/plan-text";
import { usePartText } from "@/lib/recoverable-text";
import { entryText } from "@/lib/summary-text";
import { isolated, joined } from "@/messages/isolated";
import { atServer } from "./target";
import { serverName } from "./target-name";
import { targetOf } from "./target-of";

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
			switch (about.kind) {
				case "record": {
					const { entry } = about;
					const failed = concern.tone === "failed";
					const key = failed ? "failed" : "unknown";
					// A site with one server does not show its name.
					const on = place !== "" && site.servers.length > 1;
					return {
						title: t(on ? `attention.${key}On` : `attention.${key}`, { operation: nameOf(entry), server: place }),
						when: who(formatTime(entry.startedAt), entry.username),
						detail: joined(
							[
								who(formatTime(entry.startedAt), entry.username),
								entryText(common, entry),
								about.others > 0 ? more(t, about.others) : "",
							].filter(Boolean),
							"\u00a0· ",
						),
						act: t(failed ? "attention.showResult" : "attention.checkOutcome"),
						to: failed ? { page: "history", record: entry.id } : { page: "history", record: entry.id, check: true },
						countedAt: isAct(entry.operation) ? null : entry.operation,
						changes: false,
					};
				}
				case "services":
					return {
						when: "",
						title: t("attention.services", { ...counted(about.count), server: place }),
						detail: joined(
							[
								formatList(
									about.services
										.slice(0, namedServices)
										.map(({ service, state }) => t("attention.serviceState", { service, state })),
								),
								about.count > namedServices ? more(t, about.count - namedServices) : "",
								checked(t, about.checkedAt),
							].filter(Boolean),
							"\u00a0· ",
						),
						act: t("attention.showServices"),
						to: { page: "overview", site: site.id, ...(server === null ? {} : { services: server }) },
						countedAt: null,
						changes: false,
					};
				case "notSignedIn":
					return {
						when: t("attention.sinceFirst", { at: formatTime(concern.at) }),
						title: t("attention.notSignedIn", { server: place || site.name }),
						detail: joined(
							[t("attention.sinceFirst", { at: formatTime(concern.at) }), checked(t, about.checkedAt)],
							"\u00a0· ",
						),
						act: t("attention.signIn"),
						to: null,
						countedAt: null,
						changes: false,
					};
				case "webhooks": {
					const key = about.isUncertain ? "maybe" : about.webhooks.length > 0 ? "webhooks" : "webhooksOf";
					const count = key === "webhooks" ? about.webhooks.length : about.services.length;
					return {
						when: who(t("attention.sinceFirst", { at: formatTime(concern.at) }), about.by),
						title: t(`attention.${key}`, { ...counted(count), server: place || site.name }),
						detail: joined(
							[
								formatList((key === "webhooks" ? about.webhooks : about.services).slice(0, namedServices)),
								count > namedServices ? more(t, count - namedServices) : "",
								who(t("attention.since", { at: formatTime(concern.at) }), about.by),
								about.why && t("attention.why", { why: about.why }),
								about.checkedAt === null ? "" : checked(t, about.checkedAt),
							].filter(Boolean),
							"\u00a0· ",
						),
						act: t("attention.reactivate"),
						...leadsTo(about.kind),
						changes: true,
					};
				}
				case "invitation": {
					const guest = hostAndPortOf(about.guest) || about.guest;
					const key = concern.tone === "failed" ? "expired" : "expires";
					return {
						when: formatTime(about.expiresAt),
						title: t(`attention.${key}`, { guest, ago: formatAgo(about.expiresAt) }),
						detail: joined(
							[
								formatTime(about.expiresAt),
								about.collaboration && t("attention.collaboration", { name: about.collaboration }),
								checked(t, about.checkedAt),
							].filter(Boolean),
							"\u00a0· ",
						),
						act: t("attention.refresh"),
						...leadsTo(about.kind),
						changes: true,
					};
				}
				case "plan": {
					const { why, when } = planText(site, about.state);
					const isSignIn = signInOf(about.state) !== undefined;
					return {
						title: t("plan.title", { plan: about.name, why }),
						when,
						detail: when,
						act: t(isSignIn ? "attention.signIn" : "plan.show"),
						to: isSignIn ? null : { page: "plans", site: site.id, plan: about.plan },
						countedAt: "plans",
						changes: false,
					};
				}
				case "expires": {
					const text = expiryText(site, about.expiry);
					const key = about.expiry.isOver ? "expires.over" : "expires.soon";
					return {
						when: text.when,
						title: t(key, { what: text.title, ago: text.away }),
						detail: joined([text.when, text.stops, checked(t, about.expiry.checkedAt)], "\u00a0· "),
						act: text.act,
						to: text.to,
						countedAt: null,
						changes: false,
					};
				}
				case "notRecoverable": {
					const others = about.parts.length - namedServices;
					const named = about.parts.slice(0, namedServices).map((part) => partText(site, part));
					const without = about.hasPlan ? "" : t("recoverable.withoutPlan");
					return {
						when: "",
						title: t("recoverable.notFromExports"),
						detail: joined([...named, others > 0 ? more(t, others) : "", without].filter(Boolean), "\u00a0· "),
						act: t("attention.toPlans"),
						to: { page: "plans", site: site.id },
						countedAt: "plans",
						changes: false,
					};
				}
				case "noPlan":
					return {
						when: "",
						title: t("recoverable.noPlan"),
						detail: t("recoverable.noPlanDetail"),
						act: t("attention.toPlans"),
						to: { page: "plans", site: site.id },
						countedAt: "plans",
						changes: false,
					};
				case "wholeSite": {
					const lines = about.lines.map((line) => t(`siteProof:line.${line}`));
					return {
						when: formatTime(concern.at),
						title: t(`siteProof:attention.${concern.tone}`, { lines: formatList(lines) }),
						detail: checked(t, concern.at),
						act: t("siteProof:attention.show"),
						to: { page: "overview", site: site.id },
						countedAt: null,
						changes: false,
					};
				}
				case "unsavedInvitations":
					return {
						when: "",
						title: t("attention.unsaved", counted(about.count)),
						detail: t("attention.sinceFirst", { at: formatTime(concern.at) }),
						act: t("attention.save"),
						...leadsTo(about.kind),
						changes: false,
					};
			}
		},
		[t, common, nameOf, uis, planText, expiryText, partText],
	);
}

const counted = (count: number) => ({ count, formatted: formatNumber(count) });

const who = (when: string, name: string) => (name ? `${when}, ${isolated(name)}` : when);

const more = (t: TFunction<["sites", "common", "siteProof"]>, count: number) => t("attention.more", counted(count));

function checked(t: TFunction<["sites", "common", "siteProof"]>, at: number | null): string {
	return at === null ? t("attention.neverChecked") : t("attention.checked", { at: formatTime(at) });
}
