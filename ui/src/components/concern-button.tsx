import { Button } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type Concern, type SiteView, useBackend } from "@/bridge";
import type { ConcernText } from "@/lib/concern-text";
import { hostAndPortOf } from "@/lib/hosts";
import { useNavigation } from "@/lib/navigation";
import { useSignInRequest } from "@/lib/sign-in-request";
import { useStale } from "@/lib/stale";
import { useReadOnly } from "@/lib/use-read-only";

/** The one button of what needs attention. The page that it leads to begins with the server in question. */
export function ConcernButton({ site, concern, text }: { site: SiteView; concern: Concern; text: ConcernText }) {
	const backend = useBackend();
	const stale = useStale();
	const { go } = useNavigation();
	const askToSignIn = useSignInRequest();
	const readOnly = useReadOnly(site);
	const server = site.servers.find(({ id }) => id !== null && id === concern.server);
	const lead = useMutation({
		mutationFn: async () => {
			if (text.to?.page !== "operation" || !server?.id || server.id === site.currentServer) return;
			await backend.chooseServer(site.id, server.id);
			await stale("chooseServer");
		},
		// Where the server cannot be chosen, its page says which one it is about.
		onSettled: () => {
			if (text.to) go(text.to);
			else askToSignIn(site.id, server?.id ? { id: server.id, host: hostAndPortOf(server.address) } : null);
		},
	});
	return (
		<Button
			size="xs"
			variant="default"
			flex="none"
			leftSection={text.changes && readOnly ? <IconLock size={16} aria-hidden /> : null}
			aria-label={`${text.act}: ${text.title}`}
			onClick={() => lead.mutate()}
		>
			{text.act}
		</Button>
	);
}
