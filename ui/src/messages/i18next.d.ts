import "i18next";
import type { english } from "./i18n";

declare module "i18next" {
	interface CustomTypeOptions {
		defaultNS: "common";
		resources: typeof english;
		returnNull: false;
	}
}
