import type { Target } from "@/bridge";

export const cityServer: Target = { site: "city", server: "server" };

export const practiceServer: Target = { site: "practice", server: "server" };
