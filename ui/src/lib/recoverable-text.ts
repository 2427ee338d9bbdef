import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { CopyPlace, DataStores, Recoverability, RecoverablePart, Rehearsal, SiteView } from "@/bridge";
import type { OutcomeName } from "@/components/outcome";
import { formatAgo, formatTime, formatUpTo } from "@/lib/format";
import { dotted, joined } from "@/messages/isolated";
import { serverName } from "./target";

/** Age of a backup of the data stores above which it is shown as old, in milliseconds. */
const week = 7 * 86_400_000;

/** Texts of one fact about the recovery of a site. */
export interface RecoverableFact {
	/** Rating of the fact; `null` if it has none. */
	tone: OutcomeName | null;
	text: string;
	below: string;
}

/** Returns a function that explains why an export cannot be restored; empty if it can. */
export function usePartText(): (site: SiteView, part: RecoverablePart) => string {
	const { t } = useTranslation("sites", { keyPrefix: "recoverable" });
	return useCallback(
		(site, { server, state, at, version }) => {
			const of = server === null ? t("portal") : serverName(site, server);
			if (state.kind === "verified") return "";
			const checked = "checkedAt" in state ? formatTime(state.checkedAt) : "";
			const other = "other" in state ? serverName(site, state.other) : "";
			return t(state.kind, { ...state, of, version, checked, other, at: at === null ? "" : formatUpTo(at) });
		},
		[t],
	);
}

/**
 * Returns a function that states to which time the data stores are recoverable, if that differs from the exports.
 */
export function useDataRest(): (recoverable: Recoverability) => string {
	const { t } = useTranslation("sites", { keyPrefix: "recoverable" });
	return ({ to, dataStores }) => {
		if (dataStores.kind === "missing") return t("dataMissing");
		if (dataStores.kind === "notKnown") return t("dataNotKnown");
		if (dataStores.kind !== "backup" || to.kind !== "time") return "";
		const { at } = dataStores.backup;
		return at < to.at ? t("dataTo", { at: formatUpTo(at) }) : "";
	};
}

/** Returns a function that describes the backups of the data stores of a site. */
export function useDataText(): (dataStores: DataStores) => RecoverableFact {
	const { t } = useTranslation("sites", { keyPrefix: "recoverable" });
	const reported = (at: number | null) => (at === null ? "" : t("reported", { at: formatTime(at) }));
	return (dataStores) => {
		switch (dataStores.kind) {
			case "backup": {
				const { kind, at } = dataStores.backup;
				return {
					tone: Date.now() - at > week ? "warnings" : "succeeded",
					text: t(kind, { ago: formatAgo(at) }),
					below: dotted(reported(dataStores.checkedAt), t("notIncluded")),
				};
			}
			case "missing":
				return {
					tone: "warnings",
					text: t("noneReported"),
					below: dotted(t("missingBelow"), reported(dataStores.checkedAt)),
				};
			case "notKnown": {
				const { why } = dataStores;
				const reason = why.kind === "failed" ? why.reason : "";
				const key = reason === "" ? why.kind : "failedBecause";
				return {
					tone: "unknown",
					text: t("because", { why: t(`why.${key}`, { reason }) }),
					below: t("notIncluded"),
				};
			}
			case "nothingHosted":
			case "noPortal":
				return { tone: null, text: t(dataStores.kind), below: t("registered") };
		}
	};
}

/** Returns a function that lists the locations of exports without duplicates. */
export function usePlacesText(): (parts: readonly RecoverablePart[]) => string {
	const { t } = useTranslation("sites", { keyPrefix: "recoverable" });
	const textOf = ({ kind, name, planName }: CopyPlace) => {
		const place = t(`place.${kind}`, { name });
		return planName === "" ? place : t("planPlace", { plan: planName, place });
	};
	return (parts) => joined([...new Set(parts.flatMap(({ place }) => (place ? [textOf(place)] : [])))], " · ");
}

/** Returns a function that states when and on which site a rehearsal took place, and how many parts are back. */
export function useRehearsedText(): (rehearsal: Rehearsal) => string {
	const { t } = useTranslation("sites", { keyPrefix: "recoverable" });
	return ({ at, siteName, back, of }) =>
		dotted(t("rehearsedOn", { ago: formatAgo(at), site: siteName }), t("rehearsedParts", { done: back, count: of }));
}
