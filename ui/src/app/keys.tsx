import { Group, Kbd } from "@mantine/core";
import { useKeyNames } from "@/lib/use-key-names";

/** Keys of a shortcut as this system labels them. */
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
