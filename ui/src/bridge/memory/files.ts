import type {
	KeptFile,
	KeptInvitationView,
	RunStep,
	Saving,
	SiteId,
	SiteView,
	UnfinishedUpload,
	UploadEnd,
	UploadId,
	UploadSource,
} from "../bindings";
import type { World } from "./world";

export function keptInvitations(world: World, site: SiteId): KeptInvitationView[] {
	return world.keptInvitations.filter((one) => one.site === site).map(({ site: _, ...kept }) => kept);
}

export function forgetKept(world: World, kept: KeptFile): void {
	world.keptInvitations = world.keptInvitations.filter((one) => one.kept !== kept);
}

/** What is saved needs not be kept any longer. */
export function saveKept(world: World, kept: KeptFile, saving: Saving): Saving {
	if (saving.kind === "saved") forgetKept(world, kept);
	return saving;
}

const size = 214_600_000;

/** The file that is to be uploaded; `null` when the dialog was closed. */
export function toUpload(world: World, source: UploadSource, chosen: string | null): UnfinishedUpload | null {
	if (source.kind === "dropped") return { item: `i${world.uploads.length + 1}`, path: source.path, size, done: 0 };
	if (source.kind === "goOn") return world.unfinishedUploads.find(({ item }) => item === source.item) ?? null;
	return chosen === null ? null : { item: `i${world.uploads.length + 1}`, path: chosen, size, done: 0 };
}

export function uploading(site: SiteView) {
	const steps: RunStep[] = [0, 1, 2, 3].map((part) => ({ kind: "uploading", done: (size * part) / 4, total: size }));
	return { siteName: site.name, operation: "import_server" as const, steps };
}

export function uploaded(world: World, file: UnfinishedUpload, stopped: boolean): UploadEnd {
	forgetUpload(world, file.item);
	if (stopped) {
		const unfinished = { ...file, done: size / 2 };
		world.unfinishedUploads = [...world.unfinishedUploads, unfinished];
		return { kind: "stopped", unfinished };
	}
	const name = file.path.split("/").at(-1) ?? file.path;
	world.uploads = [...world.uploads, { id: file.item, name, description: "", date: String(Date.now()) }];
	return { kind: "uploaded", item: file.item, name, size: file.size };
}

export function forgetUpload(world: World, item: UploadId): void {
	world.unfinishedUploads = world.unfinishedUploads.filter((one) => one.item !== item);
}
