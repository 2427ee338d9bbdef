import { SegmentedControl, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslation } from "react-i18next";
import type { ExportLocation, SiteView } from "@/bridge";
import choice from "@/components/choice.module.css";
import { LookInto } from "@/components/look-into";
import { serverOf } from "@/lib/target";
import { labelled } from "@/lib/use-form-faults";
import { StoredFile } from "./stored-file";
import { type LocalFile, Upload } from "./upload";

const places = ["stored", "here", "path"] as const;

export interface Values extends LocalFile {
	kind: (typeof places)[number];
	/** ID of a stored upload. */
	stored: string | null;
	location: string;
	confirmation: string;
	reason: string;
	safetyBackup: boolean;
	/** `null` until the user decides. The default depends on the disk space of this computer. */
	alsoHere: boolean | null;
	/** Whether webhooks are deactivated before the import and reactivated afterwards. */
	quiet: boolean;
	/** Whether the server checks the file before anything else is sent. */
	checkFirst: boolean;
	restartWebServer: boolean;
}

/** Returns the `location` parameter; empty if no file is selected. */
export function locationOf({ kind, stored, uploaded, location }: Values): string {
	switch (kind) {
		case "stored":
			return stored ?? "";
		case "here":
			return uploaded?.item ?? "";
		case "path":
			return location.trim();
	}
}

/** Returns the export for the comparison, which is also that of a file before its upload; `null` while a path is being typed. */
export function exportLocation({ kind, dropped }: Values, location: string, typed: string): ExportLocation | null {
	if (location === "") return kind === "here" && dropped ? { kind, path: dropped.file.path } : null;
	if (kind !== "path") return { kind: "upload", id: location };
	return typed === location ? { kind: "path", path: location } : null;
}

/** Selects the file: a stored upload, a file of this computer, or a path on the server. */
export function FileChoice({ site, form }: { site: SiteView; form: UseFormReturnType<Values> }) {
	const { t } = useTranslation("importServer");
	const { kind } = form.values;
	return (
		<Stack gap="sm">
			<SegmentedControl
				fullWidth
				classNames={{ root: choice.root ?? "", control: choice.control ?? "", label: choice.label ?? "" }}
				aria-label={t("step.file")}
				data={places.map((value) => ({ value, label: t(value) }))}
				{...form.getInputProps("kind")}
			/>
			{kind === "stored" ? <StoredFile site={site} input={form.getInputProps("stored")} /> : null}
			{kind === "here" ? (
				<>
					<Upload site={site} file={form.values} onFile={form.setValues} />
					<LookInto target={serverOf(site)} file={{ kind: "choose" }} />
				</>
			) : null}
			{kind === "path" ? (
				<TextInput {...labelled(t, "location")} spellCheck={false} {...form.getInputProps("location")} />
			) : null}
		</Stack>
	);
}
