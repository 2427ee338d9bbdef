import { Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { InvitationView, SiteView } from "@/bridge";
import { Notice } from "@/components/notice";
import { ProblemNotice } from "@/components/problem-notice";
import { formatList } from "@/lib/format";
import { useInvitations } from "@/lib/queries/site";
import { useReadFirst } from "@/lib/use-read-first";
import { keyOf } from "./order";

/** Reads the invitations again before it asks whether these are refreshed; `news` says why it asks nothing. */
export function useAskRefresh(site: SiteView, invitations: readonly InvitationView[]) {
	const { t } = useTranslation("refreshInvitation");
	const [isAsked, { open, close }] = useDisclosure();
	/** Those for which the button was pressed. */
	const wanted = useRef(invitations);
	/** Those of them that the portal no longer lists: then nothing is asked. */
	const [gone, setGone] = useState<readonly InvitationView[]>([]);
	const read = useReadFirst(useInvitations(site.id), (fresh) => {
		const lost = wanted.current.filter((one) => !fresh?.some((now) => keyOf(now) === keyOf(one)));
		setGone(lost);
		if (lost.length === 0) open();
	});
	const ask = () => {
		setGone([]);
		wanted.current = invitations;
		read.ask();
	};
	const news = (
		<>
			{read.problem ? <ProblemNotice problem={read.problem} /> : null}
			{gone.length > 0 ? (
				<Notice tone="warnings" icon={IconAlertTriangle} role="alert" title={t("gone", { count: gone.length })}>
					<Text style={{ overflowWrap: "anywhere" }}>
						{t("goneWhat", { invitations: formatList(gone.map(({ guestPortalUrl }) => guestPortalUrl)) })}
					</Text>
				</Notice>
			) : null}
		</>
	);
	return { ask, isReading: read.isReading, isAsked, close, news };
}
