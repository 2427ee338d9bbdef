import { Modal } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { LoadingRows } from "@/components/loading-rows";

// The texts are long, and hardly ever read.
const LicenceList = lazy(() => import("./licence-list"));

/** What the program is made of, and under which licences. */
export function Licences({ opened, onClose }: { opened: boolean; onClose: () => void }) {
	const { t } = useTranslation();
	return (
		<Modal
			opened={opened}
			onClose={onClose}
			size="xl"
			title={t("settings.licencesTitle")}
			closeButtonProps={{ "aria-label": t("action.close") }}
		>
			<Suspense fallback={<LoadingRows rows={8} />}>
				<LicenceList />
			</Suspense>
		</Modal>
	);
}
