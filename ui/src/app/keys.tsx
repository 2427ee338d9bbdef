import { Group, Kbd } from "@mantine/core";
import { useKeyNames } from "@/lib/use-key-names";

/** A shortcut as the keyboard in front of the person has it. */
export function Keys({ of }: { of: string }) {
	const names = useKeyNames();
	return (
		<Group gap={4} wrap="nowrap" component="span">
			{names(of).map((name) => (
				<Kbd key={name}>{name}</Kbd>
			))}
		</Group>
	);
}
