import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type AlertFault,
	type AlertsView,
	type ChannelId,
	type ChannelKind,
	type ChannelView,
	type Delivery,
	type Problem,
	useBackend,
} from "@/bridge";
import { ConfirmDialog } from "@/components/dialog";
import { CommandButton, Notice, ProblemNotice } from "@/components/notice";
import { IconButton, Small } from "@/components/text";
import { labelled } from "@/lib/drafts";
import { formatDateTime } from "@/lib/format";
import { queryKeys } from "@/lib/queries/keys";
import { useAlerts } from "@/lib/queries/program";
import { useCommand } from "@/lib/use-command";
import { ChannelDialog, formOf, useTarget } from "./channel-dialog";

interface TellProps {
	value: readonly ChannelId[];
	onChange: (channels: ChannelId[]) => void;
	error?: ReactNode;
}

/** Receivers of alerts about a plan: the desktop, unless it is forbidden, and the selected channels. */
export function Tell(props: TellProps) {
	const state = useAlerts();
	return (
		<Stack gap="sm">
			<ProblemNotice problem={state.error} />
			{state.data ? <Channels view={state.data} {...props} /> : null}
		</Stack>
	);
}

function Channels({ view, value, onChange, error = null }: TellProps & { view: AlertsView }) {
	const { t } = useTranslation("alerts");
	const [edited, setEdited] = useState<ChannelView | "new" | null>(null);
	const remove = useCommand((backend, id: ChannelId) => backend.deleteAlertChannel(id), ["deleteAlertChannel"], {
		answers: queryKeys.alerts,
		onDone: (_, id) => onChange(known.filter((one) => one !== id)),
	});
	const possible = view.allowed.filter((kind) => kind !== "desktop");
	if (view.allowed.length === 0) return <Text>{t("forbidden")}</Text>;
	const known = value.filter((id) => view.channels.some(({ channel }) => channel.id === id));
	const isMissing = view.isRequired && known.length === 0;
	return (
		<>
			<Desktop view={view} />
			{view.channels.map((one) => (
				<Channel
					key={one.channel.id}
					view={one}
					isChosen={value.includes(one.channel.id)}
					onChosen={(isChosen) => {
						const others = known.filter((id) => id !== one.channel.id);
						onChange(isChosen ? [...others, one.channel.id] : others);
					}}
					onEdit={() => setEdited(one)}
					remove={remove}
				/>
			))}
			{view.channels.length === 0 && view.allowed.includes("desktop") ? <Text c="dimmed">{t("none")}</Text> : null}
			{isMissing ? <Notice tone="warnings" title={t("required")} /> : null}
			{error === null ? null : (
				<Text c="red" role="alert">
					{error}
				</Text>
			)}
			{possible.length === 0 ? null : (
				<Group>
					<IconButton label={t("add")} icon={IconPlus} onClick={() => setEdited("new")} />
				</Group>
			)}
			<ChannelDialog
				opened={edited !== null}
				onClose={() => setEdited(null)}
				view={view}
				channel={edited === "new" ? null : (edited?.channel ?? null)}
				// A new channel is selected.
				onSaved={(id) => {
					if (!known.includes(id) && edited === "new") onChange([...known, id]);
				}}
			/>
		</>
	);
}

function Desktop({ view }: { view: AlertsView }) {
	const { t } = useTranslation("alerts");
	const test = useCommand((backend) => backend.testAlertChannel({ kind: "desktop" }));
	if (!view.allowed.includes("desktop")) return <Text>{t("desktopOff")}</Text>;
	return (
		<Stack gap="xs">
			<Group justify="space-between" wrap="nowrap" align="flex-start">
				<Checkbox checked disabled {...labelled(t, "desktop")} readOnly />
				<CommandButton
					command={test}
					label={t("test")}
					flex="none"
					aria-label={t("testOf", { channel: t("desktop") })}
				/>
			</Group>
			<Tested kind="desktop" test={test} />
			<Last last={view.desktop} />
		</Stack>
	);
}

interface ChannelProps {
	view: ChannelView;
	isChosen: boolean;
	onChosen: (isChosen: boolean) => void;
	onEdit: () => void;
	/** Deletes one channel at a time. `variables`: the last one. */
	remove: {
		mutate: (id: ChannelId) => void;
		variables: ChannelId | undefined;
		isPending: boolean;
		error: Problem | null;
	};
}

function Channel({ view: { channel, isAllowed, last }, isChosen, onChosen, onEdit, remove }: ChannelProps) {
	const { t } = useTranslation("alerts");
	const backend = useBackend();
	const target = useTarget();
	const [isDeleting, setDeleting] = useState(false);
	const { name, means } = channel;
	const isRemoved = remove.variables === channel.id;
	const test = useMutation({
		mutationFn: () => backend.testAlertChannel({ kind: "channel", form: formOf(channel) }),
	});
	return (
		<Stack gap="xs">
			<Group justify="space-between" align="flex-start">
				<Checkbox
					label={name}
					description={isAllowed ? target(means) : t("notAllowed")}
					checked={isChosen}
					disabled={!isAllowed && !isChosen}
					onChange={(event) => onChosen(event.currentTarget.checked)}
				/>
				<Group gap="xs">
					<CommandButton
						command={test}
						label={t("test")}
						disabled={!isAllowed}
						aria-label={t("testOf", { channel: name })}
					/>
					<Button
						onClick={() => {
							// The edited channel has not been tested.
							test.reset();
							onEdit();
						}}
						aria-label={t("edit", { channel: name })}
					>
						{t("editShort")}
					</Button>
					<Button
						loading={isRemoved && remove.isPending}
						disabled={remove.isPending}
						aria-label={t("delete", { channel: name })}
						onClick={() => setDeleting(true)}
					>
						{t("deleteShort")}
					</Button>
				</Group>
			</Group>
			<Tested kind={means.kind} test={test} />
			<Last last={last} />
			{isRemoved && remove.error ? <ProblemNotice problem={remove.error} /> : null}
			<ConfirmDialog
				opened={isDeleting}
				onClose={() => setDeleting(false)}
				title={t("deleting.title", { channel: name })}
				confirm={t("deleting.confirm")}
				irreversible
				onConfirm={() => remove.mutate(channel.id)}
			>
				<Text>{t("deleting.body")}</Text>
			</ConfirmDialog>
		</Stack>
	);
}

interface TestedProps {
	kind: ChannelKind;
	test: { data: AlertFault | null | undefined; error: Problem | null };
}

function Tested({ kind, test }: TestedProps) {
	const { t } = useTranslation("alerts");
	return (
		<>
			<ProblemNotice problem={test.error} />
			{test.data ? <AlertFaultNotice fault={test.data} /> : null}
			<Text size="sm" role="status">
				{test.data === null ? t(`tested.${kind}`) : null}
			</Text>
		</>
	);
}

/**
 * Message keys of faults that differ from the default: desktop alerts are not sent again, and mail only to the rejected
 * receivers.
 */
const lastKeys: Partial<Record<AlertFault["kind"], "notSent" | "sentPartly">> = {
	noDesktop: "notSent",
	someReceivers: "sentPartly",
};

function Last({ last }: { last: Delivery | null }) {
	const { t } = useTranslation("alerts");
	if (last === null) return null;
	if (last.fault === null) {
		return (
			<Text size="sm" c="dimmed">
				{t("sent", { at: formatDateTime(last.at) })}
			</Text>
		);
	}
	return (
		<AlertFaultNotice fault={last.fault}>
			<Text>{t(lastKeys[last.fault.kind] ?? "notSentRetried", { at: formatDateTime(last.at) })}</Text>
		</AlertFaultNotice>
	);
}

/** Why an alert was not sent, with the response of the receiver. */
function AlertFaultNotice({ fault, children }: { fault: AlertFault; children?: ReactNode }) {
	const { t } = useTranslation("alerts");
	const refused = "refused" in fault ? fault.refused.map(({ address, said }) => `${address}: ${said}`) : [];
	const said = "said" in fault ? fault.said : "to" in fault ? fault.to : refused.join("\n");
	const status = fault.kind === "rejected" && fault.status !== null ? `HTTP ${fault.status} ` : "";
	return (
		<Notice tone="warnings" title={t(`fault.${fault.kind}.title`)}>
			<Text>{t(`fault.${fault.kind}.do`)}</Text>
			{children}
			{`${status}${said}` === "" ? null : (
				<Small mod="anywhere" style={{ whiteSpace: "pre-line" }}>
					{status}
					{said}
				</Small>
			)}
		</Notice>
	);
}
