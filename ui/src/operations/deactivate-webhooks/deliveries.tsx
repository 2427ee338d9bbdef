import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ServiceView, Target, WebhookDeliveries, WebhookOfService } from "@/bridge";
import { WithIcon } from "@/components/outcome";
import { Small } from "@/components/text";
import { formatTime } from "@/lib/format";
import { useFailedDeliveries } from "@/lib/queries/site";

/** State of the deliveries of one or several webhooks. */
type Known =
	| { kind: "inactive" | "reading" | "notRead" | "notReported" | "none" }
	| { kind: "failed"; count: number; first: number | null; last: number | null };

type Read = ReadonlyMap<string, WebhookDeliveries>;

const keyOf = ({ service, webhook }: WebhookOfService) => JSON.stringify([service, webhook]);

/** Returns the webhooks with an ID, except inactive ones, for which servers list no failed deliveries. */
function askable(services: readonly ServiceView[]): WebhookOfService[] {
	return services.flatMap(({ path, webhooks }) =>
		(webhooks ?? [])
			.filter(({ id, active }) => id !== "" && path !== "" && active !== false)
			.map(({ id }) => ({ service: path, webhook: id })),
	);
}

/** Reads the failed deliveries of a server's webhooks, after its list of services. */
export function useDeliveries(target: Target, services: readonly ServiceView[]) {
	const { data, isFetching } = useFailedDeliveries(target, askable(services));
	return { read: new Map((data ?? []).map((one) => [keyOf(one), one])), isReading: isFetching && data === undefined };
}

/**
 * Combines the deliveries of some webhooks of a service. Servers list only failures, so "none" does not mean success.
 */
export function knownOf(
	{ path }: ServiceView,
	webhooks: readonly { id: string; active: boolean | null }[],
	{ read, isReading }: { read: Read; isReading: boolean },
): Known {
	const active = webhooks.filter((one) => one.active !== false);
	if (active.length === 0) return { kind: "inactive" };
	if (isReading) return { kind: "reading" };
	const each = active.map(({ id }) => read.get(keyOf({ service: path, webhook: id })));
	const failed = each.filter((one) => (one?.failures ?? 0) > 0);
	if (failed.length > 0) {
		const times = (of: "first" | "last") => failed.flatMap((one) => one?.[of] ?? []);
		const [first, last] = [times("first"), times("last")];
		return {
			kind: "failed",
			count: failed.reduce((sum, one) => sum + (one?.failures ?? 0), 0),
			first: first.length > 0 ? Math.min(...first) : null,
			last: last.length > 0 ? Math.max(...last) : null,
		};
	}
	if (each.some((one) => one === undefined)) return { kind: "notRead" };
	return { kind: each.some((one) => one?.failures === null) ? "notReported" : "none" };
}

export function Deliveries({ known }: { known: Known }) {
	const { t } = useTranslation("deactivateWebhooks", { keyPrefix: "deliveries" });
	if (known.kind !== "failed") return <Text c="dimmed">{t(known.kind)}</Text>;
	const { count, first, last } = known;
	const when = () => {
		if (first === null || last === null) return null;
		return first === last ? formatTime(last) : t("between", { first: formatTime(first), last: formatTime(last) });
	};
	return (
		<WithIcon icon="failed">
			<div>
				<Text>{t("failed", { count })}</Text>
				<Small>{when()}</Small>
			</div>
		</WithIcon>
	);
}
