import { Group, Kbd } from "@mantine/core";
import { useKeyNames } from "@/lib/page-keys";

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
