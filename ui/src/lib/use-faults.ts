import type { UseFormReturnType } from "@mantine/form";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Fault } from "@/bridge";

/** Puts the words for the faults that the program found under the fields of a form, and goes to the first. */
export function useFaults<V extends object>(
	form: Pick<UseFormReturnType<V>, "setErrors" | "getInputNode">,
	faults: Readonly<Record<string, Fault>>,
): void {
	const { t } = useTranslation();
	// biome-ignore lint/correctness/useExhaustiveDependencies: the form is another object at every key press
	useEffect(() => {
		const wrong = Object.entries(faults);
		form.setErrors(Object.fromEntries(wrong.map(([field, fault]) => [field, t(`fault.${fault}`)])));
		const first = wrong[0];
		if (first) form.getInputNode(first[0])?.focus();
	}, [faults]);
}
