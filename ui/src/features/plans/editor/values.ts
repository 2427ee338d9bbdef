import type { UseFormReturnType } from "@mantine/form";
import type {
	BackupPlan,
	ChannelId,
	Day,
	KeepRules,
	PlanForm,
	PlanPart,
	PortalStore,
	RehearseEvery,
	Schedule,
	ServerId,
	SiteView,
} from "@/bridge";
import { noPortalStore, type PortalDestinationValues } from "@/components/portal-destination";

/** Values of the form. A number is a string while the field is empty. */
export interface PlanValues extends PortalDestinationValues {
	name: string;
	hasPortal: boolean;
	location: string;
	seenAt: string;
	servers: ServerId[];
	folder: string;
	deleteStored: boolean;
	/** Empty for never. */
	rehearseEvery: RehearseEvery | "";
	alerts: ChannelId[];
	tellsChanges: boolean;
	days: Day[];
	times: string;
	catchUp: boolean;
	last: number | string;
	daily: number | string;
	weekly: number | string;
	monthly: number | string;
	withinDays: number | string;
}

/** Part of the form that its sections receive. */
export type PlanFormHandle = Pick<
	UseFormReturnType<PlanValues>,
	"values" | "errors" | "setFieldValue" | "getInputProps"
>;

export const days: readonly Day[] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** Returns the values of a new plan: the whole site, every night. */
export function newValues(site: SiteView): PlanValues {
	return {
		...noPortalStore,
		name: "",
		hasPortal: site.portal !== null,
		location: "",
		seenAt: "",
		servers: site.servers.flatMap(({ id }) => (id === null ? [] : [id])),
		folder: "",
		deleteStored: true,
		rehearseEvery: "",
		alerts: [],
		tellsChanges: false,
		days: [...days],
		times: "02:30",
		catchUp: true,
		last: 7,
		daily: "",
		weekly: "",
		monthly: "",
		withinDays: "",
	};
}

export function valuesOf(plan: BackupPlan): PlanValues {
	const portal = plan.parts.find((part) => part.kind === "portal");
	const { keep, schedule } = plan;
	return {
		...noPortalStore,
		...portal?.store,
		name: plan.name,
		hasPortal: portal !== undefined,
		location: portal?.location ?? "",
		seenAt: portal?.seenAt ?? "",
		servers: plan.parts.flatMap((part) => (part.kind === "server" ? [part.server] : [])),
		folder: plan.folder,
		deleteStored: plan.deleteStored,
		rehearseEvery: plan.rehearseEvery ?? "",
		alerts: plan.alerts,
		tellsChanges: plan.tellsChanges ?? false,
		days: schedule.days,
		times: schedule.times.map(timeText).join(", "),
		catchUp: !schedule.skipMissed,
		last: keep.last ?? "",
		daily: keep.daily ?? "",
		weekly: keep.weekly ?? "",
		monthly: keep.monthly ?? "",
		withinDays: keep.withinDays ?? "",
	};
}

/** Returns the object storage of the portal; `null` for a folder. */
function storeOf({ kind, bucket, region, container, accountName, accountEndpoint }: PlanValues): PortalStore | null {
	switch (kind) {
		case "folder":
			return null;
		case "bucket":
			return { kind, bucket, region };
		case "blob":
			return { kind, container, accountName, accountEndpoint };
	}
}

/**
 * Returns the plan in the form: the portal first, then the servers in the order of the site. The account key is added
 * only when the plan is saved.
 */
export function formOf(site: SiteView, plan: BackupPlan | null, values: PlanValues, isEnabled: boolean): PlanForm {
	const { name, hasPortal, location, folder, deleteStored } = values;
	const portal: PlanPart[] = hasPortal
		? [{ kind: "portal", location: location.trim(), seenAt: seenAtOf(values), store: storeOf(values) }]
		: [];
	const servers = site.servers.flatMap(({ id }): PlanPart[] =>
		id !== null && values.servers.includes(id) ? [{ kind: "server", server: id }] : [],
	);
	return {
		id: plan?.id ?? null,
		site: site.id,
		name,
		isEnabled,
		parts: [...portal, ...servers],
		schedule: scheduleOf(values),
		folder,
		deleteStored,
		keep: keepOf(values),
		rehearseEvery: values.rehearseEvery || null,
		alerts: values.alerts,
		tellsChanges: values.tellsChanges,
		accountKey: null,
	};
}

/**
 * Returns the folder of the portal as this computer sees it; `null` if it does not, or the destination is object
 * storage.
 */
export function seenAtOf({ kind, seenAt }: PlanValues): string | null {
	return kind === "folder" && seenAt !== "" ? seenAt : null;
}

export function scheduleOf({ days: chosen, times, catchUp }: PlanValues): Schedule {
	return {
		days: days.filter((day) => chosen.includes(day)),
		times: timesOf(times) ?? [],
		skipMissed: !catchUp,
	};
}

/** Parses times; `null` if one is invalid. */
export function timesOf(text: string): Schedule["times"] | null {
	const times = text
		.split(/[,;\s]+/)
		.filter(Boolean)
		.map((time) => {
			const [, hour, minute] = /^(\d{1,2})[:.](\d{2})$/.exec(time) ?? [];
			return { hour: Number(hour ?? 24), minute: Number(minute ?? 0) };
		});
	return times.every(({ hour, minute }) => hour < 24 && minute < 60) ? times : null;
}

/** 24-hour format in every language, because {@link timesOf} parses it. */
function timeText({ hour, minute }: Schedule["times"][number]): string {
	return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

function keepOf({ last, daily, weekly, monthly, withinDays }: PlanValues): KeepRules {
	return {
		last: numberOf(last),
		daily: numberOf(daily),
		weekly: numberOf(weekly),
		monthly: numberOf(monthly),
		withinDays: numberOf(withinDays),
	};
}

const numberOf = (typed: number | string): number | null => Number(typed) || null;

/** Returns the name that a field of the backend has in this form. */
export function fieldOf(field: string): string {
	return field === "parts" ? "servers" : field.replace(/^(parts\.\d+|schedule)\./, "");
}
