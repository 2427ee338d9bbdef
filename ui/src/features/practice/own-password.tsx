import { Button, Code, Group } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useBackend } from "@/bridge";
import { CopyButton } from "@/components/copy-button";
import { ProblemNotice } from "@/components/problem-notice";

/** The password of one person of the practice site; in this window only from "show" to "hide". */
export function OwnPassword({ username }: { username: string }) {
	const { t } = useTranslation("practice");
	const backend = useBackend();
	const reveal = useMutation({ mutationFn: () => backend.practicePassword(username), gcTime: 0 });
	if (reveal.error) return <ProblemNotice problem={reveal.error} onRetry={() => reveal.mutate()} />;
	const shown = reveal.data !== undefined;
	const Eye = shown ? IconEyeOff : IconEye;
	return (
		<Group gap="xs" wrap="nowrap" justify="space-between">
			{/* A live region, so that what was asked for is read out. */}
			<Code fz="xs" px="xs" py={6} role="status" style={{ overflowWrap: "anywhere" }}>
				{reveal.data ?? t("own.hidden")}
			</Code>
			<Group gap="xs" wrap="nowrap" flex="none">
				{shown ? <CopyButton value={reveal.data} /> : null}
				<Button
					size="xs"
					variant="default"
					leftSection={<Eye size={14} aria-hidden />}
					loading={reveal.isPending}
					aria-label={t(shown ? "own.hideOf" : "own.showOf", { username })}
					onClick={() => (shown ? reveal.reset() : reveal.mutate())}
				>
					{t(shown ? "own.hide" : "own.show")}
				</Button>
			</Group>
		</Group>
	);
}
