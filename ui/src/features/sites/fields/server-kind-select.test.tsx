import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderWith } from "@/test/render";
import { ServerKindSelect } from "./server-fields";

test("a hosting server of a type without a name here can be set back to that type", async () => {
	const onKind = vi.fn();
	const serverType = { kind: "other" as const, name: "Knowledge" };
	const { user } = renderWith(
		<ServerKindSelect label="Server type" server={{ role: "HOSTING_SERVER", serverType }} onKind={onKind} />,
	);
	await user.click(screen.getByRole("combobox", { name: "Server type" }));
	await user.click(await screen.findByRole("option", { name: "Knowledge" }));
	expect(onKind).toHaveBeenCalledExactlyOnceWith({ role: "", serverType });
});
