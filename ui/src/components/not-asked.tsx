import { Text } from "@mantine/core";
import type { AskFirst } from "@/lib/use-ask-first";
import { Notice, ProblemNotice } from "./notice";

interface NotAskedProps<T> {
	asking: Pick<AskFirst<T>, "changed" | "problem">;
	/** Title about the changed items. */
	title: (count: number) => string;
	/** Names the changed items and what to do. */
	text: (changed: readonly T[]) => string;
}

/** Explains why a confirmation did not open: the list could not be read again, or has changed. */
export function NotAsked<T>({ asking: { changed, problem }, title, text }: NotAskedProps<T>) {
	return (
		<>
			<ProblemNotice problem={problem} />
			{changed.length > 0 ? (
				<Notice tone="warnings" role="alert" title={title(changed.length)}>
					<Text mod="anywhere">{text(changed)}</Text>
				</Notice>
			) : null}
		</>
	);
}
