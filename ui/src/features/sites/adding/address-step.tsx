import { Button, Group, Loader, Stack, Table, Text, TextInput, VisuallyHidden } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconSearch } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
	type CertificateProblem,
	type DiscoveryAttemptView,
	type FoundView,
	type SiteForm,
	useBackend,
} from "@/bridge";
import { Foldable } from "@/components/foldable";
import { ProblemNotice } from "@/components/problem-notice";
import { SubmitForm } from "@/components/submit-form";
import { LinkButton } from "@/components/text";
import { Heads } from "@/components/wide-table";
import { keptBriefly } from "@/lib/kept-briefly";
import { faultText, useFormFaults } from "@/lib/use-form-faults";
import { ConnectionFields } from "../fields/connection-fields";
import { FoundFields } from "./found-fields";
import { NothingFound } from "./nothing-found";
import { useOutcomeWords } from "./outcome-text";
import { UnreachedPortal } from "./unreached-portal";

interface AddressStepProps {
	form: UseFormReturnType<SiteForm>;
	pasted: string;
	onPasted: (pasted: string) => void;
	found: FoundView | null;
	onFound: (found: FoundView) => void;
	/** Whether a federated server is added without its portal, which did not respond. */
	alone: boolean;
	onAlone: () => void;
	byHand: boolean;
	onByHand: () => void;
}

/** First step: a URL of the site, and what was found there. */
export function AddressStep(props: AddressStepProps) {
	const { form, pasted, onPasted, found, onFound, alone, onAlone, byHand, onByHand } = props;
	const { t } = useTranslation("sites");
	const { t: common } = useTranslation("common");
	const backend = useBackend();
	const find = useMutation({
		mutationFn: (connection: SiteForm["connection"]) => backend.findSite(null, pasted, connection),
		gcTime: keptBriefly,
	});
	// Passed here so that it is not called after the component has unmounted.
	const look = (connection = form.values.connection) => find.mutate(connection, { onSuccess: onFound });
	const trust = ({ origin, fingerprint }: CertificateProblem) => {
		if (origin === null) return;
		const { connection } = form.values;
		const pins = [...connection.trustedCertificates.filter((pin) => pin.origin !== origin), { origin, fingerprint }];
		form.setFieldValue("connection.trustedCertificates", pins);
		look({ ...connection, trustedCertificates: pins });
	};
	const problem = useFormFaults(find.error, form);
	const looked = find.isPending ? null : found;
	const unreached = looked?.site?.unreachedPortal ?? null;
	const proxyWanted = looked?.traces.some(({ outcome }) => outcome.kind === "proxyRefused") ?? false;
	const connectionWrong = Object.keys(form.errors).some((field) => field.startsWith("connection."));
	return (
		<Stack>
			<SubmitForm
				onSubmit={(event) => {
					event.preventDefault();
					look();
				}}
			>
				<Group align="flex-start" wrap="nowrap" gap="xs">
					<TextInput
						flex={1}
						label={t("adding.pasted")}
						description={t("adding.pastedHint")}
						inputContainer={(input) => (
							<Group gap="xs" align="flex-end">
								<div style={{ flex: "1 1 12rem" }}>{input}</div>
								<Button
									variant="filled"
									size="sm"
									type="submit"
									loading={find.isPending}
									leftSection={<IconSearch size={16} aria-hidden />}
								>
									{t("adding.find")}
								</Button>
							</Group>
						)}
						spellCheck={false}
						autoComplete="off"
						data-path="pasted"
						// The user can paste at once.
						autoFocus={pasted === ""}
						value={pasted}
						onChange={(event) => {
							onPasted(event.currentTarget.value);
							if (find.error) find.reset();
						}}
						error={faultText(common, find.error, "pasted")}
					/>
				</Group>
			</SubmitForm>
			<Foldable title={t("connection.title")} wanted={proxyWanted || connectionWrong}>
				<ConnectionFields form={form} />
			</Foldable>
			<VisuallyHidden role="status">{find.isPending ? t("adding.looking") : ""}</VisuallyHidden>
			{find.isPending ? (
				<Group gap="sm">
					<Loader size={18} aria-hidden />
					<Text aria-hidden>{t("adding.looking")}</Text>
					<Button variant="subtle" onClick={() => find.reset()}>
						{t("adding.stopLooking")}
					</Button>
				</Group>
			) : null}
			{problem ? <ProblemNotice problem={problem} onRetry={() => look()} /> : null}
			{looked && !looked.site ? <NothingFound found={looked} onTrust={trust} onRetry={() => look()} /> : null}
			{unreached && alone ? (
				<Text role="status" mod="anywhere">
					{t("unreachedPortal.isAlone", { portal: unreached.address })}
				</Text>
			) : null}
			{unreached && !alone ? (
				<UnreachedPortal portal={unreached} onTrust={trust} onRetry={() => look()} onAlone={onAlone} />
			) : looked?.site || byHand ? (
				<FoundFields form={form} found={looked?.site ?? null} pasted={pasted} />
			) : (
				<Text>
					<LinkButton onClick={onByHand}>{t("adding.byHand")}</LinkButton>
				</Text>
			)}
			{looked && looked.traces.length > 0 ? <Traces traces={looked.traces} /> : null}
		</Stack>
	);
}

/** Requested URLs with their outcome. */
function Traces({ traces }: { traces: readonly DiscoveryAttemptView[] }) {
	const { t } = useTranslation("sites");
	const words = useOutcomeWords();
	return (
		<Foldable title={t("found.traces", { count: traces.length })}>
			<Table withTableBorder verticalSpacing="xs" layout="fixed">
				<Heads of={[[t("found.address"), { w: "55%" }], t("found.answer")]} />
				<Table.Tbody>
					{traces.map(({ address, outcome }, place) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a URL can be requested twice, and the list never changes
						<Table.Tr key={`${address} ${place}`}>
							<Table.Td mod="anywhere">
								<Text size="xs" ff="monospace">
									{address}
								</Text>
							</Table.Td>
							<Table.Td mod="anywhere">
								<Text>{words(outcome)}</Text>
							</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
		</Foldable>
	);
}
