import "dayjs/locale/de";
import { catalogue } from "../catalogue";

export const words = catalogue(
	import.meta.glob<object>(
		[
			"./**/*.json",
			"!./common.json",
			"!./fault-injection.json",
			"!./practice.json",
			"!./problems.json",
			"!./site-proof.json",
			"!./sites.json",
		],
		{ eager: true, import: "default" },
	),
);
