import { Anchor } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import type { SiteView } from "@/bridge";
import { Notice } from "@/components/notice";
import { useNavigation } from "@/lib/navigation";
import { useActiveAgain } from "@/lib/queries";
import { serverOf } from "@/lib/target";
import { useConcerns } from "@/lib/use-concerns";

/** Webhooks of the site that are deactivated, for example, by an import that was stopped, and the way to reactivate them. */
export function StillDeactivated({ site }: { site: SiteView }) {
	const { go } = useNavigation();
	// An import may have activated what was deactivated before it.
	useActiveAgain(serverOf(site));
	const concern = useConcerns(site, null).find(({ key }) => key === "deactivated");
	if (!concern) return null;
	return (
		// It is a sentence where it stands among others.
		<Notice tone="warnings" icon={IconWebhook} role="status" title={concern.words.replace(/\.$/, "")}>
			<Anchor component="button" type="button" size="sm" ta="left" onClick={() => go(concern.to)}>
				{concern.act}
			</Anchor>
		</Notice>
	);
}
