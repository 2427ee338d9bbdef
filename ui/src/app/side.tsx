import { ActionIcon, AppShell } from "@mantine/core";
import { IconLayoutSidebar } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "./sidebar.module.css";

/** Beside the page. */
export function Side({ children }: { children: ReactNode }) {
	const { t } = useTranslation();
	return (
		<AppShell.Navbar className={classes.navbar ?? ""} aria-label={t("nav.main")}>
			{children}
		</AppShell.Navbar>
	);
}

interface SideButtonProps {
	called: boolean;
	onCall: (called: boolean) => void;
}

export function SideButton({ called, onCall }: SideButtonProps) {
	const { t } = useTranslation();
	return (
		<ActionIcon
			variant="transparent"
			color="currentColor"
			aria-label={t("nav.main")}
			title={t("nav.main")}
			aria-haspopup="dialog"
			aria-expanded={called}
			onClick={() => onCall(true)}
		>
			<IconLayoutSidebar size={18} aria-hidden />
		</ActionIcon>
	);
}
