import { type UseFormInput, type UseFormReturnType, useForm } from "@mantine/form";
import { type DraftKey, useDraft } from "./drafts";

interface KeptFormInput<V extends object> extends Pick<UseFormInput<V>, "validate"> {
	initialValues: V;
	/** Values that are not stored: secrets, and what is entered each time. */
	unkept?: Partial<V>;
}

/**
 * Form that restores its values when the user returns to its page, except `unkept`. `forget` removes them, for example
 * when they were sent.
 */
export function useKeptForm<V extends object>(
	key: DraftKey<V>,
	{ initialValues, unkept = {}, ...input }: KeptFormInput<V>,
): UseFormReturnType<V> & { forget: () => void } {
	const { kept, keep } = useDraft(key);
	const form = useForm<V>({
		...input,
		initialValues: kept ?? initialValues,
		onValuesChange: (values) => keep({ ...values, ...unkept }),
	});
	return { ...form, forget: () => keep(null) };
}
