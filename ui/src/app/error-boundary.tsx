import { Box, Button, Group, Stack, Text } from "@mantine/core";
import { IconCircleX } from "@tabler/icons-react";
import { Component, type ErrorInfo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "@/components/copy-button";
import { Notice } from "@/components/notice";
import { useNavigation } from "@/lib/navigation";
import { useAbout } from "@/lib/queries";

interface State {
	thrown: unknown;
	/** Where among the parts of the window it happened. */
	where: string;
}

/** A fault in one screen leaves the bar, the sidebar and the running operations in place. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State | { thrown: null }> {
	override state: State | { thrown: null } = { thrown: null };

	static getDerivedStateFromError(thrown: unknown): State {
		return { thrown: thrown ?? "nothing", where: "" };
	}

	override componentDidCatch(thrown: unknown, { componentStack }: ErrorInfo): void {
		this.setState({ thrown: thrown ?? "nothing", where: componentStack ?? "" });
	}

	override render() {
		const { state } = this;
		if (state.thrown === null) return this.props.children;
		return <Fault {...state} onRetry={() => this.setState({ thrown: null })} />;
	}
}

/** What a person can do about it: try again, leave, or send the details to somebody. */
function Fault({ thrown, where, onRetry }: State & { onRetry: () => void }) {
	const { t } = useTranslation();
	const { go } = useNavigation();
	const about = useAbout();
	const words = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : JSON.stringify(thrown);
	const details = [`Site Steward ${about.data?.version ?? ""}`, words, where.trim()].join("\n");
	return (
		<Box p="lg" maw={760}>
			<Notice tone="failed" icon={IconCircleX} role="alert" title={t("broken.title")}>
				<Stack gap="sm">
					<Text size="sm">{t("broken.body")}</Text>
					<Text size="sm" ff="monospace" style={{ overflowWrap: "anywhere" }}>
						{words}
					</Text>
					<Group gap="xs">
						<Button size="xs" onClick={onRetry}>
							{t("action.retry")}
						</Button>
						<Button size="xs" variant="default" onClick={() => go({ page: "sites" })}>
							{t("broken.leave")}
						</Button>
						<CopyButton value={details} label={t("action.copyDetails")} />
					</Group>
				</Stack>
			</Notice>
		</Box>
	);
}
