import type { TFunction } from "i18next";

/** Returns the status of an invitation. Unknown ones are shown unchanged. */
export function statusText(t: TFunction<"refreshInvitation">, status: string): string {
	return status === "host_created" ? t("hostCreated") : status;
}
