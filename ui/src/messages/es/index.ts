import { catalogue } from "../catalogue";

/** Namespaces that the first screen can show. */
export const words = catalogue(
	import.meta.glob<object>(
		[
			"./common.json",
			"./fault-injection.json",
			"./practice.json",
			"./problems.json",
			"./site-proof.json",
			"./sites.json",
		],
		{
			eager: true,
			import: "default",
		},
	),
);
