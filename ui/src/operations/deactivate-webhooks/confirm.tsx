import { Box, Button, Group, List, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { SubmitForm } from "@/components/submit-form";
import { formatList } from "@/lib/format";
import { siteEdge } from "@/lib/site-color";
import { type Chosen, countFalling } from "./webhooks";

interface ConfirmProps {
	/** Empty: nothing is asked. */
	services: readonly Chosen[];
	site: SiteView;
	why: string;
	onWhy: (why: string) => void;
	onCancel: () => void;
	onConfirm: (confirmation: string) => void;
}

/** More than that nobody reads here; the list behind has them all. */
const most = 50;

/** Names what is deactivated, before it is. */
export function Confirm({ services, site, why, onWhy, onCancel, onConfirm }: ConfirmProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const [typed, setTyped] = useState("");
	const falling = countFalling(services);
	const toType = site.environment === "production" ? site.name : "";
	const ready = typed.trim() === toType.trim();
	const close = (then: () => void) => {
		// The confirmation is typed each time.
		setTyped("");
		then();
	};
	return (
		<Modal
			opened={services.length > 0}
			onClose={() => close(onCancel)}
			title={
				falling === null
					? t("confirmUnlisted", { count: services.length, site: site.name })
					: t("confirmTitle", { count: falling, site: site.name })
			}
			styles={siteEdge(site.color)}
			closeButtonProps={{ "aria-label": t("close") }}
		>
			<SubmitForm
				onSubmit={(event) => {
					event.preventDefault();
					if (ready) close(() => onConfirm(typed));
				}}
			>
				<Stack>
					<Box mah={240} tabIndex={0} role="group" aria-label={t("toDeactivate")} style={{ overflow: "auto" }}>
						<List size="sm" spacing="xs">
							{services.slice(0, most).map((service) => (
								<List.Item key={service.path} style={{ overflowWrap: "anywhere" }}>
									<Text size="sm" fw={500} span>
										{service.path}
									</Text>
									{service.active ? (
										<Text size="sm" c="dimmed">
											{formatList(service.active)}
										</Text>
									) : null}
								</List.Item>
							))}
						</List>
						{services.length > most ? (
							<Text size="sm" mt="xs">
								{t("andMore", { count: services.length - most })}
							</Text>
						) : null}
					</Box>
					<Text size="sm">{falling === null ? t("unlistedBody") : t("confirmBody", { count: falling })}</Text>
					<TextInput
						label={t("why")}
						description={t("whyHint")}
						data-path="why"
						value={why}
						onChange={(event) => onWhy(event.currentTarget.value)}
					/>
					{toType ? (
						<TextInput
							label={t("type", { text: toType })}
							spellCheck={false}
							autoComplete="off"
							data-path="confirmation"
							value={typed}
							onChange={(event) => setTyped(event.currentTarget.value)}
						/>
					) : null}
					<Group justify="flex-end" gap="xs">
						<Button variant="default" onClick={() => close(onCancel)} data-autofocus>
							{t("cancel")}
						</Button>
						<Button type="submit" disabled={!ready}>
							{t("confirm", { count: falling ?? 2 })}
						</Button>
					</Group>
				</Stack>
			</SubmitForm>
		</Modal>
	);
}
