import { Button, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type SiteId, useBackend } from "@/bridge";
import { queryKeys } from "@/lib/queries";
import { ProblemNotice } from "./problem-notice";

interface ConfirmAddressProps {
	site: SiteId;
	address: string;
	onConfirmed?: (() => void) | undefined;
}

/** Confirms that this one address belongs to the site. What was not sent is not sent by that. */
export function ConfirmAddress({ site, address, onConfirmed }: ConfirmAddressProps) {
	const { t } = useTranslation("problems");
	const backend = useBackend();
	const queries = useQueryClient();
	const host = URL.parse(address)?.host ?? address;
	const confirm = useMutation({
		mutationFn: () => backend.confirmAddress(site, address),
		onSuccess: async () => {
			await queries.invalidateQueries({ queryKey: queryKeys.sites });
			onConfirmed?.();
		},
	});
	if (confirm.isSuccess) {
		return (
			<Text size="sm" fw={500} role="status">
				{t("unconfirmedAddress.confirmed", { host })}
			</Text>
		);
	}
	return (
		<>
			{confirm.error ? <ProblemNotice problem={confirm.error} /> : null}
			<Button
				size="xs"
				w="fit-content"
				color="red"
				variant="outline"
				loading={confirm.isPending}
				onClick={() => confirm.mutate()}
			>
				{t("unconfirmedAddress.confirm", { host })}
			</Button>
		</>
	);
}
