import type { TFunction } from "i18next";
import type { GatedParameter, OperationKey, SessionView } from "@/bridge";
import { type Obstacle, obstacleOf, unavailableText } from "./unavailable-text";

/** What stands in the way of a parameter that not every site knows; `null` when nothing is known to. */
export function unavailableParameter(
	session: SessionView,
	key: OperationKey,
	parameter: GatedParameter,
): Obstacle | null {
	const availability = session.operations.find(({ operation }) => operation === key);
	return obstacleOf(key, availability?.parameters.find((one) => one.parameter === parameter)?.reasons[0]);
}

/** For an input: disabled, with the reason as its description, where the site does not know the parameter. */
export function gatedInput(
	t: TFunction<"common">,
	session: SessionView,
	key: OperationKey,
	parameter: GatedParameter,
): { disabled?: true; description?: string } {
	const obstacle = unavailableParameter(session, key, parameter);
	return obstacle ? { disabled: true, description: unavailableText(t, obstacle) } : {};
}
