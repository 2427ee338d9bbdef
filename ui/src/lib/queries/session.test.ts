import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import type { Problem } from "@/bridge";
import { signedInSite } from "@/test/render";
import { cityServer } from "@/test/targets";
import { queryKeys } from "./keys";
import { noteEndOfSession } from "./program";

const signIn: Problem = { kind: "signIn", site: "city", server: null };
const webhooks = { services: 1, active: 1, gone: [], failed: [], unknown: [], notRead: null, inactive: null };

test.each<[string, Problem]>([
	["alone", signIn],
	["as the cause of an import that was not sent", { kind: "webhooksWereInactive", cause: signIn, webhooks }],
])("a missing sign-in ends the session of its site: %s", (_, problem) => {
	const queries = new QueryClient();
	queries.setQueryData(queryKeys.session(cityServer), signedInSite().session);
	noteEndOfSession(queries, problem, Date.now());
	expect(queries.getQueryData(queryKeys.session(cityServer))).toBeNull();
});
