import type { UseFormReturnType } from "@mantine/form";
import type { TFunction } from "i18next";
import { createElement, type ReactElement, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldError, Problem } from "@/bridge";

/** Returns the text of a field's fault; `null` if the problem is about something else. */
export function faultText(t: TFunction<"common">, problem: Problem | null, field: string): string | null {
	return problem?.kind === "form" && problem.field === field ? t(`fault.${problem.fault}`) : null;
}

/** Returns a fault as a form error. It is translated at render time, so that it follows a change of the language. */
export function faultOf(fault: FieldError): ReactElement {
	return createElement(FaultText, { fault });
}

function FaultText({ fault }: { fault: FieldError }): string {
	const { t } = useTranslation();
	return t(`fault.${fault}`);
}

/**
 * Shows a fault that the backend found below its field in `form`, and focuses the field. Returns the problem if no
 * field shows it: it is no form fault, or its field is not on screen.
 *
 * Fields have the path of their value in `data-path`. Components without `form` use {@link faultText}. `fieldOf` returns
 * the field of the form for one of the backend, where their names differ.
 */
export function useFormFaults<V extends object>(
	problem: Problem | null,
	form?: Pick<UseFormReturnType<V>, "setErrors"> & Partial<Pick<UseFormReturnType<V>, "getInputNode">>,
	fieldOf = (field: string) => field,
): Problem | null {
	const field = problem?.kind === "form" ? fieldOf(problem.field) : null;
	const [unshown, setUnshown] = useState<Problem | null>(null);
	const show = useEffectEvent(() => {
		if (problem?.kind === "form" && field !== null) form?.setErrors({ [field]: faultOf(problem.fault) });
	});
	const focusField = useEffectEvent(() => {
		// A form behind a dialog might have a field of the same name. A form with a `name` finds its own field.
		const shown = form?.getInputNode
			? form.getInputNode(field ?? "")
			: document.querySelector<HTMLElement>(`[data-path="${field}"]`);
		setUnshown(shown ? null : problem);
		if (form) shown?.focus();
		return shown !== null;
	});
	useEffect(() => {
		if (problem?.kind !== "form") return;
		show();
		// A collapsed section expands for its field: before the next frame, or later on a busy computer.
		const opening = new MutationObserver(() => {
			if (focusField()) opening.disconnect();
		});
		const frame = requestAnimationFrame(() => {
			if (!focusField()) opening.observe(document.body, { childList: true, subtree: true });
		});
		return () => {
			cancelAnimationFrame(frame);
			opening.disconnect();
		};
	}, [problem]);
	return field === null || unshown === problem ? problem : null;
}

/** Returns the label of a field and its description, whose message has the key of the label and `Hint`. */
export function labelled<Key extends string>(t: (key: Key | `${Key}Hint`) => string, key: Key) {
	return { label: t(key), description: t(`${key}Hint`) };
}
