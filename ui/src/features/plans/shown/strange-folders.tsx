import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { StrangeFolder } from "@/bridge";

/** Subfolders of a plan that are not backup sets, each with the reason. */
export function StrangeFolders({ folders }: { folders: StrangeFolder[] }) {
	const { t } = useTranslation("plans", { keyPrefix: "strange" });
	return folders.map(({ folder, why }) => (
		<Text key={folder} mod="anywhere">
			{t(why.kind, { folder, ...("of" in why ? { of: why.of } : {}), ...("said" in why ? { said: why.said } : {}) })}
		</Text>
	));
}
