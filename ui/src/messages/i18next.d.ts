import "i18next";
import type { words as first } from "./en";
import type { words as later } from "./en/later";

declare module "i18next" {
	interface CustomTypeOptions {
		defaultNS: "common";
		resources: typeof first & typeof later;
		returnNull: false;
	}
}
