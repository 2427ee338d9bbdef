import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type SiteView, useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { useNavigation } from "@/lib/navigation";
import { queryKeys } from "@/lib/queries";

export function RemoveSite({ site, onClose }: { site: SiteView | null; onClose: () => void }) {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	const queries = useQueryClient();
	const { leave } = useNavigation();
	const remove = useMutation({
		mutationFn: ({ id }: SiteView) => backend.removeSite(id),
		onSuccess: async (_, { id }) => {
			leave(id);
			queries.removeQueries({ queryKey: ["site", id] });
			onClose();
			await queries.invalidateQueries({ queryKey: queryKeys.sites });
		},
	});
	return (
		<Modal
			opened={site !== null}
			onClose={onClose}
			title={t("remove.title", { site: site?.name ?? "" })}
			closeButtonProps={{ "aria-label": t("close") }}
		>
			<Stack>
				<Text size="sm">{t("remove.body")}</Text>
				{remove.error ? <ProblemNotice problem={remove.error} /> : null}
				<Group justify="flex-end" gap="xs">
					<Button variant="default" onClick={onClose} data-autofocus>
						{t("cancel")}
					</Button>
					<Button color="red" loading={remove.isPending} onClick={() => site && remove.mutate(site)}>
						{t("remove.confirm")}
					</Button>
				</Group>
			</Stack>
		</Modal>
	);
}
