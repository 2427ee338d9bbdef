import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { StartChoice, StartProblem, StartProblemView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { usualPreferences } from "@/lib/preferences";
import { loadAllTexts } from "@/messages/i18n";
import { LookProviders } from "./providers";
import { StartProblemPage } from "./start-problem";

const problem: StartProblem = {
	file: "history",
	fault: "damaged",
	path: "/home/sam/data/journal.db",
	copyAt: Date.UTC(2026, 0, 15, 8),
	canContinue: false,
	details: "file is not a database",
};

async function open(shown: StartProblem, next: StartProblemView | null = null) {
	await loadAllTexts();
	const chosen: StartChoice[] = [];
	const started = vi.fn();
	const quit = vi.fn(async () => {});
	const backend = {
		...fakeBackend({}),
		quitStart: quit,
		resolveStart: async (choice: StartChoice) => {
			chosen.push(choice);
			return next;
		},
	};
	render(
		<LookProviders backend={backend} env="test">
			<StartProblemPage problem={shown} onStarted={started} />
		</LookProviders>,
	);
	return { chosen, started, quit, user: userEvent.setup() };
}

const buttons = () => screen.getAllByRole("button").map((button) => button.textContent);

test("the copy is used with the keyboard, and the program starts", async () => {
	const { user, chosen, started } = await open(problem);
	expect(screen.getByRole("heading", { name: "Could not read the history" })).toHaveFocus();
	expect(screen.getByRole("alert")).toHaveTextContent(/The file is damaged\.Last copy: .*2026/);
	expect(screen.getByText("/home/sam/data/journal.db")).toBeVisible();

	await user.tab();
	await user.tab();
	expect(screen.getByRole("button", { name: "Use the copy" })).toHaveFocus();
	await user.keyboard("{Enter}");

	expect(chosen).toEqual(["useCopy"]);
	expect(started).toHaveBeenCalledOnce();
});

test("what is wrong next is shown in its place", async () => {
	const sites: StartProblem = { ...problem, file: "sites", fault: "newer", copyAt: null };
	const { user, started } = await open(problem, { problem: sites, preferences: usualPreferences });

	await user.click(screen.getByRole("button", { name: "Set aside and continue" }));

	expect(await screen.findByRole("heading", { name: "Could not read the saved sites" })).toHaveFocus();
	expect(screen.getByRole("alert")).toHaveTextContent("There is no copy.");
	expect(screen.queryByRole("button", { name: "Use the copy" })).not.toBeInTheDocument();
	expect(started).not.toHaveBeenCalled();
});

test("a history that can only be read can be used as it is", async () => {
	const { user, chosen } = await open({ ...problem, fault: "notWritable", canContinue: true });
	expect(screen.getByRole("heading", { name: "Could not write the history" })).toBeVisible();

	await user.click(screen.getByRole("button", { name: "Continue without recording" }));

	expect(chosen).toEqual(["continue"]);
});

test("where nothing can be chosen, the details are copied and the program is left", async () => {
	const { user, quit } = await open({ ...problem, file: null, fault: "inUse", copyAt: null });
	expect(screen.getByRole("heading", { name: "The app could not start" })).toBeVisible();
	expect(buttons()).toEqual(["Copy", "Copy details", "Quit"]);

	await user.click(screen.getByRole("button", { name: "Quit" }));

	expect(quit).toHaveBeenCalledOnce();
});
