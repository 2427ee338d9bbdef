import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface CalledSideProps {
	called: boolean;
	onCall: (called: boolean) => void;
	children: ReactNode;
}

/** Sidebar as a drawer, in windows too narrow for it beside the page. */
export function CalledSide({ called, onCall, children }: CalledSideProps) {
	const { t } = useTranslation();
	return (
		<Drawer
			opened={called}
			onClose={() => onCall(false)}
			title={t("nav.main")}
			size={280}
			// The parts of the sidebar have a padding of their own.
			styles={{ body: { padding: 0 } }}
			closeButtonProps={{ "aria-label": t("action.close") }}
		>
			<nav aria-label={t("nav.main")}>{children}</nav>
		</Drawer>
	);
}
