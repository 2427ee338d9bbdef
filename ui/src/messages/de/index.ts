import "dayjs/locale/de";
import { catalogue } from "../catalogue";

export const words = catalogue(import.meta.glob<object>("./**/*.json", { eager: true, import: "default" }));
