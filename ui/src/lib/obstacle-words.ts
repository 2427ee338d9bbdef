import type { TFunction } from "i18next";
import type { Key, Obstacle, SessionView } from "@/bridge";

export function obstacleOf(session: SessionView | null | undefined, key: Key): Obstacle | null {
	return session?.operations.find((one) => one.operation === key)?.obstacles[0] ?? null;
}

/** The reason in one short sentence. */
export function obstacleWords(t: TFunction<"common">, obstacle: Obstacle): string {
	switch (obstacle.kind) {
		case "tooOld":
			return t("obstacle.tooOld", { needs: obstacle.needs, has: obstacle.has });
		case "noArea":
			return t("obstacle.noArea", { area: t(`area.${obstacle.area}`) });
		case "role":
			return t("obstacle.role", { capability: t(`capability.${obstacle.needs}`) });
		case "notOnSite":
			return t("obstacle.notOnSite", { flavour: t(`flavour.${obstacle.flavour}`) });
		case "notOnServer":
			return t("obstacle.notOnServer", {
				server: obstacle.server.kind === "other" ? obstacle.server.name : t(`serverKind.${obstacle.server.kind}`),
			});
		case "noDirectAddress":
			return t("obstacle.noDirectAddress");
	}
}

/** What to do about it. */
export function obstacleAdvice(t: TFunction<"common">, obstacle: Obstacle): string {
	const area = obstacle.kind === "noArea" ? t(`area.${obstacle.area}`) : "";
	return t(`obstacle.advice.${obstacle.kind}`, { area });
}
