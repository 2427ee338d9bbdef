import type { TFunction } from "i18next";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { AcceptanceLine, LineAbout, LineState, ServerId, SiteView, UnavailableReason } from "@/bridge";
import { formatAgo, formatDateTime, formatDuration, formatSize } from "@/lib/format";
import { serverName } from "@/lib/target";
import { obstacleOf, unavailableText } from "@/lib/use-read-only";
import { joined } from "@/messages/isolated";

type Translate = TFunction<["plans", "common"]>;
type Of<K extends LineAbout["kind"]> = Extract<LineAbout, { kind: K }>;

export interface LineText {
	title: string;
	/** Details, and what to do. */
	below: string;
}

/** Returns a function that describes a line of the acceptance list. `onlyIn`: folder that the organization allows. */
export function useAcceptanceText(site: SiteView, onlyIn: string | null) {
	const { t } = useTranslation(["plans", "common"]);
	const { t: common } = useTranslation("common");
	return useCallback(
		({ state, about }: AcceptanceLine): LineText => {
			const partOf = (server: ServerId | null) => (server === null ? t("list.portal") : serverName(site, server));
			const namesOf = (parts: readonly (ServerId | null)[]) => ({ parts: joined(parts.map(partOf), ", ") });
			switch (about.kind) {
				case "session":
					return sessionText(t, state, about, namesOf(about.parts));
				case "versions": {
					const names = namesOf(about.parts);
					if (about.reason === null) {
						const key = state === "met" ? "versions.met" : "versions.notKnown";
						return { title: t(`accept.${key}`, names), below: t(`accept.${key}Below`) };
					}
					const why = reasonOf(common, about.parts, about.reason);
					return { title: t("accept.versions.notMet", names), below: `${why} ${t("accept.versions.clear")}` };
				}
				case "tokenLife":
					return tokenLifeText(t, state, about, partOf(about.server));
				case "folder":
					return folderText(t, about, onlyIn);
				case "space":
					return spaceText(t, state, about);
				case "synchronized":
					return { title: t("accept.synchronized"), below: t("accept.synchronizedBelow", { name: about.name }) };
				case "onlyExports":
					return { title: t("edit.onlyExports"), below: leftText(t, about) };
			}
		},
		[t, common, site, onlyIn],
	);
}

function sessionText(t: Translate, state: LineState, { session }: Of<"session">, names: { parts: string }): LineText {
	switch (session.kind) {
		case "password":
			return { title: t("accept.session.met", names), below: t("accept.session.password") };
		case "refreshToken": {
			if (session.ends === null) {
				const title = t(state === "met" ? "accept.session.met" : "accept.session.endNotKnown", names);
				return { title, below: t("accept.session.endNotReturned") };
			}
			const at = { at: formatDateTime(session.ends), ago: formatAgo(session.ends) };
			if (state === "met") return { title: t("accept.session.met", names), below: t("accept.session.until", at) };
			const isOver = session.ends <= Date.now();
			if (isOver) return { title: t("accept.session.ended", names), below: t("accept.session.signInAgain") };
			return {
				title: t("accept.session.ends", { ...names, ...at }),
				below: t(state === "warning" ? "accept.session.endsBelow" : "accept.session.tooSoon", at),
			};
		}
		case "bareToken": {
			if (state !== "met") return { title: t("accept.session.bare", names), below: t("accept.session.savePassword") };
			return { title: t("accept.session.met", names), below: t("accept.session.onRequest") };
		}
		case "signedOut":
			return { title: t("accept.session.out", names), below: t("accept.session.savePassword") };
		case "notChecked":
			return { title: t("accept.session.notChecked", names), below: t("accept.session.check") };
		case "keyring":
			return session.keyring === "absent"
				? { title: t("accept.session.noKeyring"), below: t("accept.session.noKeyringBelow") }
				: { title: t("accept.session.keyring"), below: t("accept.session.keyringBelow") };
	}
}

function reasonOf(common: TFunction<"common">, [server]: readonly (ServerId | null)[], reason: UnavailableReason) {
	const obstacle = obstacleOf(server === null ? "export_portal" : "export_server", reason);
	return obstacle === null ? "" : unavailableText(common, obstacle);
}

function tokenLifeText(t: Translate, state: LineState, { longest, life }: Of<"tokenLife">, part: string): LineText {
	const values = { part, life: formatDuration(life * 1_000), longest: formatDuration((longest ?? 0) * 1_000) };
	const key = state === "met" ? "met" : state === "warning" ? "warning" : "notKnown";
	return { title: t(`accept.tokenLife.${key}`, values), below: t(`accept.tokenLife.${key}Below`, values) };
}

function folderText(t: Translate, { fault }: Of<"folder">, onlyIn: string | null): LineText {
	if (fault === null) return { title: t("accept.folder.met"), below: t("accept.folder.metBelow") };
	const title = t(`accept.folder.${fault.kind}`);
	if (fault.kind === "notAllowed" && onlyIn !== null) return { title, below: t("edit.onlyIn", { folder: onlyIn }) };
	return { title, below: t(`accept.folder.${folderRemedies[fault.kind]}`) };
}

/** Message key of the advice for each fault of a folder. */
const folderRemedies = {
	notChosen: "choose",
	missing: "connect",
	notWritable: "another",
	notAllowed: "another",
	notMarked: "again",
} as const;

function spaceText(t: Translate, state: LineState, { free, needed }: Of<"space">): LineText {
	if (free === null) return { title: t("accept.space.notKnown"), below: t("accept.space.notReturned") };
	if (needed === null) {
		return { title: t("accept.space.noSet"), below: t("accept.space.noSetBelow", { free: formatSize(free) }) };
	}
	const values = { free: formatSize(free), needed: formatSize(needed), lacking: formatSize(needed - free) };
	if (state === "met") return { title: t("accept.space.met"), below: t("accept.space.metBelow", values) };
	return { title: t("accept.space.notMet"), below: t("accept.space.notMetBelow", values) };
}

/** Returns what a plan leaves on the site. */
function leftText(t: Translate, { isReadOnly, keepsPortalFiles, keepsUploads }: Of<"onlyExports">): string {
	const left = [
		isReadOnly ? t("accept.left.readOnly") : t("edit.onlyExportsBelow"),
		keepsPortalFiles ? t("accept.left.portalFiles") : null,
		t(keepsUploads ? "accept.left.uploads" : "accept.left.failedUploads"),
	];
	return left.filter((one) => one !== null).join(" ");
}
