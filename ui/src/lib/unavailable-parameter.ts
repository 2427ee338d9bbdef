import type { GatedParameter, OperationKey, SessionView } from "@/bridge";
import { type Obstacle, obstacleOf } from "./unavailable-text";

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
