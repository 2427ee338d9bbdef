import type { Target } from "@/bridge";

/** The server of City GIS. */
export const cityServer: Target = { site: "city", server: "server" };

/** The server of the practice site. */
export const practiceServer: Target = { site: "practice", server: "server" };
