import type { UseFormReturnType } from "@mantine/form";
import type { TFunction } from "i18next";
import { createElement, type ReactElement, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldError, Problem } from "@/bridge";

/** The text of the fault of a field; `null` if the problem is not about it. */
export function faultText(t: TFunction<"common">, problem: Problem | null, field: string): string | null {
	return problem?.kind === "form" && problem.field === field ? t(`fault.${problem.fault}`) : null;
}

/** A fault as a form keeps it for a field: its text is made as it is drawn, in the language of the window then. */
export function faultOf(fault: FieldError): ReactElement {
	return createElement(FaultText, { fault });
}

function FaultText({ fault }: { fault: FieldError }): string {
	const { t } = useTranslation();
	return t(`fault.${fault}`);
}

/**
 * Shows a fault that the program found at its field: puts the text under the field of `form`, and goes there. Returns
 * what no field shows, for a notice: every other problem, and a fault whose field is not on screen. Fields have the name
 * of their value in `data-path`. A form without `form` takes the text from {@link faultText}.
 */
export function useFormFaults<V extends object>(
	problem: Problem | null,
	form?: Pick<UseFormReturnType<V>, "setErrors"> & Partial<Pick<UseFormReturnType<V>, "getInputNode">>,
): Problem | null {
	const field = problem?.kind === "form" ? problem.field : null;
	const [unshown, setUnshown] = useState<Problem | null>(null);
	const show = useEffectEvent(() => {
		if (problem?.kind !== "form") return;
		form?.setErrors({ [problem.field]: faultOf(problem.fault) });
	});
	/** Returns whether the field is on screen. */
	const settle = useEffectEvent(() => {
		// Behind a dialog may be another form that has a field of this name: a form with a `name` finds its own.
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
		// A part that is folded opens for its field first: before the next frame, or later where the computer is busy.
		const opening = new MutationObserver(() => {
			if (settle()) opening.disconnect();
		});
		const frame = requestAnimationFrame(() => {
			if (!settle()) opening.observe(document.body, { childList: true, subtree: true });
		});
		return () => {
			cancelAnimationFrame(frame);
			opening.disconnect();
		};
	}, [problem]);
	return field === null || unshown === problem ? problem : null;
}
