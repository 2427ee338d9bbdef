import { Button, Group, Stack } from "@mantine/core";
import { IconStethoscope } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type SiteView, useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { ServiceVerdict } from "@/components/service-verdict";

/** Checks on request whether the services of the server run. It only reads. */
export function CheckServices({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites", { keyPrefix: "serviceCheck" });
	const backend = useBackend();
	const check = useMutation({ mutationFn: () => backend.checkServices(site.id) });
	if (site.server === null) return null;
	return (
		<Stack gap="xs">
			<Group>
				<Button
					variant="default"
					loading={check.isPending}
					leftSection={<IconStethoscope size={16} aria-hidden />}
					onClick={() => check.mutate()}
				>
					{t("now")}
				</Button>
			</Group>
			{check.error ? <ProblemNotice problem={check.error} /> : null}
			{check.data ? <ServiceVerdict site={site.id} check={check.data} /> : null}
		</Stack>
	);
}
