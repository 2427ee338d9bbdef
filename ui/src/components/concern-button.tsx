import { Button } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import type { Concern, SiteView } from "@/bridge";
import type { ConcernText } from "@/lib/concern-text";
import { useNavigation, useSignInRequest } from "@/lib/navigation";
import { signInAt } from "@/lib/target";
import { useReadOnly } from "@/lib/use-read-only";

export function ConcernButton({ site, concern, text }: { site: SiteView; concern: Concern; text: ConcernText }) {
	const { go } = useNavigation();
	const askToSignIn = useSignInRequest();
	const readOnly = useReadOnly(site);
	const lead = () => (text.to ? go(text.to) : askToSignIn(site.id, signInAt(site, concern.server)));
	return (
		<Button
			flex="none"
			leftSection={text.changes && readOnly ? <IconLock size={16} aria-hidden /> : null}
			aria-label={`${text.act}: ${text.title}`}
			onClick={lead}
		>
			{text.act}
		</Button>
	);
}
