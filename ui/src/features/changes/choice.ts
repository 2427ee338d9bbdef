import type { ReactNode } from "react";
import type { Compared } from "@/bridge";

/** What stands above the columns of both snapshots. */
export interface Titles {
	from: string;
	to: string;
	/** Names of both sides, between two sites or servers. */
	sides: { left: string; right: string } | null;
}

/** Two snapshots that a user chose, with the fields to choose others. */
export interface Choice {
	compared: Compared;
	titles: Titles;
	fields: ReactNode;
}
