import {
	Autocomplete,
	Button,
	Group,
	Input,
	Menu,
	SegmentedControl,
	SimpleGrid,
	Stack,
	TagsInput,
	TextInput,
	type TextInputProps,
} from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { memo, useId } from "react";
import { useTranslation } from "react-i18next";
import type { FindItemsForm, FoundItems, SiteId, SiteView, TypeCount } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { MenuButton } from "@/components/menu";
import { RequestPreview } from "@/components/request-preview";
import { SubmitButton, SubmitForm } from "@/components/submit-form";
import { faultOf, labelled, useFormFaults } from "@/lib/drafts";
import { useRecentItemFilters } from "@/lib/queries/items";
import { useDataRoots } from "@/lib/queries/site";
import type { OperationHandle } from "@/lib/runs";
import { serverOf, targetKey } from "@/lib/target";
import { useKeptForm } from "@/lib/use-kept-form";
import { filterText, knownTypes, typeText } from "./checks";
import { everything, filtersOf, isEmpty, type Managed, nothing, request, type Values, valuesOf } from "./values";

interface FiltersProps extends Pick<OperationHandle<FoundItems, FindItemsForm>, "start" | "running" | "problem"> {
	site: SiteView;
	/** Types in the last search result. */
	types: readonly TypeCount[];
}

/** Input first, so that neighboring fields are aligned regardless of the length of their descriptions. */
const below = ["label", "input", "description", "error"] satisfies TextInputProps["inputWrapperOrder"];

/**
 * Form for all items or for filters. Memoized, because rendering it for each step of a search delays the first rows.
 */
export const Filters = memo(function Filters({ site, start, running, problem, types }: FiltersProps) {
	const { t } = useTranslation(["findItems", "common"]);
	const { t: words } = useTranslation("findItems");
	const form = useKeptForm(filtersOf(targetKey(serverOf(site))), {
		initialValues: nothing,
		// The specification requires at least one filter.
		validate: { parentPath: (_, values) => (isEmpty(values) ? faultOf("oneFilterNeeded") : null) },
	});
	useFormFaults(problem, form);
	const listed = useDataRoots(serverOf(site)).data ?? [];
	const roots = listed.filter((root) => root !== "" && root !== "/");
	const unreadable = listed.length === roots.length ? [] : [{ value: t("common:unreadableEntry"), disabled: true }];
	const managedId = useId();
	const seen = types.map(({ type }) => type).filter((type) => type !== "");
	const others = knownTypes.filter((type) => !seen.includes(type));
	const show = (values: Values) => {
		form.setValues(values);
		form.clearErrors();
		start(request(values));
	};
	return (
		<Stack gap="sm">
			<Group gap="xs" role="group" aria-label={t("parts")}>
				<Button variant="filled" disabled={running} onClick={() => show(everything)}>
					{t("all")}
				</Button>
				{roots.map((root) => (
					<Button
						key={root}
						disabled={running}
						aria-label={t("allOf", { path: root })}
						onClick={() => show({ ...nothing, ancestorPath: root })}
					>
						{root}
					</Button>
				))}
				<EarlierFilters
					site={site.id}
					onChoose={(chosen) => {
						form.setValues(valuesOf(chosen));
						form.clearErrors();
					}}
				/>
			</Group>
			<Foldable title={t("filters")} wanted={!isEmpty(form.values)}>
				<SubmitForm onSubmit={form.onSubmit((filled) => start(request(filled)))}>
					<Stack gap="sm">
						<SimpleGrid type="container" cols={{ base: 1, "20em": 2, "46em": 3 }} verticalSpacing="sm">
							<Autocomplete
								{...labelled(t, "parentPath")}
								inputWrapperOrder={below}
								data={[...roots, ...unreadable]}
								{...form.getInputProps("parentPath")}
							/>
							<Autocomplete
								{...labelled(t, "ancestorPath")}
								inputWrapperOrder={below}
								data={["/", ...roots, ...unreadable]}
								{...form.getInputProps("ancestorPath")}
							/>
							<TagsInput
								{...labelled(t, "types")}
								inputWrapperOrder={below}
								acceptValueOnBlur
								data={[
									{ group: t("typesSeen"), items: seen },
									{ group: t("typesKnown"), items: [...others] },
								].filter(({ items }) => items.length > 0)}
								renderOption={({ option }) => typeText(words, option.value)}
								{...form.getInputProps("types")}
							/>
							<TextInput {...labelled(t, "id")} inputWrapperOrder={below} {...form.getInputProps("id")} />
							<Input.Wrapper
								{...labelled(t, "isManaged")}
								inputWrapperOrder={below}
								labelElement="div"
								labelProps={{ id: managedId }}
							>
								<SegmentedControl
									fullWidth
									mt={4}
									mb={5}
									aria-labelledby={managedId}
									data={(["any", "yes", "no"] satisfies Managed[]).map((value) => ({ value, label: t(value) }))}
									{...form.getInputProps("isManaged")}
								/>
							</Input.Wrapper>
						</SimpleGrid>
						<Group>
							<SubmitButton disabled={running}>{t("submit")}</SubmitButton>
						</Group>
						<RequestPreview site={site} form={{ operation: "find_items", form: request(form.values) }} />
					</Stack>
				</SubmitForm>
			</Foldable>
		</Stack>
	);
});

/** Menu with earlier filters. Hidden if there are none. */
export function EarlierFilters({ site, onChoose }: { site: SiteId; onChoose: (form: FindItemsForm) => void }) {
	const { t } = useTranslation("findItems");
	const earlier = useRecentItemFilters(site).data;
	if (!earlier || earlier.length === 0) return null;
	return (
		<MenuButton position="bottom-start" label={t("earlier")} icon={IconHistory} maw={480}>
			{earlier.map((form) => (
				<Menu.Item key={JSON.stringify(form)} onClick={() => onChoose(form)}>
					{filterText(t, form)}
				</Menu.Item>
			))}
		</MenuButton>
	);
}
