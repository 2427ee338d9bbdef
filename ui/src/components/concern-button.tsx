import { Button } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import type { Concern, SiteView } from "@/bridge";
import type { ConcernText } from "@/lib/concern-text";
import { useNavigation } from "@/lib/navigation";
import { useSignInRequest } from "@/lib/sign-in-request";
import { signInAt } from "@/lib/target-name";
import { useChooseServer } from "@/lib/use-choose-server";
import { useReadOnly } from "@/lib/use-read-only";

/** The one button of what needs attention. The page that it leads to begins with the server in question. */
export function ConcernButton({ site, concern, text }: { site: SiteView; concern: Concern; text: ConcernText }) {
	const choose = useChooseServer();
	const { go } = useNavigation();
	const askToSignIn = useSignInRequest();
	const readOnly = useReadOnly(site);
	const server = site.servers.find(({ id }) => id !== null && id === concern.server);
	const lead = async () => {
		if (!text.to) return askToSignIn(site.id, signInAt(site, concern.server));
		// Where the server cannot be chosen, its page says which one it is about.
		if (text.to.page === "operation") await choose(site, server?.id ?? null);
		go(text.to);
	};
	return (
		<Button
			flex="none"
			leftSection={text.changes && readOnly ? <IconLock size={16} aria-hidden /> : null}
			aria-label={`${text.act}: ${text.title}`}
			onClick={() => void lead()}
		>
			{text.act}
		</Button>
	);
}
