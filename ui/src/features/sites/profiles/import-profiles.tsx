import { Text } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { Problem, ProfileFile } from "@/bridge";
import { DialogForm, DialogFrame } from "@/components/dialog";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { formatList } from "@/lib/format";
import { useCommand } from "@/lib/use-command";
import { whenShown } from "@/lib/when-shown";

const ProfileTable = whenShown(async () => (await import("./profile-table")).ProfileTable);

/** Imports site profiles: shows the contents of a file, and adds the selected ones. */
export function ImportProfiles({ opened, onClose }: { opened: boolean; onClose: () => void }) {
	const { t } = useTranslation("sites");
	const open = useCommand((backend) => backend.openProfiles());
	const hasTable = open.data?.kind === "read" && open.data.profiles.length > 0;
	return (
		<DialogFrame
			opened={opened}
			onClose={onClose}
			// The next time, a file is selected anew.
			onExitTransitionEnd={open.reset}
			size={hasTable ? 820 : "lg"}
			title={t("profiles.importTitle")}
		>
			<Chosen open={open} onClose={onClose} />
		</DialogFrame>
	);
}

function Chosen({ open, onClose }: { open: UseMutationResult<ProfileFile, Problem, void>; onClose: () => void }) {
	const { t } = useTranslation("sites");
	const file = open.data;
	if (file?.kind === "read" && file.profiles.length > 0) {
		return (
			<Suspense fallback={<LoadingRows />}>
				<Damaged names={file.damaged} />
				<ProfileTable path={file.path} profiles={file.profiles} onClose={onClose} />
			</Suspense>
		);
	}
	return (
		<DialogForm onClose={onClose} confirm={t("profiles.choose")} busy={open.isPending} onConfirm={() => open.mutate()}>
			<Text>{t("profiles.importHint")}</Text>
			{file?.kind === "read" && file.damaged.length > 0 ? (
				<Damaged names={file.damaged} />
			) : file && file.kind !== "dismissed" ? (
				<Text role="alert" fw={600} mod="anywhere">
					{t(`profiles.${file.kind === "read" ? "empty" : file.kind}`, { path: file.path })}
				</Text>
			) : null}
			<ProblemNotice problem={open.error} />
		</DialogForm>
	);
}

/** Names the profiles of a file that cannot be read. */
function Damaged({ names }: { names: string[] }) {
	const { t } = useTranslation("sites");
	if (names.length === 0) return null;
	return (
		<Text role="alert" fw={600} mb="sm" mod="anywhere">
			{t("profiles.damaged", {
				count: names.length,
				names: formatList(names.map((name) => (name === "" ? t("profiles.nameless") : name))),
			})}
		</Text>
	);
}
