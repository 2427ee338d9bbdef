import { Input, SegmentedControl, type SegmentedControlProps } from "@mantine/core";
import { useId } from "react";
import classes from "./choice.module.css";

const names = { root: classes.root ?? "", control: classes.control ?? "", label: classes.label ?? "" };

/** Choice between a few alternatives, which are stacked in a narrow window. */
export function Choice(props: SegmentedControlProps) {
	return <SegmentedControl classNames={names} {...props} />;
}

/** Choice as a field of a form, with its label above. */
export function ChoiceField({ label, ...choice }: SegmentedControlProps & { label: string }) {
	const id = useId();
	return (
		<Input.Wrapper label={label} labelElement="div" labelProps={{ id }}>
			<Choice fullWidth mt={5} aria-labelledby={id} {...choice} />
		</Input.Wrapper>
	);
}
