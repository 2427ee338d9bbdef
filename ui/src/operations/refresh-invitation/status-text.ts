import type { TFunction } from "i18next";

/** What an invitation that can be refreshed is. A portal may name another status: that is shown as it spells it. */
export function statusText(t: TFunction<"refreshInvitation">, status: string): string {
	return status === "host_created" ? t("hostCreated") : status;
}
