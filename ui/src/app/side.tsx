import { ActionIcon, AppShell, Drawer } from "@mantine/core";
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

interface CalledSideProps {
	called: boolean;
	onCall: (called: boolean) => void;
	children: ReactNode;
}

/** Over the page, when it is called: where the window is too narrow for both. */
export function CalledSide({ called, onCall, children }: CalledSideProps) {
	const { t } = useTranslation();
	return (
		<Drawer
			opened={called}
			onClose={() => onCall(false)}
			title={t("nav.main")}
			size={280}
			// The parts of the sidebar have their own.
			styles={{ body: { padding: 0 } }}
			closeButtonProps={{ "aria-label": t("action.close") }}
		>
			<nav aria-label={t("nav.main")}>{children}</nav>
		</Drawer>
	);
}

export function SideButton({ called, onCall }: Omit<CalledSideProps, "children">) {
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
