import type { FieldError, Problem } from "@/bridge";

/** The fault and its field, when the problem names a field that this form has, as in `servers.0.address`. */
export function fieldFault<F extends object>(
	problem: Problem | null,
	form: F,
): { field: keyof F & string; fault: FieldError } | null {
	if (problem?.kind !== "form" || !has(form, problem.field.split("."))) return null;
	return { field: problem.field as keyof F & string, fault: problem.fault };
}

function has(form: unknown, [first, ...rest]: string[]): boolean {
	if (first === undefined) return true;
	if (typeof form !== "object" || form === null || !Object.hasOwn(form, first)) return false;
	return has((form as Record<string, unknown>)[first], rest);
}
