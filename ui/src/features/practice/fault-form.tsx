import { Checkbox, Group, List, NumberInput, Radio, Select, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type Backend,
	type FaultRule,
	type FaultTarget,
	type GuidedTourView,
	type InjectedFault,
	type OperationKey,
	operations,
} from "@/bridge";
import { CommandButton, LoadingRows, ProblemNotice } from "@/components/notice";
import { Outcome } from "@/components/outcome";
import { Card } from "@/components/page";
import { SubmitButton, SubmitForm } from "@/components/submit-form";
import { labelled } from "@/lib/drafts";
import { formatDuration } from "@/lib/format";
import { queryKeys } from "@/lib/queries/keys";
import { useActiveFaults, useSites } from "@/lib/queries/program";
import { useCommand } from "@/lib/use-command";
import { operationUis } from "@/operations";

/** Values of the form. A number is a string while the field is empty. */
type Order = Omit<FaultRule, "times" | "seconds"> & Record<"times" | "seconds", number | string>;

const first: Order = {
	fault: "delay",
	// The operation that replaces a site: its failures are the most serious.
	target: (operations.find(({ impact }) => impact === "replaces") ?? operations[0]).key,
	times: 1,
	seconds: 10,
	after: false,
};

/** Form that adds a simulated fault: which one, to what, and how often. */
export function FaultForm() {
	const { t } = useTranslation("faultInjection");
	const targetWords = useTargetText();
	const [order, setOrder] = useState(first);
	const send = useFaultAction((backend, wanted: FaultRule) => backend.addFault(wanted));
	const hasTestSite = useSites().data?.some(({ id }) => id === "practice-test") ?? false;
	const active = useActiveFaults().data?.length ?? 0;
	const change = (some: Partial<Order>) => setOrder({ ...order, ...some });
	const choose = (fault: InjectedFault) => {
		const possible = targetsOf(fault);
		const target = possible.includes(order.target) ? order.target : (possible[0] ?? order.target);
		change({ fault: fault, target, after: order.after && losesAnswer(fault) });
	};
	const submit = (event: FormEvent) => {
		event.preventDefault();
		send.mutate({ ...order, times: Number(order.times) || 1, seconds: Number(order.seconds) || 1 });
	};
	return (
		<Card title={t("order.title")}>
			<Stack component={SubmitForm} onSubmit={submit}>
				<Radio.Group label={t("order.fault")} value={order.fault} onChange={(fault) => choose(fault as InjectedFault)}>
					<SimpleGrid type="container" cols={{ base: 1, "24em": 2 }} spacing="lg" verticalSpacing="xs" pt={6}>
						{faults.map((fault) => (
							<Radio
								key={fault}
								value={fault}
								label={t(`fault.${fault}.name`)}
								description={t(`fault.${fault}.what`)}
							/>
						))}
					</SimpleGrid>
				</Radio.Group>
				<Group align="flex-end">
					<Select
						w={300}
						label={t("order.target")}
						data={targetsOf(order.fault).map((target) => ({ value: target, label: targetWords(target) }))}
						value={order.target}
						onChange={(target) => target && change({ target })}
					/>
					<NumberInput
						w={140}
						label={t("order.times")}
						min={1}
						max={1000}
						data-path="times"
						value={order.times}
						onChange={(times) => change({ times })}
					/>
					{order.fault === "delay" || order.fault === "indexLags" ? (
						<NumberInput
							w={180}
							label={t(order.fault === "delay" ? "order.seconds" : "order.pace")}
							min={1}
							max={3600}
							data-path="seconds"
							value={order.seconds}
							onChange={(seconds) => change({ seconds })}
						/>
					) : null}
				</Group>
				{losesAnswer(order.fault) ? (
					<Checkbox
						{...labelled(t, "order.after")}
						checked={order.after}
						onChange={(event) => change({ after: event.currentTarget.checked })}
					/>
				) : null}
				{hasTestSite ? (
					<Checkbox
						label={t("order.onTest")}
						checked={order.onTest ?? false}
						onChange={(event) => change({ onTest: event.currentTarget.checked })}
					/>
				) : null}
				<SubmitButton loading={send.isPending} leftSection={<IconBolt size={16} aria-hidden />} w="fit-content">
					{t("order.submit")}
				</SubmitButton>
				{/* The list of active faults might be out of view. */}
				{send.data && active > 0 ? <Outcome outcome="succeeded" title={t("order.added", { count: active })} /> : null}
				<ProblemNotice problem={send.error} />
			</Stack>
		</Card>
	);
}

/** Lists pending simulated faults, with a button that removes them. */
export function ActiveFaults() {
	const { t } = useTranslation("faultInjection");
	const targetWords = useTargetText();
	const active = useActiveFaults();
	const faultText = ({ fault, seconds }: FaultRule) => {
		const name = t(`fault.${fault}.name`);
		return fault === "delay" ? t("active.slow", { fault: name, delay: formatDuration(seconds * 1_000) }) : name;
	};
	const lineOf = (rule: FaultRule) => {
		const line = t("active.line", {
			fault: faultText(rule),
			target: targetWords(rule.target),
			count: rule.times,
		});
		return rule.onTest ? t("active.onTest", { line }) : line;
	};
	const clear = useFaultAction((backend) => backend.clearFaults());
	return (
		<Card
			title={t("active.title")}
			beside={active.data?.length ? <CommandButton command={clear} label={t("active.clear")} /> : null}
		>
			{active.isPending ? <LoadingRows rows={1} height={24} /> : null}
			<ProblemNotice problem={active.error} onRetry={() => void active.refetch()} />
			<ProblemNotice problem={clear.error} />
			<Stack role="status" gap="xs">
				{active.data?.length === 0 ? <Text c="dimmed">{t("active.none")}</Text> : null}
				{active.data?.length ? (
					<List spacing={4} center icon={<IconBolt size={16} color="var(--tone-warnings)" aria-hidden />}>
						{active.data.map((order, index) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: the list can contain equal faults
							<List.Item key={index}>{lineOf(order)}</List.Item>
						))}
					</List>
				) : null}
			</Stack>
			<Text c="dimmed">{t("always")}</Text>
		</Card>
	);
}

/** Changes the simulated faults; `act` returns the active ones. Adding one can complete a step of the guided tour. */
function useFaultAction<T = void>(act: (backend: Backend, value: T) => Promise<FaultRule[]>) {
	return useCommand(act, ["addFault"], { answers: queryKeys.activeFaults });
}

/** Changes the guided tour; `act` returns its new state. */
export function useGuidedTourAction<T = void>(act: (backend: Backend, value: T) => Promise<GuidedTourView>) {
	return useCommand(act, null, { answers: queryKeys.guidedTour });
}

const faults: readonly InjectedFault[] = [
	"serviceWillNotStart",
	"unwritableFolder",
	"delay",
	"expiredToken",
	"html",
	"truncated",
	"reset",
	"badGateway",
	"unregisteredRedirect",
	"boundToken",
	"licenseExpiresSoon",
	"otherCertificate",
	"indexLags",
	"invalidServer",
	"orphan",
	"absentFolder",
	"otherVersion",
	"refused",
];

const targets: readonly FaultTarget[] = [
	...operations.map(({ key }) => key),
	"download_upload",
	"upload_file",
	"upload_part",
	"read_version",
	"read_licenses",
	"read_certificates",
	"read_index",
	"validate_servers",
	"read_backups",
];

function targetsOf(fault: InjectedFault): readonly FaultTarget[] {
	if (fault === "unregisteredRedirect") return ["browser_sign_in"];
	if (fault === "boundToken") return ["create_token"];
	if (fault === "otherVersion") return ["read_version"];
	if (fault === "licenseExpiresSoon") return ["read_licenses"];
	if (fault === "otherCertificate") return ["read_certificates"];
	if (fault === "invalidServer") return ["validate_servers"];
	if (fault === "refused") return ["read_backups"];
	const named = operations.map(({ key }) => key).filter((key) => operationUis[key].faults?.includes(fault));
	return named.length > 0 ? named : targets;
}

/** Whether the fault loses the response, so that the site might have processed the request. */
function losesAnswer(fault: InjectedFault): boolean {
	return fault === "html" || fault === "reset" || fault === "badGateway";
}

const isOperation = (target: FaultTarget): target is OperationKey & FaultTarget =>
	operations.some(({ key }) => key === target);

function useTargetText(): (target: FaultTarget) => string {
	const { t } = useTranslation(["faultInjection", "common"]);
	return (target) => (isOperation(target) ? t(`common:operation.${target}.name`) : t(`target.${target}`));
}
