import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { IconFlask } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/bridge";
import { ProblemNotice } from "@/components/notice";
import { Heading } from "@/components/text";
import { usePractice } from "@/lib/queries/program";
import { usePracticeStart } from "@/lib/use-practice-start";
import classes from "./practice-offer.module.css";

/** Button that starts or opens the practice site. `prominent`: for the welcome page. */
export function PracticeOffer({ prominent = false }: { prominent?: boolean }) {
	const { t } = useTranslation("practice");
	const running = usePractice().data != null;
	const start = usePracticeStart();
	const button = (
		<Button
			size={prominent ? "sm" : "xs"}
			variant={prominent ? "filled" : "default"}
			loading={start.isPending}
			onClick={() => start.mutate("go")}
			fullWidth={prominent}
			flex="none"
		>
			{running ? t("offer.open") : t("offer.start")}
		</Button>
	);
	const words = (
		<Stack gap={4} flex={1} miw={0}>
			<Group gap="xs">
				<IconFlask size={18} stroke={1.5} aria-hidden />
				<Heading>{t("offer.title")}</Heading>
			</Group>
			<Text c="dimmed">{t("offer.body")}</Text>
		</Stack>
	);
	return (
		<Paper withBorder p="lg" h={prominent ? "100%" : undefined} className={classes.offer ?? ""}>
			<Stack h="100%">
				{prominent ? (
					<>
						{words}
						{button}
					</>
				) : (
					<Group wrap="nowrap" gap="lg">
						{words}
						{button}
					</Group>
				)}
				{start.error ? <ProblemNotice problem={asProblem(start.error)} onRetry={() => start.mutate("go")} /> : null}
			</Stack>
		</Paper>
	);
}
