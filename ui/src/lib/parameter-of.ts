import type { Parameter } from "@/bridge";

/** Returns the value of a parameter by its name in the request; empty if it was not sent. */
export function parameterOf(parameters: readonly Parameter[], name: string): string {
	return parameters.find((one) => one.name === name)?.value ?? "";
}
