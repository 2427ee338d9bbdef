import { TextInput } from "@mantine/core";

interface TypedConfirmationProps {
	label: string;
	typed: string;
	onType: (typed: string) => void;
}

/** The field of a dialog for what has to be typed before it can be confirmed. */
export function TypedConfirmation({ label, typed, onType }: TypedConfirmationProps) {
	return (
		<TextInput
			label={label}
			spellCheck={false}
			autoComplete="off"
			data-path="confirmation"
			value={typed}
			onChange={(event) => onType(event.currentTarget.value)}
		/>
	);
}
