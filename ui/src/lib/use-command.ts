import { useMutation } from "@tanstack/react-query";
import { type Backend, type Problem, useBackend } from "@/bridge";
import { keptBriefly } from "./kept-briefly";
import { useStale } from "./stale";

/** What is done with the answer of a command. */
interface Answered<T> {
	onDone?: (answer: T) => void;
	onFailed?: (problem: Problem) => void;
}

/**
 * Sends a command. What it makes stale by the table is read again before it counts as done, whatever becomes of its page, and
 * after a failure as well: the command might have had an effect. `onDone` and `onFailed` are not called any more once the
 * component has gone, or was reset: they would act on another page or dialog.
 */
export function useCommand<T, A = void>(
	send: (backend: Backend, form: A) => Promise<T>,
	makeStale: (stale: ReturnType<typeof useStale>, form: A) => unknown,
	{ onDone, onFailed }: Answered<T> = {},
) {
	const backend = useBackend();
	const stale = useStale();
	const { mutate, ...command } = useMutation<T, Problem, A>({
		mutationFn: (form) => send(backend, form),
		gcTime: keptBriefly,
		onSettled: (_answer, _problem, form) => makeStale(stale, form),
	});
	return {
		...command,
		mutate: (form: A) =>
			mutate(form, { onSuccess: (answer) => onDone?.(answer), onError: (problem) => onFailed?.(problem) }),
	};
}
