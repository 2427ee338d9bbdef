import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { useTimeout } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";

const rowNames = Array.from({ length: 20 }, (_, row) => `row-${row}`);

/**
 * The shape of what comes, after 300 ms: a quick answer should not flicker. It does not move: without a graphics card, on
 * a busy computer, drawing the movement delayed the page that was waited for by up to eight seconds.
 */
export function LoadingRows({ rows = 4, height = 36 }: { rows?: number; height?: number }) {
	const { t } = useTranslation();
	const [visible, setVisible] = useState(false);
	useTimeout(() => setVisible(true), 300, { autoInvoke: true });
	return (
		<Stack gap="xs" role="status" aria-busy="true" mih={height}>
			<VisuallyHidden>{t("loading")}</VisuallyHidden>
			{visible ? rowNames.slice(0, rows).map((name) => <Skeleton key={name} height={height} animate={false} />) : null}
		</Stack>
	);
}
