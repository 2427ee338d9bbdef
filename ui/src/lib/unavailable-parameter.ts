import type { GatedParameter, OperationKey, SessionView } from "@/bridge";
import { type Obstacle, obstacleOf } from "./unavailable-text";

/** What stands in the way of a parameter that not every site knows; `null` when nothing is known to. */
export function unavailableParameter(
	session: SessionView,
	key: OperationKey,
	parameter: GatedParameter,
): Obstacle | null {
	const availability = session.operations.find(({ operation }) => operation === key);
	return obstacleOf(key, availability?.parameters.find((one) => one.parameter === parameter)?.reasons[0]);
}
