import { Button, Checkbox, Group, Text, TextInput } from "@mantine/core";
import { IconRoute } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServerId, SiteView } from "@/bridge";
import { Notice, ProblemNotice } from "@/components/notice";
import { labelled } from "@/lib/drafts";
import { formOf, useSaveSite } from "@/lib/site-form";

interface AdminUrlProps {
	site: SiteView;
	server: ServerId | null;
	/** Whether to send the import through the web adaptor anyway. */
	throughAdaptor: boolean;
	onThroughAdaptor: (through: boolean) => void;
}

/** Whether an import would pass a web adaptor because the administration URL of the server is unknown. */
export function passesAdaptor({ servers, importAddresses }: SiteView, server: ServerId | null): boolean {
	return servers.some(({ id }) => id !== null && id === server && importAddresses[id] === undefined);
}

/** Form for the administration URL of a server, which bypasses web adaptors. It is saved with the site. */
export function AdminUrl({ site, server, throughAdaptor, onThroughAdaptor }: AdminUrlProps) {
	const { t } = useTranslation("importServer", { keyPrefix: "adminUrl" });
	const { t: common } = useTranslation("common");
	const [url, setUrl] = useState("");
	const save = useSaveSite();
	const form = formOf(site);
	const address = site.servers.find(({ id }) => id === server)?.address ?? "";
	const fault = save.error?.kind === "form" ? save.error.fault : null;
	const send = () => {
		const servers = form.servers.map((one) => (one.id === server ? { ...one, adminUrl: url.trim() } : one));
		save.mutate({ ...form, servers });
	};
	return (
		<Notice tone="warnings" icon={IconRoute} title={t("title")}>
			<Text>{t("body", { address })}</Text>
			<Group align="flex-end" gap="xs">
				<TextInput
					flex="1 1 20rem"
					label={t("label")}
					description={t("hint")}
					value={url}
					error={fault === null ? null : common(`fault.${fault}`)}
					onChange={(event) => setUrl(event.currentTarget.value)}
				/>
				<Button size="sm" loading={save.isPending} disabled={url.trim() === ""} onClick={send}>
					{t("save")}
				</Button>
			</Group>
			{save.error && fault === null ? <ProblemNotice problem={save.error} /> : null}
			<Checkbox
				{...labelled(t, "through")}
				checked={throughAdaptor}
				onChange={(event) => onThroughAdaptor(event.currentTarget.checked)}
			/>
		</Notice>
	);
}
