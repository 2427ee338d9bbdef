import {
	Box,
	Button,
	CloseButton,
	Group,
	PasswordInput,
	type PasswordInputProps,
	Stack,
	TextInput,
	type TextInputProps,
} from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { isLocal } from "@/lib/format";
import { usePageKey } from "@/lib/page-keys";
import { usePractice } from "@/lib/queries/program";
import { useCommand } from "@/lib/use-command";
import { CommandButton, ProblemNotice } from "./notice";
import classes from "./search-field.module.css";

interface PathFieldProps extends Omit<TextInputProps, "onChange"> {
	kind: "file" | "folder";
	/** Accessible name of the button that opens the dialog. */
	chooseLabel: string;
	/** Accessible name of the button that clears the field; omitted if a path is required. */
	removeLabel?: string;
	onChange?: (path: string) => void;
}

/** File or folder of this computer from the system's file dialog. The backend accepts no other path. */
export function PathField({ kind, chooseLabel, removeLabel, onChange, readOnly = false, ...input }: PathFieldProps) {
	const { t } = useTranslation();
	const choose = useCommand((backend) => (kind === "file" ? backend.chooseFile() : backend.chooseFolder()), null, {
		onDone: (path) => path !== null && onChange?.(path),
	});
	const isRemovable = input.value && !readOnly && removeLabel !== undefined;
	return (
		<Stack gap="xs">
			<TextInput
				readOnly
				rightSection={isRemovable ? <CloseButton aria-label={removeLabel} onClick={() => onChange?.("")} /> : null}
				inputContainer={(field) => (
					<Group gap="xs" wrap="nowrap" align="flex-end">
						<Box flex={1}>{field}</Box>
						<CommandButton
							command={choose}
							label={t("file.choose")}
							size="sm"
							flex="none"
							disabled={readOnly}
							aria-label={chooseLabel}
						/>
					</Group>
				)}
				{...input}
			/>
			<ProblemNotice problem={choose.error} />
		</Stack>
	);
}

interface FolderFieldProps extends Omit<TextInputProps, "onChange"> {
	site: SiteView;
	onChange?: (folder: string) => void;
}

/** Folder as the site sees it. For a site on this computer, the system's file dialog can select it. */
export function FolderField({ site, onChange, ...input }: FolderFieldProps) {
	const { t } = useTranslation();
	const practice = usePractice();
	const choose = useCommand((backend) => backend.chooseFolder(), null, {
		onDone: (folder) => folder !== null && onChange?.(folder),
	});
	const practiceFolder = site.environment === "practice" ? practice.data?.exportFolder : undefined;
	return (
		<Stack gap="xs">
			<TextInput onChange={(event) => onChange?.(event.currentTarget.value)} {...input} />
			{isLocal(site) ? (
				<Group gap="xs">
					<CommandButton command={choose} label={t("folder.choose")} />
					{practiceFolder ? <Button onClick={() => onChange?.(practiceFolder)}>{t("folder.practice")}</Button> : null}
				</Group>
			) : null}
			<ProblemNotice problem={choose.error} />
		</Stack>
	);
}

interface SearchFieldProps extends Omit<TextInputProps, "value" | "onChange" | "type"> {
	value: string;
	onChange: (value: string) => void;
	/** Whether the search shortcut focuses this field. `false` if another field of the page has it. */
	hasKey?: boolean;
}

/** Search of a page or list, with shortcut and clear button. */
export function SearchField({ value, onChange, hasKey = true, ...input }: SearchFieldProps) {
	const { t } = useTranslation("common");
	const find = usePageKey("find");
	const field = useRef<HTMLInputElement>(null);
	const clear = () => {
		onChange("");
		// The clear button, which had the focus, is removed.
		field.current?.focus();
	};
	return (
		<TextInput
			ref={field}
			type="search"
			classNames={{ input: classes.input ?? "" }}
			leftSection={<IconSearch size={16} aria-hidden />}
			rightSection={value ? <CloseButton size="sm" aria-label={t("clearSearch")} onClick={clear} /> : null}
			value={value}
			onChange={(event) => onChange(event.currentTarget.value)}
			{...(hasKey ? find : {})}
			{...input}
		/>
	);
}

/** Input with hidden text and a button, reachable by keyboard, that shows it. */
export function SecretInput(props: PasswordInputProps) {
	const { t } = useTranslation();
	return (
		<PasswordInput
			visibilityToggleFocusable
			visibilityToggleButtonProps={{ "aria-label": t("secretInput.toggle") }}
			{...props}
		/>
	);
}
