import type { UseFormReturnType } from "@mantine/form";
import type {
	BackupPlan,
	ChannelId,
	Day,
	KeepRules,
	PlanForm,
	PlanPart,
	PortalStore,
	Problem,
	Schedule,
	ServerId,
	SiteView,
} from "@/bridge";
import { noPortalStore, type PortalDestinationValues } from "@/components/portal-destination";

/** What is filled in. A number field may be empty while the user types. */
export interface PlanValues extends PortalDestinationValues {
	name: string;
	hasPortal: boolean;
	location: string;
	seenAt: string;
	servers: ServerId[];
	folder: string;
	deleteStored: boolean;
	rehearseDays: number | string;
	alerts: ChannelId[];
	days: Day[];
	times: string;
	catchUp: boolean;
	last: number | string;
	daily: number | string;
	weekly: number | string;
	monthly: number | string;
	withinDays: number | string;
}

/** What the groups of the form use of it. */
export type PlanFormHandle = Pick<
	UseFormReturnType<PlanValues>,
	"values" | "errors" | "setFieldValue" | "getInputProps"
>;

export const days: readonly Day[] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** What a new plan begins with: all of the site, every night. */
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
		rehearseDays: "",
		alerts: [],
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
		rehearseDays: plan.rehearseDays ?? "",
		alerts: plan.alerts,
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

/** Object storage of the portal; `null` for a folder. */
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

/** The portal first, then the servers in the order of the site. Without the key of an account: only what is saved has it. */
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
		rehearseDays: numberOf(values.rehearseDays),
		alerts: values.alerts,
		accountKey: null,
	};
}

/** Where the file of the portal is seen from here; `null` if it is not, or is in object storage. */
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

/** Returns the times of a text; `null` if one of them is none. */
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

/** As it is typed, in every language. */
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

/** Fields of the program whose name is another here. */
const fields: readonly (readonly [RegExp, keyof PlanValues])[] = [
	[/^parts\.\d+\.location$/, "location"],
	[/^parts\.\d+\.seenAt$/, "seenAt"],
	[/^parts\.\d+\.bucket$/, "bucket"],
	[/^parts\.\d+\.region$/, "region"],
	[/^parts\.\d+\.container$/, "container"],
	[/^parts\.\d+\.accountName$/, "accountName"],
	[/^parts\.\d+\.accountEndpoint$/, "accountEndpoint"],
	[/^schedule\.days$/, "days"],
	[/^schedule\.times$/, "times"],
	[/^parts$/, "servers"],
];

/** A fault with the name that its field has in this form. */
export function inForm(problem: Problem): Problem {
	if (problem.kind !== "form") return problem;
	const field = fields.find(([name]) => name.test(problem.field))?.[1];
	return { ...problem, field: field ?? problem.field };
}
