import type { Parameter } from "@/bridge";

/** The value of a parameter, by the name it has in the request; empty when it was not sent. */
export function parameterOf(parameters: readonly Parameter[], name: string): string {
	return parameters.find((one) => one.name === name)?.value ?? "";
}
