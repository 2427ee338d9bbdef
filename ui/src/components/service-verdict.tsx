import { Stack, Table, Text } from "@mantine/core";
import { IconCircleX, IconPlayerStop } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { NotRunning, ServiceCheck, Target } from "@/bridge";
import { WithIcon } from "@/components/outcome";
import { Breakable, Time } from "@/components/text";
import { isFailed, toneOfCheck } from "@/lib/service-state";
import { Notice } from "./notice";
import { ServiceData } from "./service-data";
import { Heads } from "./wide-table";

/** Maximum number of services that are named; further ones are counted. */
const namedServices = 10;

interface ServiceVerdictProps {
	target: Target;
	check: ServiceCheck;
	/** Earlier checks, oldest first. */
	earlier?: readonly ServiceCheck[];
	/** Shown below the services that do not run. */
	children?: ReactNode;
}

/** Notice about a check: whether all services that are set to run do so, and which do not. */
export function ServiceVerdict(props: ServiceVerdictProps) {
	const title = useServiceCount()(props.check);
	return (
		<Notice tone={toneOfCheck(props.check)} role="status" title={title}>
			<ServiceFacts {...props} />
		</Notice>
	);
}

/** Returns a function that counts the running services. */
export function useServiceCount(): (check: ServiceCheck) => string {
	const { t } = useTranslation("sites", { keyPrefix: "serviceCheck" });
	return ({ running, shouldRun, unknown = 0 }) => {
		if (shouldRun === 0) return unknown > 0 ? t("unknown", { count: unknown }) : t("none");
		return t("running", { count: shouldRun, running, total: shouldRun });
	};
}

/** Facts of a check: its time, the services that do not run, and what could not be checked. */
export function ServiceFacts({ target, check, earlier = [], children }: ServiceVerdictProps) {
	const { t } = useTranslation("sites", { keyPrefix: "serviceCheck" });
	const { notRunning, unknown = 0, unlisted = [] } = check;
	const others = check.services - check.shouldRun - unknown;
	// Failed services come first; a stopped service might be stopped on purpose.
	const worstFirst = [...notRunning.filter(isFailed), ...notRunning.filter((one) => !isFailed(one))];
	return (
		<>
			<Text c="dimmed">
				{t("checked")} <Time at={check.checkedAt} />
			</Text>
			{notRunning.length === 0 ? null : (
				<Table.ScrollContainer minWidth={480}>
					<Table aria-label={t("table")} verticalSpacing={4}>
						<Heads
							of={[
								t("column.service"),
								[t("column.state"), { w: 110 }],
								[t("column.since"), { w: 150 }],
								[t("column.needs"), { w: "34%" }],
							]}
						/>
						<Table.Tbody>
							{worstFirst.slice(0, namedServices).map((one) => (
								<Table.Tr key={one.service}>
									<Table.Th fw={400} scope="row" mod="anywhere">
										<Breakable>{one.service}</Breakable>
									</Table.Th>
									<Table.Td>
										<State of={one} />
									</Table.Td>
									<Table.Td>
										<Time at={since(one, [...earlier, check])} />
									</Table.Td>
									<Table.Td>
										<ServiceData target={target} service={one.service} />
									</Table.Td>
								</Table.Tr>
							))}
						</Table.Tbody>
					</Table>
				</Table.ScrollContainer>
			)}
			{notRunning.length > namedServices ? (
				<Text>{t("more", { count: notRunning.length - namedServices })}</Text>
			) : null}
			{unknown > 0 ? <Text>{t("unknown", { count: unknown })}</Text> : null}
			{unlisted.map((folder) => (
				<Text key={folder} mod="anywhere">
					{t("unlisted", { folder })}
				</Text>
			))}
			{others > 0 ? <Text>{t("others", { count: others })}</Text> : null}
			{children ? <Stack gap="xs">{children}</Stack> : null}
		</>
	);
}

function State({ of: { state } }: { of: NotRunning }) {
	const failed = isFailed({ state });
	return (
		<WithIcon icon={failed ? IconCircleX : IconPlayerStop} color={`var(--tone-${failed ? "failed" : "notSent"})`}>
			{state}
		</WithIcon>
	);
}

/** Returns the time of the first check since which a service has been in the same state without a change. */
function since({ service, state }: NotRunning, checks: readonly ServiceCheck[]): number {
	const wasSo = (check: ServiceCheck) => check.notRunning.some((one) => one.service === service && one.state === state);
	const other = checks.findLastIndex((check) => !wasSo(check));
	return (checks[other + 1] ?? checks[checks.length - 1])?.checkedAt ?? 0;
}
