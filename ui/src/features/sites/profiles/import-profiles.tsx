import { Button, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useBackend } from "@/bridge";
import { LoadingRows } from "@/components/loading-rows";
import { ProblemNotice } from "@/components/problem-notice";
import { whenShown } from "@/lib/when-shown";

const ProfileTable = whenShown(async () => (await import("./profile-table")).ProfileTable);

/** Sites from a file: first what is in it, then those that the person picks. */
export function ImportProfiles({ opened, onClose }: { opened: boolean; onClose: () => void }) {
	const { t } = useTranslation("sites");
	return (
		<Modal
			opened={opened}
			onClose={onClose}
			size={820}
			title={t("profiles.importTitle")}
			closeButtonProps={{ "aria-label": t("close") }}
		>
			<Chosen onClose={onClose} />
		</Modal>
	);
}

function Chosen({ onClose }: { onClose: () => void }) {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	const open = useMutation({ mutationFn: () => backend.openProfiles() });
	const file = open.data;
	if (file?.kind === "read" && file.profiles.length > 0) {
		return (
			<Suspense fallback={<LoadingRows />}>
				<ProfileTable path={file.path} profiles={file.profiles} onClose={onClose} />
			</Suspense>
		);
	}
	return (
		<Stack align="flex-start">
			<Text size="sm">{t("profiles.importHint")}</Text>
			{file && file.kind !== "dismissed" ? (
				<Text size="sm" role="alert" fw={500} style={{ overflowWrap: "anywhere" }}>
					{t(`profiles.${file.kind === "read" ? "empty" : file.kind}`, { path: file.path })}
				</Text>
			) : null}
			{open.error ? <ProblemNotice problem={open.error} /> : null}
			<Button loading={open.isPending} onClick={() => open.mutate()} data-autofocus>
				{t("profiles.choose")}
			</Button>
		</Stack>
	);
}
