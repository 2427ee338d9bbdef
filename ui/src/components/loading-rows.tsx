import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { useTimeout } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";

const rowNames = Array.from({ length: 20 }, (_, row) => `row-${row}`);

/**
 * Placeholder for a list, shown after 300 ms so that quick responses do not flicker. Not animated: without a graphics
 * card, the animation delayed a page on a busy computer by up to eight seconds.
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
