import { IconWebhook } from "@tabler/icons-react";
import type { SiteView } from "@/bridge";
import { Notice } from "@/components/notice";
import { LinkButton } from "@/components/text";
import { useConcernText } from "@/lib/concern-text";
import { useNavigation } from "@/lib/navigation";
import { useSiteOverview } from "@/lib/queries/program";
import { useLogComparison } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";

/**
 * Notice about deactivated webhooks of the server, for example after a stopped import, with a link to reactivate them.
 */
export function StillDeactivated({ site }: { site: SiteView }) {
	const { go } = useNavigation();
	const target = serverOf(site);
	// An import can activate webhooks that were deactivated before it.
	useLogComparison(target);
	const textOf = useConcernText();
	const concerns = useSiteOverview(site.id).data?.concerns ?? [];
	const concern = concerns.find(({ about, server }) => about.kind === "webhooks" && server === target.server);
	if (!concern) return null;
	const { title, act, to } = textOf(site, concern);
	return (
		<Notice tone="warnings" icon={IconWebhook} title={title}>
			<LinkButton ta="left" onClick={() => to && go(to)}>
				{act}
			</LinkButton>
		</Notice>
	);
}
