import type { TFunction } from "i18next";
import { useSyncExternalStore } from "react";
import {
	type Component,
	type GatedParameter,
	type Millis,
	type OperationKey,
	operations,
	type SessionView,
	type SiteView,
	type UnavailableReason,
} from "@/bridge";

/** Whether the operation changes the site. Exports do not. */
export function changesSite(key: OperationKey): boolean {
	return operations.some((one) => one.key === key && (one.impact === "changes" || one.impact === "replaces"));
}

/** Whether the site is read-only and locked. */
export function useReadOnly(site: SiteView | null): boolean {
	// Only an unlocked site changes by itself: it locks again after a time.
	const changes = site?.readOnly === true && site.unlockedUntil !== null;
	return useSyncExternalStore(
		changes ? everySecond : never,
		() => site?.readOnly === true && unlockedUntil(site, Date.now()) === null,
	);
}

const never = () => () => {};

function everySecond(look: () => void): () => void {
	const timer = setInterval(look, 1_000);
	return () => clearInterval(timer);
}

/** Returns when an unlocked read-only site locks again; `null` while it is locked. */
export function unlockedUntil(site: SiteView, now: Millis): Millis | null {
	return site.unlockedUntil !== null && site.unlockedUntil > now ? site.unlockedUntil : null;
}

/** Reason why an operation is unavailable. For `tooOld`, `component` is the one whose version is too old. */
type Obstacle =
	| Exclude<UnavailableReason, { kind: "tooOld" }>
	| (Extract<UnavailableReason, { kind: "tooOld" }> & { component: Component });

/** An obstacle, or that the site is read-only and locked. */
export type Hindrance = Obstacle | { kind: "readOnly" };

export function unavailableReason(session: SessionView | null | undefined, key: OperationKey): Obstacle | null {
	return obstacleOf(key, session?.operations.find((one) => one.operation === key)?.reasons[0]);
}

/**
 * Adds the component of the operation to a version reason: a site has two versions, and the reason does not name which
 * one is meant.
 */
export function obstacleOf(key: OperationKey, reason: UnavailableReason | undefined): Obstacle | null {
	if (reason?.kind !== "tooOld") return reason ?? null;
	const operation = operations.find((one) => one.key === key);
	return { ...reason, component: operation?.component ?? "portal" };
}

/** Returns why an operation is unavailable; `null` if it is available. `readOnly`: whether the site is locked. */
export function hindranceOf(session: SessionView | null, key: OperationKey, readOnly: boolean): Hindrance | null {
	const locked = readOnly && changesSite(key);
	return unavailableReason(session, key) ?? (locked ? { kind: "readOnly" } : null);
}

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
		default:
			return t(`obstacle.${obstacle.kind}`);
	}
}

export function unavailableAdvice(t: TFunction<"common">, obstacle: Hindrance): string {
	if (obstacle.kind === "notOnSite") return t(`obstacle.advice.notOnSite.${obstacle.deploymentType}`);
	if (obstacle.kind === "tooOld") return t(`obstacle.advice.tooOld.${obstacle.component}`);
	const area = obstacle.kind === "noComponent" ? t(`area.${obstacle.component}`) : "";
	return t(`obstacle.advice.${obstacle.kind}`, { area });
}

/**
 * Returns why a parameter is unavailable, because not every version or role supports it; `null` if it is available or
 * nothing is known.
 */
export function unavailableParameter(
	session: SessionView,
	key: OperationKey,
	parameter: GatedParameter,
): Obstacle | null {
	const availability = session.operations.find(({ operation }) => operation === key);
	return obstacleOf(key, availability?.parameters.find((one) => one.parameter === parameter)?.reasons[0]);
}
