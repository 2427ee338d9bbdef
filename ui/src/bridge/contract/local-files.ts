import { exported, practice } from "./given";
import { has, ok, refuses, type Situation } from "./situation";

/** Files of this computer: the page can read only those that the user selected, and exports of the practice site. */
export const localFiles: Situation[] = [
	{
		name: "an export of the practice site has a size and a checksum",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const path = await exported(backend, site.id, exportFolder);
			const facts = await backend.fileFacts(path);
			has(facts, { path });
			ok(facts.size > 0, "it is empty");
			ok(/^[0-9a-f]{64}$/.test(facts.sha256), facts.sha256);
		},
	},
	{
		name: "a file that is not there cannot be read, and one elsewhere is not looked at",
		isAppOnly: true,
		play: async (backend) => {
			const { exportFolder } = await practice(backend);
			const path = `${exportFolder}/none.agssite`;
			await refuses(backend.fileFacts(path), { kind: "file", path });
			await refuses(backend.fileFacts("/srv/backup/city.agssite"), { kind: "unexpected" });
			await refuses(backend.fileFacts(`${exportFolder}/../none.agssite`), { kind: "unexpected" });
		},
	},
	{
		name: "a contacts file that was not dropped onto the window is not read",
		isAppOnly: true,
		play: async (backend) => {
			const { site } = await practice(backend);
			await refuses(backend.readContactsFile(site.id, "/srv/backup/contacts.csv"), { kind: "unexpected" });
		},
	},
	{
		name: "this computer has room for a copy of a safety backup where 10 GB are free",
		play: async (backend) => {
			const { findings } = await backend.runDiagnostics(null);
			const disk = findings.find(({ check }) => check === "disk");
			const free = disk?.facts.find(({ name }) => name === "freeSpace")?.value;
			ok(free?.kind === "size", "the free space is not known");
			has(await backend.hasRoomForCopy(), free.bytes >= 10_000_000_000);
		},
	},
];
