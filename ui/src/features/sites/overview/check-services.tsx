import { Button, Group, Stack } from "@mantine/core";
import { IconStethoscope } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type SiteView, useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { ServiceVerdict } from "@/components/service-verdict";
import { queryKeys } from "@/lib/queries";

/** Checks on request whether the services of the server run. It only reads. */
export function CheckServices({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites", { keyPrefix: "serviceCheck" });
	const backend = useBackend();
	// The button alone sends it. The result is still there when the user returns to the page.
	const check = useQuery({
		queryKey: queryKeys.serviceCheck(site.id, site.currentServer),
		queryFn: () => backend.checkServices(site.id),
		enabled: false,
	});
	if (site.server === null) return null;
	return (
		<Stack gap="xs">
			<Group>
				<Button
					variant="default"
					loading={check.isFetching}
					leftSection={<IconStethoscope size={16} aria-hidden />}
					onClick={() => void check.refetch()}
				>
					{t("now")}
				</Button>
			</Group>
			{check.error ? <ProblemNotice problem={check.error} /> : null}
			{check.data && !check.error ? <ServiceVerdict site={site.id} check={check.data} /> : null}
		</Stack>
	);
}
