import { Autocomplete, Button, Group, Input, SegmentedControl, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { type DataItemSearch, type FindItemsForm, type SiteView, useBackend } from "@/bridge";
import { OperationScreen } from "@/components/operation-screen";
import { SentPreview } from "@/components/sent-preview";
import { useDraft } from "@/lib/drafts";
import { useDataRoots } from "@/lib/queries";
import { useFaults } from "@/lib/use-faults";
import { type OperationHandle, useOperation } from "@/lib/use-operation";
import { Report } from "./report";
import { everything, type Managed, nothing, request, type Values } from "./values";

export function FindItems({ site }: { site: SiteView }) {
	const { t } = useTranslation("findItems");
	const backend = useBackend();
	const handle = useOperation("find_items", site, (run, form: FindItemsForm) => backend.findItems(site.id, run, form));
	return (
		<OperationScreen
			operation="find_items"
			site={site}
			handle={handle}
			width="full"
			keepForm
			form={<Form site={site} handle={handle} />}
			report={(done) => <Report done={done} />}
			findOut={() => t("unknown")}
			again={t("again")}
		/>
	);
}

function Form({ site, handle }: { site: SiteView; handle: OperationHandle<DataItemSearch, FindItemsForm> }) {
	const { t } = useTranslation(["findItems", "common"]);
	const draft = useDraft<Values>(`${site.id} find_items`);
	const form = useForm<Values>({
		initialValues: draft.kept ?? nothing,
		onValuesChange: draft.keep,
		// The specification: at least one filter must be defined.
		validate: {
			parentPath: (_, values) => (isEmpty(values) ? t("common:fault.oneFilterNeeded") : null),
		},
	});
	useFaults(form, handle.faults);
	const roots = useDataRoots(site.id);
	const managedId = useId();
	const showAll = () => {
		form.setValues(everything);
		form.clearErrors();
		handle.start(request(everything));
	};
	return (
		<form noValidate onSubmit={form.onSubmit((values) => handle.start(request(values)))}>
			<Stack>
				<SimpleGrid cols={{ base: 2, md: 3 }} verticalSpacing="sm">
					<Autocomplete
						label={t("parentPath")}
						description={t("parentPathHint")}
						spellCheck={false}
						data={roots.data ?? []}
						{...form.getInputProps("parentPath")}
					/>
					<TextInput
						label={t("ancestorPath")}
						description={t("ancestorPathHint")}
						spellCheck={false}
						{...form.getInputProps("ancestorPath")}
					/>
					<TextInput
						label={t("types")}
						description={t("typesHint")}
						spellCheck={false}
						{...form.getInputProps("types")}
					/>
					<TextInput label={t("id")} spellCheck={false} {...form.getInputProps("id")} />
					<Input.Wrapper label={t("isManaged")} labelElement="div" labelProps={{ id: managedId }}>
						<SegmentedControl
							fullWidth
							aria-labelledby={managedId}
							data={(["any", "yes", "no"] satisfies Managed[]).map((value) => ({ value, label: t(value) }))}
							{...form.getInputProps("isManaged")}
						/>
					</Input.Wrapper>
				</SimpleGrid>
				<SentPreview
					site={site}
					path="/admin/data/findItems"
					parameters={Object.entries(request(form.values)).map(([name, value]) => ({
						name,
						value: value === null ? "" : String(value),
					}))}
				/>
				<Group>
					<Button type="submit" disabled={handle.running}>
						{t("submit")}
					</Button>
					<Button variant="default" disabled={handle.running} onClick={showAll}>
						{t("all")}
					</Button>
				</Group>
			</Stack>
		</form>
	);
}

function isEmpty(values: Values): boolean {
	const { isManaged, ...texts } = request(values);
	return isManaged === null && Object.values(texts).every((text) => text.trim() === "");
}
