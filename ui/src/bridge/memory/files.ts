import type { Problem, RunStep, SiteId, UnfinishedUpload, UploadEnd, UploadId, UploadSource } from "../bindings";
import type { Doings } from "./answer";
import { type Dialogs, savedFile } from "./operations";
import type { RunBook } from "./runs";
import { sessionOf } from "./sessions";
import { refuseLocked } from "./sites";
import { siteIn, type World } from "./world";

const size = 214_600_000;
const unexpected = (message: string): Problem => ({ kind: "unexpected", message });

/** Files between the site and this computer. `chosen`: what the dialog for a file to upload answers. */
export function transferring(world: World, book: RunBook, dialogs: Dialogs, chosen: string | null, endless: boolean) {
	function mayUpload(id: SiteId): void {
		refuseLocked(siteIn(world, id));
		sessionOf(world, id);
	}

	function begun(item: UploadId): UnfinishedUpload {
		const found = world.unfinishedUploads.find((one) => one.item === item);
		if (!found) throw unexpected(`no upload ${item} was begun`);
		return found;
	}

	function toUpload(source: UploadSource): UnfinishedUpload | null {
		if (source.kind === "goOn") return begun(source.item);
		const path = source.kind === "dropped" ? source.path : chosen;
		return path === null ? null : { item: `i${world.uploads.length + 1}`, path, size, done: 0 };
	}

	function forget(item: UploadId): void {
		world.unfinishedUploads = world.unfinishedUploads.filter((one) => one.item !== item);
	}

	function discard(kept: string): void {
		world.keptInvitations = world.keptInvitations.filter((one) => one.kept !== kept);
	}

	return {
		uploadForImport: async (site, run, source): Promise<UploadEnd> => {
			mayUpload(site);
			const file = toUpload(source);
			if (file === null) return { kind: "dismissed" };
			book.refuseBusy(site);
			const steps = [0, 1, 2, 3].map((part): RunStep => ({ kind: "uploading", done: (size * part) / 4, total: size }));
			const siteName = siteIn(world, site).name;
			const order = { site, siteName, run, operation: "import_server", act: "upload", steps } as const;
			const stopped = await book.pass(order, endless);
			forget(file.item);
			if (stopped) {
				const unfinished = { ...file, done: size / 2 };
				world.unfinishedUploads.push(unfinished);
				return { kind: "stopped", unfinished };
			}
			const name = file.path.split("/").at(-1) ?? file.path;
			world.uploads.push({ id: file.item, name, description: "", date: String(Date.now()) });
			return { kind: "uploaded", item: file.item, name, size };
		},
		listUnfinishedUploads: () => world.unfinishedUploads,
		discardUpload: (site, item) => {
			mayUpload(site);
			forget(begun(item).item);
		},
		saveStoredExport: (_site, _run, location) => savedFile(dialogs, location.split("/").at(-1) ?? "", size),
		saveInvitationAgain: (kept) => {
			const saving = savedFile(dialogs, `${kept}.invite`, 2_310);
			if (saving.kind === "saved") {
				discard(kept);
				// Of which site it is is nothing to what the window does with it.
				world.lap.seen.push("refreshInvitation");
			}
			return saving;
		},
		listUnsavedInvitations: (id) =>
			world.keptInvitations.filter(({ site }) => site === id).map(({ site: _, ...kept }) => kept),
		discardUnsavedInvitation: (kept) => discard(kept),
		saveTable: (name) => savedFile(dialogs, `${name}.csv`, 2_200),
	} satisfies Partial<Doings>;
}
