import { Checkbox, Table, Text, VisuallyHidden } from "@mantine/core";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { InvitationView, Millis } from "@/bridge";
import { Small } from "@/components/text";
import { GapRow, TwoLines, WideTable } from "@/components/wide-table";
import { formatNumber } from "@/lib/format";
import { endOf, type Group, groupOf, keyOf, statusText } from "./confirm";
import { Expiry } from "./expiry-cell";
import classes from "./invitation-table.module.css";

interface InvitationTableProps {
	/** In the order of expiration. */
	invitations: readonly InvitationView[];
	/** Time at which the list was read. */
	readAt: Millis;
	now: Millis;
	picked: ReadonlySet<string>;
	onPick: (keys: readonly string[], picked: boolean) => void;
}

export function InvitationTable({ invitations, readAt, now, picked, onPick }: InvitationTableProps) {
	const { t } = useTranslation("refreshInvitation");
	const { t: common } = useTranslation();
	const group = (one: InvitationView) => groupOf(endOf(one, readAt), now);
	return (
		<WideTable
			picks
			className={classes.board ?? ""}
			label={t("table")}
			head={
				<Table.Thead>
					<Table.Tr>
						<Table.Th w={44}>
							<VisuallyHidden>{t("choice")}</VisuallyHidden>
						</Table.Th>
						<Table.Th>{t("guest")}</Table.Th>
						<Table.Th w="18%">{t("status")}</Table.Th>
						<Table.Th w={190}>{t("expires")}</Table.Th>
					</Table.Tr>
				</Table.Thead>
			}
		>
			{invitations.map((one, at) => {
				const before = invitations[at - 1];
				const canBePicked = isPickable(one);
				// Unreadable invitations have no IDs.
				const key = one.invitationId === "" ? `${keyOf(one)}${at}` : keyOf(one);
				const isFirst = before === undefined || group(before) !== group(one);
				const elsewhere = one.hostedElsewhere;
				const pick = () => onPick([key], !picked.has(key));
				const head = isFirst ? (
					<Head
						group={group(one)}
						invitations={invitations.filter((other) => group(other) === group(one))}
						picked={picked}
						onPick={onPick}
					/>
				) : null;
				if (one.gap) {
					return (
						<Fragment key={key}>
							{head}
							<GapRow gap={one.gap} of={one.collaborationName} />
						</Fragment>
					);
				}
				return (
					<Fragment key={key}>
						{head}
						<Table.Tr
							// Rows that cannot be selected have no hover effect.
							{...(canBePicked ? { onClick: pick, style: { cursor: "pointer" } } : { c: "dimmed", bg: "transparent" })}
							{...(picked.has(key) ? { bg: "var(--chosen-ground)" } : {})}
						>
							<Table.Td onClick={(event) => event.stopPropagation()}>
								<Checkbox
									aria-label={t("pick", { guest: one.guestPortalUrl, collaboration: one.collaborationName })}
									checked={picked.has(key)}
									disabled={!canBePicked}
									aria-describedby={canBePicked ? undefined : reasonOf(key)}
									onChange={pick}
								/>
							</Table.Td>
							<TwoLines main={one.guestPortalUrl} second={one.collaborationName}>
								{canBePicked ? null : (
									<Text id={reasonOf(key)} size="xs">
										{elsewhere === null ? common("unreadableEntry") : t("hostedElsewhere", { portal: elsewhere })}
									</Text>
								)}
							</TwoLines>
							<Table.Td mod="anywhere">{statusText(t, one.status)}</Table.Td>
							<Table.Td>
								<Expiry end={endOf(one, readAt)} now={now} />
							</Table.Td>
						</Table.Tr>
					</Fragment>
				);
			})}
		</WideTable>
	);
}

interface HeadProps extends Pick<InvitationTableProps, "picked" | "onPick"> {
	group: Group;
	invitations: readonly InvitationView[];
}

function Head({ group, invitations, picked, onPick }: HeadProps) {
	const { t } = useTranslation("refreshInvitation");
	const name = t(`group.${group}`);
	const keys = invitations.filter(isPickable).map(keyOf);
	const some = keys.filter((key) => picked.has(key)).length;
	return (
		<Table.Tr bg="var(--mantine-color-default-hover)">
			<Table.Td>
				<Checkbox
					aria-label={t("pickGroup", { group: name })}
					checked={some > 0 && some === keys.length}
					disabled={keys.length === 0}
					indeterminate={some > 0 && some < keys.length}
					onChange={() => onPick(keys, some < keys.length)}
				/>
			</Table.Td>
			<Table.Th colSpan={3} scope="colgroup">
				{name}{" "}
				<Small span fw={400}>
					{formatNumber(invitations.length)}
				</Small>
			</Table.Th>
		</Table.Tr>
	);
}

function isPickable({ hostedElsewhere, invitationId }: InvitationView): boolean {
	return hostedElsewhere === null && invitationId !== "";
}

const reasonOf = (key: string) => `invitation-${key.replaceAll(" ", "-")}`;
