import type { TFunction } from "i18next";
import { type Component, type OperationKey, operations, type SessionView, type UnavailableReason } from "@/bridge";
import { changesSite } from "./use-read-only";

/** What the site or the account does not allow. A version is that of the portal or server that an operation goes to. */
export type Obstacle =
	| Exclude<UnavailableReason, { kind: "tooOld" }>
	| (Extract<UnavailableReason, { kind: "tooOld" }> & { component: Component });

/** An obstacle, or that the site is read-only now. */
export type Hindrance = Obstacle | { kind: "readOnly" };

export function unavailableReason(session: SessionView | null | undefined, key: OperationKey): Obstacle | null {
	return obstacleOf(key, session?.operations.find((one) => one.operation === key)?.reasons[0]);
}

/** A site has two versions, and a reason does not name the one that it is about. */
export function obstacleOf(key: OperationKey, reason: UnavailableReason | undefined): Obstacle | null {
	if (reason?.kind !== "tooOld") return reason ?? null;
	const operation = operations.find((one) => one.key === key);
	return { ...reason, component: operation?.component ?? "portal" };
}

/** Why the operation is greyed. `readOnly` is whether the site takes no changes now, which ends by itself. */
export function hindranceOf(session: SessionView | null, key: OperationKey, readOnly: boolean): Hindrance | null {
	const locked = readOnly && changesSite(key);
	return unavailableReason(session, key) ?? (locked ? { kind: "readOnly" } : null);
}

/** The reason in one short sentence. */
export function unavailableText(t: TFunction<"common">, obstacle: Hindrance): string {
	switch (obstacle.kind) {
		case "tooOld":
			return t(`obstacle.tooOld.${obstacle.component}`, { needs: obstacle.needs, has: obstacle.has });
		case "noComponent":
			return t("obstacle.noComponent", { area: t(`area.${obstacle.component}`) });
		case "role":
			return t("obstacle.role", { capability: t(`capability.${obstacle.needs}`) });
		case "notOnSite":
			return t(`obstacle.notOnSite.${obstacle.deploymentType}`);
		case "notOnServer":
			return t("obstacle.notOnServer", {
				server: obstacle.server.kind === "other" ? obstacle.server.name : t(`serverKind.${obstacle.server.kind}`),
			});
		case "noAdminUrl":
			return t("obstacle.noAdminUrl");
		case "readOnly":
			return t("obstacle.readOnly");
	}
}

/** What to do about it. */
export function unavailableAdvice(t: TFunction<"common">, obstacle: Hindrance): string {
	if (obstacle.kind === "notOnSite") return t(`obstacle.advice.notOnSite.${obstacle.deploymentType}`);
	if (obstacle.kind === "tooOld") return t(`obstacle.advice.tooOld.${obstacle.component}`);
	const area = obstacle.kind === "noComponent" ? t(`area.${obstacle.component}`) : "";
	return t(`obstacle.advice.${obstacle.kind}`, { area });
}
