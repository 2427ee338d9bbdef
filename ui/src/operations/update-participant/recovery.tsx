import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { RecoveryNotice } from "@/components/recovery-notice";
import { useBring } from "@/lib/brought";
import type { RecoveryProps } from "@/lib/operation-ui";
import { contactBefore } from "./previous-contact";

/** Button that opens the form with the replaced contact. */
export function Recovery({ entry, site }: RecoveryProps) {
	const { t } = useTranslation("history");
	const bring = useBring();
	const before = contactBefore(entry);
	if (!before) return null;
	const { contact, parameters } = before;
	return (
		<RecoveryNotice title={t("details.recovery.restore")} text={t("details.recovery.restoreWhat", { contact })}>
			<Button
				onClick={() =>
					bring({ site: site.id, server: entry.server }, "update_participant", { parameters, sentAt: null })
				}
			>
				{t("details.recovery.restoreDo")}
			</Button>
		</RecoveryNotice>
	);
}
