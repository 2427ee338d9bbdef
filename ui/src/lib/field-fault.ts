import type { Fault, Problem } from "@/bridge";

/** The fault and its field, when the problem names a field that this form has. */
export function fieldFault<F extends object>(
	problem: Problem | null,
	form: F,
): { field: keyof F & string; fault: Fault } | null {
	if (problem?.kind !== "form" || !Object.hasOwn(form, problem.field)) return null;
	return { field: problem.field as keyof F & string, fault: problem.fault };
}
