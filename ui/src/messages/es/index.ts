import { catalogue } from "../catalogue";

/** Those that the first screen may show. */
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
