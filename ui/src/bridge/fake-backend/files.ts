import type { RunStep, SiteId, UnfinishedUpload, UploadEnd, UploadId, UploadSource } from "../bindings";
import type { Doings } from "./answer";
import { nameOfFile, savedFile } from "./dialogs";
import { note } from "./history";
import { found, refused } from "./problems";
import type { RunBook } from "./runs";
import { sessionOf } from "./sessions";
import { refuseLocked } from "./sites";
import { serverNameIn, siteIn, type World } from "./world";

const size = 214_600_000;

/** Transfers between the site and this computer. With `endless`, uploads run until they are stopped. */
export function transferring(world: World, book: RunBook, endless: boolean) {
	function mayUpload(id: SiteId): void {
		refuseLocked(siteIn(world, id));
		sessionOf(world, id);
	}

	const begun = (item: UploadId): UnfinishedUpload =>
		found(world.unfinishedUploads, (one) => one.item === item, `upload ${item}`);

	function toUpload(source: UploadSource): UnfinishedUpload | null {
		if (source.kind === "goOn") return begun(source.item);
		const path = source.kind === "dropped" ? source.path : world.dialogs.fileToUpload;
		return path === null ? null : { item: `i${world.uploads.length + 1}`, path, size, done: 0 };
	}

	function forget(item: UploadId): void {
		world.unfinishedUploads = world.unfinishedUploads.filter((one) => one.item !== item);
	}

	function discard(kept: string): void {
		world.keptInvitations = world.keptInvitations.filter((one) => one.kept !== kept);
	}

	return {
		uploadForImport: async ({ site, server }, run, source): Promise<UploadEnd> => {
			mayUpload(site);
			const file = toUpload(source);
			if (file === null) return { kind: "dismissed" };
			const steps = [0, 1, 2, 3].map((part): RunStep => ({ kind: "uploading", done: (size * part) / 4, total: size }));
			const stopped = await book.upload(siteIn(world, site), server, run.id, steps, endless);
			forget(file.item);
			if (stopped) {
				const unfinished = { ...file, done: size / 2 };
				world.unfinishedUploads.push(unfinished);
				return { kind: "stopped", unfinished };
			}
			const name = nameOfFile(file.path);
			world.uploads.push({ id: file.item, name, description: "", date: String(Date.now()), here: null });
			return { kind: "uploaded", item: file.item, name, size };
		},
		suggestExport: ({ site: id, server }) => {
			const site = siteIn(world, id);
			const at = new Date().toISOString().slice(0, 19).replace("T", " ").replaceAll(":", "-");
			return { name: `${serverNameIn(site, server) ?? site.name} ${at}.agssite`, lastSize: world.lastExportSize };
		},
		hasRoomForCopy: () => world.roomForCopy,
		listUnfinishedUploads: () => world.unfinishedUploads,
		discardUpload: ({ site }, item) => {
			mayUpload(site);
			forget(begun(item).item);
			return world.uploads.find((one) => one.id === item)?.name ?? null;
		},
		deleteUpload: ({ site: id }, item, _confirmation, reason) => {
			const site = siteIn(world, id);
			mayUpload(id);
			const upload = world.uploads.find((one) => one.id === item);
			if (!upload) throw refused(404, `The upload ${item} was not found.`);
			world.uploads = world.uploads.filter((one) => one.id !== item);
			const parameters = [
				{ name: "file", value: upload.name },
				{ name: "item", value: item },
			];
			note(world, site, "delete_upload", { parameters, note: upload.name, reason });
		},
		saveStoredExport: (_site, _run, location) => {
			const saving = savedFile(world, nameOfFile(location), size);
			return { saving, verification: saving.kind === "saved" ? world.exportVerification : null };
		},
		saveInvitationAgain: (kept) => {
			const saving = savedFile(world, `${kept}.invite`, 2_310);
			if (saving.kind === "saved") discard(kept);
			return saving;
		},
		listUnsavedInvitations: (id) =>
			world.keptInvitations.filter(({ site }) => site === id).map(({ site: _, ...kept }) => kept),
		discardUnsavedInvitation: (kept) => discard(kept),
		saveTable: (name) => savedFile(world, `${name}.csv`, 2_200),
	} satisfies Partial<Doings>;
}
