import { type QueryKey, useMutation } from "@tanstack/react-query";
import { type Backend, type Problem, useBackend } from "@/bridge";
import { useStale } from "./stale";

interface Answered<T, A> {
	/** Query of which the answer is the new data. */
	answers?: QueryKey;
	onDone?: (answer: T, form: A) => void;
	onFailed?: (problem: Problem) => void;
}

/**
 * Sends a command. `makeStale`: `null` for one that only reads.
 *
 * The queries it makes stale are invalidated even if the component is gone, and also after a failure, because the
 * command might have had an effect. `onDone` and `onFailed` are not called after the component unmounted or was reset:
 * they would affect another page or dialog.
 */
export function useCommand<T, A = void>(
	send: (backend: Backend, form: A) => Promise<T>,
	makeStale: ((stale: ReturnType<typeof useStale>, form: A) => unknown) | null = null,
	{ answers, onDone, onFailed }: Answered<T, A> = {},
) {
	const backend = useBackend();
	const stale = useStale();
	const { mutate, ...command } = useMutation<T, Problem, A>({
		mutationFn: (form) => send(backend, form),
		gcTime: keptBriefly,
		onSuccess: (answer, _form, _before, { client }) => {
			if (answers) client.setQueryData(answers, answer);
		},
		onSettled: (_answer, _problem, form) => makeStale?.(stale, form),
	});
	return {
		...command,
		mutate: (form: A) =>
			mutate(form, { onSuccess: (answer) => onDone?.(answer, form), onError: (problem) => onFailed?.(problem) }),
	};
}

/**
 * Time for which the query library keeps a command and its response after their component is gone, in milliseconds.
 * Short, because both can hold secrets; not zero, because the query library would then poll a command that is still
 * running without a pause.
 */
export const keptBriefly = 1_000;
