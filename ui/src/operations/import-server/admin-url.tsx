import { Button, Checkbox, Group, Text, TextInput } from "@mantine/core";
import { IconRoute } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { Notice } from "@/components/notice";
import { ProblemNotice } from "@/components/problem-notice";
import { formOf } from "@/lib/site-form";
import { useSaveSite } from "@/lib/use-save-site";

interface AdminUrlProps {
	site: SiteView;
	/** Whether the import is sent through the web adaptor all the same. */
	throughAdaptor: boolean;
	onThroughAdaptor: (through: boolean) => void;
}

/** Whether an import of this site would pass its web adaptor: nothing else is known of its current server. */
export function passesAdaptor({ server, importAddress }: SiteView): boolean {
	return server !== null && importAddress === null;
}

/** Asks for the administration URL of the server, which bypasses web adaptors, and saves it with the site. */
export function AdminUrl({ site, throughAdaptor, onThroughAdaptor }: AdminUrlProps) {
	const { t } = useTranslation("importServer", { keyPrefix: "adminUrl" });
	const { t: common } = useTranslation("common");
	const [url, setUrl] = useState("");
	const save = useSaveSite(() => {});
	const form = formOf(site);
	const fault = save.error?.kind === "form" ? save.error.fault : null;
	const send = () => {
		const servers = form.servers.map((one) => (one.id === site.currentServer ? { ...one, adminUrl: url.trim() } : one));
		save.mutate({ ...form, servers });
	};
	return (
		<Notice tone="warnings" icon={IconRoute} title={t("title")}>
			<Text>{t("body", { address: site.server ?? "" })}</Text>
			<Group align="flex-end" gap="xs">
				<TextInput
					flex="1 1 20rem"
					label={t("label")}
					description={t("hint")}
					spellCheck={false}
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
				label={t("through")}
				description={t("throughHint")}
				checked={throughAdaptor}
				onChange={(event) => onThroughAdaptor(event.currentTarget.checked)}
			/>
		</Notice>
	);
}
