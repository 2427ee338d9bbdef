import { vi } from "vitest";
import { fakeBackend } from "./fake-backend";
import { heldBack } from "./held-back";

function held() {
	const program = fakeBackend();
	let release: () => void = () => {};
	const until = new Promise<void>((done) => {
		release = done;
	});
	return { program, backend: heldBack(program, until), release: () => release() };
}

test("what the first screen shows is answered at once", async () => {
	const { backend } = held();
	expect(await backend.listSites()).toEqual([]);
});

test("another question waits until the first screen can be used, and is answered then", async () => {
	const { backend, release } = held();
	let answered = false;
	const answer = backend.listRuns().finally(() => {
		answered = true;
	});
	await backend.listSites();
	expect(answered).toBe(false);
	release();
	expect((await answer).running).toEqual([]);
});

test("a problem that comes late is still the one that the program reports", async () => {
	const problem = { kind: "unexpected", message: "no" } as const;
	const backend = heldBack(fakeBackend({ fail: { practice: problem } }), Promise.resolve());
	await expect(backend.practice()).rejects.toEqual(problem);
});

test("who stops listening before it began hears nothing", async () => {
	const { program, backend, release } = held();
	const [stays, leaves] = [vi.fn(), vi.fn()];
	backend.onMenu(stays);
	backend.onMenu(leaves)();
	release();
	await backend.listRuns();
	program.happen.menu("palette");
	expect(stays).toHaveBeenCalledWith("palette");
	expect(leaves).not.toHaveBeenCalled();
});
