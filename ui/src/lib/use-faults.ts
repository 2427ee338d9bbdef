import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import type { FieldError } from "@/bridge";

/** Puts the words for the faults that the program found under the fields of a form, and goes to the first. */
export function useFaults<V extends object>(
	form: Pick<UseFormReturnType<V>, "setErrors" | "getInputNode">,
	faults: Readonly<Record<string, FieldError>>,
): void {
	const { t } = useTranslation();
	const show = useEffectEvent((wrong: [string, FieldError][]) => {
		form.setErrors(Object.fromEntries(wrong.map(([field, fault]) => [field, t(`fault.${fault}`)])));
		const first = wrong[0];
		if (first) form.getInputNode(first[0])?.focus();
	});
	useEffect(() => show(Object.entries(faults)), [faults]);
}
