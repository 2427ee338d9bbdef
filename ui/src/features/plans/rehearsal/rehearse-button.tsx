import { Button, Radio, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTestPipe } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BackupPlan, SiteId, SiteView } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { Notice } from "@/components/notice";
import { useNavigation } from "@/lib/navigation";
import { useRehearsals } from "@/lib/queries/plans";
import { useSites } from "@/lib/queries/program";

interface RehearseButtonProps {
	site: SiteView;
	plan: BackupPlan;
	/** Folder name of the set. */
	set: string;
}

/** Button that leads to the rehearsal of a set: the one that was begun, or one on a test site that the user selects. */
export function RehearseButton({ site, plan, set }: RehearseButtonProps) {
	const { t } = useTranslation("rehearsal");
	const { go } = useNavigation();
	const [asking, { open, close }] = useDisclosure(false);
	const [chosen, setChosen] = useState<SiteId | null>(null);
	const sites = (useSites().data ?? []).filter(({ environment }) => environment === "test");
	const begun = useRehearsals().data?.find((one) => one.plan === plan.id && one.set === set);
	const icon = <IconTestPipe size={16} aria-hidden />;
	const lead = (on: SiteId) => go({ page: "rehearsal", site: on, plan: plan.id, set });
	if (begun) {
		return (
			<Button leftSection={icon} onClick={() => lead(begun.site)}>
				{t("continue")}
			</Button>
		);
	}
	const where = chosen ?? sites[0]?.id ?? null;
	return (
		<>
			<Button leftSection={icon} onClick={open}>
				{t("begin")}
			</Button>
			<Dialog
				opened={asking}
				onClose={close}
				title={t("choose.title")}
				confirm={t("choose.confirm")}
				ready={where !== null}
				onConfirm={() => where !== null && lead(where)}
			>
				<Text>{t("choose.body", { site: site.name })}</Text>
				{where === null ? (
					<Notice tone="notSent" title={t("choose.none")}>
						<Text>{t("choose.noneBody")}</Text>
					</Notice>
				) : (
					<Radio.Group label={t("choose.where")} value={where} onChange={setChosen}>
						<Stack gap="xs" pt={6}>
							{sites.map(({ id, name, portal }) => (
								<Radio key={id} value={id} label={name} description={portal ?? ""} />
							))}
						</Stack>
					</Radio.Group>
				)}
			</Dialog>
		</>
	);
}
