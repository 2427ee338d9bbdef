import type { UseFormReturnType } from "@mantine/form";
import type { TFunction } from "i18next";
import {
	createContext,
	createElement,
	type Dispatch,
	type ReactElement,
	type ReactNode,
	type SetStateAction,
	useCallback,
	useContext,
	useEffect,
	useEffectEvent,
	useRef,
	useState,
} from "react";
import { useTranslation } from "react-i18next";
import type { FieldError, Problem, SiteId } from "@/bridge";
import { AccountContext } from "./account";

// Unsent input of forms. It stays in memory only, because forms hold secrets.
const DraftsContext = createContext<Map<string, unknown> | null>(null);

export function DraftsProvider({ children }: { children: ReactNode }) {
	const [drafts] = useState(() => new Map<string, unknown>());
	return <DraftsContext value={drafts}>{children}</DraftsContext>;
}

/** Returns a function that removes all drafts of a site, of every account. */
export function useForgetDrafts(): (site: SiteId) => void {
	const drafts = useContext(DraftsContext);
	return useCallback(
		(site) => {
			for (const key of drafts?.keys() ?? []) if (key.split(" ").includes(site)) drafts?.delete(key);
		},
		[drafts],
	);
}

declare const kept: unique symbol;

/** Key of a draft, with the type of the stored value. */
export type DraftKey<T> = string & { readonly [kept]: (draft: T) => T };

let forms = 0;

/**
 * Returns a function that makes the draft keys of one form, one for each site, record, or other owner. Each call of
 * `draftKey` gives keys of its own, so that two forms never share a draft, and the key carries the type of its draft.
 */
export function draftKey<T>(): (of: string) => DraftKey<T> {
	forms += 1;
	const form = forms;
	return (of) => `${form} ${of}` as DraftKey<T>;
}

/** Reads and writes the draft at a key. On a page of an account, only that account finds it. */
export function useDraft<T>(key: DraftKey<T>): { kept: T | null; keep: (values: T | null) => void } {
	const drafts = useContext(DraftsContext);
	const account = useContext(AccountContext);
	if (!drafts) throw new Error("useDraft needs a DraftsProvider above it");
	const own = account === null ? key : `${key} ${account.site} ${account.username}`;
	const keep = useCallback(
		(values: T | null) => {
			if (values === null) drafts.delete(own);
			else drafts.set(own, values);
		},
		[drafts, own],
	);
	return {
		// Read at access time: a later event must not use the value of an earlier render.
		get kept() {
			return (drafts.get(own) ?? null) as T | null;
		},
		keep,
	};
}

/**
 * State that is restored when the user returns to a page, until the window is closed. What arrives after the page was
 * left is kept as well. With `key` `null`, nothing is stored.
 */
export function useSessionState<T>(key: DraftKey<T> | null, usual: NoInfer<T>): [T, Dispatch<SetStateAction<T>>] {
	const { kept, keep } = useDraft(key ?? ("" as DraftKey<T>));
	const [value, setValue] = useState<T>(kept ?? usual);
	const latest = useRef(value);
	const set = useCallback(
		(next: SetStateAction<T>) => {
			latest.current = typeof next === "function" ? (next as (before: T) => T)(latest.current) : next;
			if (key !== null) keep(latest.current);
			setValue(latest.current);
		},
		[key, keep],
	);
	return [value, set];
}

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
 * Fields have the path of their value in `data-path`. Components without `form` use {@link faultText}. `fieldOf`
 * returns the field of the form for one of the backend, where their names differ.
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
