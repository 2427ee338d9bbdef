import { Button, Group, Stack, Text } from "@mantine/core";
import { IconUser } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type PracticeUser, useBackend } from "@/bridge";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { Small } from "@/components/text";
import { takeSession, usePractice } from "@/lib/queries/program";
import { usePracticeStart } from "@/lib/use-practice-start";

/** Users of the practice site by role. No password is required; the practice page can show it. */
export function PracticeSignIn({ onDone }: { onDone?: () => void }) {
	const { t } = useTranslation("practice");
	const practice = usePractice();
	const enter = useEnter(onDone);
	if (practice.isPending) return <LoadingRows rows={3} height={44} />;
	if (practice.error) return <ProblemNotice problem={practice.error} onRetry={() => void practice.refetch()} />;
	if (!practice.data) return <Stopped {...(onDone ? { onDone } : {})} />;
	return (
		<Stack gap="sm">
			<Text>{t("signIn.intro")}</Text>
			<Stack gap="xs" role="group" aria-label={t("signIn.people")}>
				{practice.data.users.map((user) => (
					<Person
						key={user.username}
						user={user}
						busy={enter.isPending && enter.variables === user.username}
						onChoose={() => enter.mutate(user.username)}
					/>
				))}
			</Stack>
			<ProblemNotice problem={enter.error} />
		</Stack>
	);
}

function useEnter(onDone?: () => void) {
	const backend = useBackend();
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (username: string) => backend.signInToPractice(username),
		onSuccess: async (session) => {
			await takeSession(queries, session);
			onDone?.();
		},
	});
}

const roleTexts = {
	administrator: "signIn.administrator",
	publisher: "signIn.publisher",
	"data-updater": "signIn.dataUpdater",
	"feature-editor": "signIn.featureEditor",
	geoprocessor: "signIn.geoprocessor",
	viewer: "signIn.viewer",
} as const;

function Person({ user, busy, onChoose }: { user: PracticeUser; busy: boolean; onChoose: () => void }) {
	const { t } = useTranslation("practice");
	return (
		<Button
			h="auto"
			py="xs"
			justify="flex-start"
			styles={{ label: { whiteSpace: "normal", textAlign: "start" } }}
			loading={busy}
			onClick={onChoose}
		>
			<Group gap="sm" wrap="nowrap">
				<IconUser size={18} stroke={1.5} aria-hidden />
				<Stack gap={0} align="flex-start">
					<Text fw={600}>{user.username}</Text>
					<Small>{user.role in roleTexts ? t(roleTexts[user.role as keyof typeof roleTexts]) : user.role}</Small>
				</Stack>
			</Group>
		</Button>
	);
}

function Stopped({ onDone }: { onDone?: () => void }) {
	const { t } = useTranslation("practice");
	const start = usePracticeStart();
	return (
		<Stack gap="sm" align="flex-start">
			<Text>{t("signIn.stopped")}</Text>
			<Button
				variant="filled"
				loading={start.isPending}
				onClick={() => start.mutate("go", { onSuccess: () => onDone?.() })}
			>
				{t("signIn.start")}
			</Button>
			<ProblemNotice problem={start.error} />
		</Stack>
	);
}
