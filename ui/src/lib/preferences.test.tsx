import { screen, waitFor } from "@testing-library/react";
import type { Backend, Problem } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { i18n, speak } from "@/messages/i18n";
import { renderWith } from "@/test/render";
import { usePreferences } from "./preferences";

function Probe() {
	const { preferences, change, problem } = usePreferences();
	return (
		<>
			<output>{`${preferences.theme} ${preferences.zoom}`}</output>
			<p>{problem?.kind}</p>
			<button type="button" onClick={() => change({ zoom: preferences.zoom + 10 })}>
				larger
			</button>
			<button type="button" onClick={() => change({ theme: "dark", language: "de" })}>
				dark and German
			</button>
		</>
	);
}

const press = (name: string) => screen.getByRole("button", { name });

afterEach(() => speak("en"));

test("changes hold at once and are kept in the order they were made", async () => {
	const { user, backend } = renderWith(<Probe />, { answerMillis: 5 });
	await user.click(press("larger"));
	await user.click(press("larger"));
	await user.click(press("larger"));
	expect(screen.getByRole("status")).toHaveTextContent("system 130");
	await waitFor(async () => expect((await backend.preferences()).preferences.zoom).toBe(130));
});

test("the theme and the language follow", async () => {
	const { user } = renderWith(<Probe />);
	await user.click(press("dark and German"));
	await waitFor(() => expect(document.documentElement).toHaveAttribute("data-mantine-color-scheme", "dark"));
	await waitFor(() => expect(i18n.language).toBe("de"));
});

test("what the organisation locked does not change, whoever asks", async () => {
	const { preferences, setAside } = await fakeBackend().preferences();
	const policy = {
		file: "/etc/site-steward/policy.json",
		locked: ["theme" as const],
		plans: "allowed" as const,
		plansFolder: null,
		faults: [],
	};
	const { user } = renderWith(<Probe />, fakeBackend(), { preferences, setAside, policy });
	await user.click(press("dark and German"));
	await waitFor(() => expect(i18n.language).toBe("de"));
	expect(screen.getByRole("status")).toHaveTextContent("system 100");
});

test("what cannot be kept holds for this window and is said", async () => {
	const backend = fakeBackend({ fail: { savePreferences: { kind: "unexpected", message: "disk full" } } });
	const { user } = renderWith(<Probe />, backend);
	await user.click(press("larger"));
	expect(await screen.findByText("unexpected")).toBeInTheDocument();
	expect(screen.getByRole("status")).toHaveTextContent("system 110");
});

test("what could not be kept is kept with the next change, and does not stand in its way", async () => {
	const real = fakeBackend();
	let full = true;
	const backend: Backend = {
		...real,
		savePreferences: async (preferences, password) => {
			if (full && preferences.zoom !== 100) throw { kind: "unexpected", message: "disk full" } satisfies Problem;
			return real.savePreferences(preferences, password);
		},
	};
	const { user } = renderWith(<Probe />, backend);
	await user.click(press("larger"));
	expect(await screen.findByText("unexpected")).toBeInTheDocument();
	await user.click(press("dark and German"));
	await waitFor(async () => expect((await real.preferences()).preferences).toMatchObject({ theme: "dark", zoom: 100 }));
	expect(screen.getByText("unexpected")).toBeInTheDocument();
	expect(screen.getByRole("status")).toHaveTextContent("dark 110");
	full = false;
	await user.click(press("larger"));
	await waitFor(async () => expect((await real.preferences()).preferences.zoom).toBe(120));
	await waitFor(() => expect(screen.queryByText("unexpected")).not.toBeInTheDocument());
});
