// The only contract between the window and the program. `tauri.ts` fulfils it with the real program,
// `memory.ts` with a small world in memory for tests and for an ordinary browser.
import type {
	About,
	BrowserSignIn,
	CloseAnswer,
	CloseAsked,
	CommandLanguage,
	ConnectionForm,
	ContactRun,
	DataItem,
	DeactivateReport,
	DeactivateWebhooksForm,
	Ended,
	EndedRun,
	Examination,
	ExportOutcome,
	ExportPortalForm,
	ExportServerForm,
	FileDrag,
	FindItemsForm,
	FirstRows,
	FoundItems,
	FoundServerView,
	FoundView,
	HistoryFormat,
	HistoryPage,
	HistoryPlace,
	HistorySearch,
	ImportBriefing,
	ImportReport,
	ImportServerForm,
	InvitationView,
	ItemFormat,
	ItemQuery,
	ItemRows,
	ItemSearchView,
	KeptFile,
	KeptInvitationView,
	Key,
	LapView,
	MenuAct,
	Millis,
	MishapOrder,
	NameValue,
	OpenedFile,
	Outcome,
	OutcomeCheck,
	ParticipantView,
	PinView,
	PracticeView,
	Preferences,
	PreferencesView,
	Profile,
	ProfileFile,
	RecordDetails,
	RefreshInvitationForm,
	RefreshReport,
	Reminder,
	ReportFormat,
	RestoreReport,
	RunId,
	RunView,
	Saving,
	SearchId,
	ServerExportReport,
	ServerId,
	ServiceView,
	SessionView,
	SettlementView,
	Several,
	SheetReading,
	SignInForm,
	SilenceId,
	SilenceView,
	SiteForm,
	SiteId,
	SiteView,
	StoredUpload,
	TokenOutlook,
	UnfinishedUpload,
	UpdateParticipantForm,
	UpdateReport,
	UpdateView,
	UploadEnd,
	UploadId,
	UploadSource,
} from "./bindings";

/** Every promise rejects with a `Problem` and with nothing else. */
export interface Backend {
	// Sites
	listSites(): Promise<SiteView[]>;
	saveSite(form: SiteForm): Promise<SiteView>;
	/** Its tokens, passwords and unsaved invitations go with it; its history stays. */
	removeSite(site: SiteId, reason: string): Promise<void>;
	/** Those that `order` does not name come after. */
	orderSites(order: SiteId[]): Promise<SiteView[]>;
	/** For one address of the site and no other. */
	trustCertificate(site: SiteId, pin: PinView): Promise<SiteView>;
	/** Credentials may go to this address of the site from now on. */
	confirmAddress(site: SiteId, address: string): Promise<SiteView>;
	/** Unlocks a read-only site for a quarter of an hour; the reason goes into the history first. */
	unlockSite(site: SiteId, reason: string): Promise<SiteView>;
	lockSite(site: SiteId): Promise<SiteView>;
	/** Chooses the server that is worked with. */
	chooseServer(site: SiteId, server: ServerId): Promise<SiteView>;
	/** What is behind a pasted address. Nothing secret is sent. `site`: the saved one that is being changed. */
	findSite(site: SiteId | null, pasted: string, connection: ConnectionForm): Promise<FoundView>;
	/** The servers that the portal of a site knows, once somebody is signed in. */
	findServers(site: SiteId): Promise<FoundServerView[]>;
	/** Into one file, without secrets and without trust. */
	saveProfiles(sites: SiteId[]): Promise<Saving>;
	/** What is in a file that the person chooses. Nothing is saved by that. */
	openProfiles(): Promise<ProfileFile>;
	/** `confirmed`: the addresses at other hosts that the person agreed to. */
	addProfile(profile: Profile, name: string, confirmed: readonly string[]): Promise<SiteView>;

	// Sign-in
	/** At one server of the site; `null`: at its portal, or at the server of a site without a portal. */
	signIn(site: SiteId, server: ServerId | null, form: SignInForm): Promise<SessionView>;
	/** Opens the portal's own page in the system's browser, and waits until the browser comes back. */
	signInInBrowser(site: SiteId): Promise<BrowserSignIn>;
	stopBrowserSignIn(site: SiteId): Promise<void>;
	/** With a token that was issued elsewhere; it cannot be renewed. */
	signInWithToken(site: SiteId, server: ServerId | null, pasted: string): Promise<SessionView>;
	/** For portals that send nobody back to this computer: the page shows a code. */
	openSignInPage(site: SiteId): Promise<void>;
	signInWithCode(site: SiteId, pasted: string): Promise<SessionView>;
	/** Whether the token at hand is likely to outlive an operation. */
	tokenOutlook(site: SiteId, operation: Key): Promise<TokenOutlook>;
	/** Who is signed in, asked of the site with the stored token; `null` when there is no token. */
	session(site: SiteId): Promise<SessionView | null>;
	signOut(site: SiteId): Promise<void>;

	// Practice
	startPractice(): Promise<PracticeView>;
	practice(): Promise<PracticeView | null>;
	signInToPractice(username: string): Promise<SessionView>;
	/** Of one of its people, for whoever adds the practice site by its address. It opens nothing else. */
	practicePassword(username: string): Promise<string>;
	stopPractice(): Promise<void>;
	/** The mishaps that are still to come; the others answer with the same list, as it is then. */
	listMishaps(): Promise<MishapOrder[]>;
	orderMishap(order: MishapOrder): Promise<MishapOrder[]>;
	clearMishaps(): Promise<MishapOrder[]>;
	/** Puts the practice site back as it was at its first start. Whoever was signed in is signed out. */
	resetPractice(): Promise<PracticeView>;
	/** How far the guided lap is; the others answer with the same. */
	guidedLap(): Promise<LapView>;
	beginLap(): Promise<LapView>;
	endLap(): Promise<LapView>;
	foldLap(folded: boolean): Promise<LapView>;

	// What forms pick from
	listServices(site: SiteId): Promise<ServiceView[]>;
	listDataRoots(site: SiteId): Promise<string[]>;
	listUploads(site: SiteId): Promise<StoredUpload[]>;
	listParticipants(site: SiteId): Promise<ParticipantView[]>;
	listInvitations(site: SiteId): Promise<InvitationView[]>;
	/** What a contact sheet would change: the file at a path, or the one chosen in the system's dialog. */
	readContactSheet(site: SiteId, path: string | null): Promise<SheetReading>;
	/** A sheet with the present contact of every participant. */
	/** What came of the last sheet that was sent; `null` when none was since somebody signed in. */
	lastContactRun(site: SiteId): Promise<ContactRun | null>;
	saveContactTemplate(site: SiteId): Promise<Saving>;
	/** A table that the window shows, the names of its columns first. */
	saveTable(name: string, rows: string[][]): Promise<Saving>;
	/** The system's folder dialog; `null` when it was closed. */
	chooseFolder(): Promise<string | null>;
	/** The same for a file, of which nothing is read. */
	chooseFile(): Promise<string | null>;

	// The seven operations, in the order of the sidebar
	exportPortal(site: SiteId, run: RunId, form: ExportPortalForm): Promise<Ended<ExportOutcome>>;
	exportServer(site: SiteId, run: RunId, form: ExportServerForm): Promise<Ended<ServerExportReport>>;
	briefImport(site: SiteId): Promise<ImportBriefing>;
	importServer(site: SiteId, run: RunId, form: ImportServerForm): Promise<Ended<ImportReport>>;
	deactivateWebhooks(site: SiteId, run: RunId, form: DeactivateWebhooksForm): Promise<Ended<DeactivateReport>>;
	/** The program holds what was found; the window asks for the rows it shows. */
	findItems(site: SiteId, run: RunId, form: FindItemsForm, first: FirstRows): Promise<Ended<FoundItems>>;
	updateParticipant(site: SiteId, run: RunId, form: UpdateParticipantForm): Promise<Ended<UpdateReport>>;
	/** One after the other; Stop is heeded between two. */
	updateParticipants(site: SiteId, run: RunId, forms: UpdateParticipantForm[]): Promise<Ended<Several<UpdateReport>>>;
	refreshInvitation(site: SiteId, run: RunId, form: RefreshInvitationForm): Promise<Ended<RefreshReport>>;
	/** Into one folder, which is chosen in the system's dialog first. */
	refreshInvitations(site: SiteId, run: RunId, forms: RefreshInvitationForm[]): Promise<Ended<Several<RefreshReport>>>;

	// What was found of data items; freed by the next search, and when somebody signs in or out
	lastItemSearch(site: SiteId): Promise<ItemSearchView | null>;
	/** What was asked for last, newest first. */
	recentItemFilters(site: SiteId): Promise<FindItemsForm[]>;
	itemRows(site: SiteId, search: SearchId, query: ItemQuery, from: number, most: number): Promise<ItemRows>;
	/** Secrets masked. */
	itemDetails(site: SiteId, search: SearchId, item: number): Promise<DataItem>;
	/** The secrets of this one item, for a person who asks for them. */
	revealItem(site: SiteId, search: SearchId, item: number): Promise<NameValue[]>;
	saveItems(site: SiteId, search: SearchId, query: ItemQuery, format: ItemFormat): Promise<Saving>;

	/** Imports the export that was made before the import of this record. */
	undoImport(site: SiteId, run: RunId, record: string, confirmation: string): Promise<Ended<ImportReport>>;

	// Services whose webhooks are silent
	silenceLedger(site: SiteId): Promise<SilenceView[]>;
	/** Activates exactly the webhooks that were active before. */
	restoreWebhooks(site: SiteId, run: RunId, entry: SilenceId): Promise<Ended<RestoreReport>>;
	remindMe(entry: SilenceId, at: Millis | null): Promise<void>;
	/** A person says that an entry needs no restoring any more. Sends nothing. */
	settleSilence(site: SiteId, entry: SilenceId): Promise<void>;
	/** What is due, on all sites. */
	reminders(): Promise<Reminder[]>;

	// Files that are still in hand: a stored export that was not downloaded, an invitation that was not saved
	saveStoredExport(site: SiteId, run: RunId, location: string): Promise<Saving>;
	saveInvitationAgain(kept: KeptFile): Promise<Saving>;
	/** Refreshed invitations that are not saved yet, also those of an earlier start. */
	listKeptInvitations(site: SiteId): Promise<KeptInvitationView[]>;
	discardKeptInvitation(kept: KeptFile): Promise<void>;

	// Files that are uploaded so that a server can import them
	uploadForImport(site: SiteId, run: RunId, source: UploadSource): Promise<UploadEnd>;
	/** Uploads that were begun and can go on. */
	listUnfinishedUploads(site: SiteId): Promise<UnfinishedUpload[]>;
	discardUpload(site: SiteId, item: UploadId): Promise<void>;

	// Runs
	listRuns(): Promise<RunView[]>;
	/** Those that ended and were not dismissed yet, oldest first. */
	listEndedRuns(): Promise<EndedRun[]>;
	dismissRun(run: RunId): Promise<void>;
	stopRun(run: RunId): Promise<void>;
	/** Called with all running operations whenever one begins, moves or ends. Returns the way to stop listening. */
	onRuns(listener: (runs: RunView[], ended: EndedRun[]) => void): () => void;

	// History
	/** One page, newest first; `olderThan` is what the page before said. */
	searchHistory(search: HistorySearch, olderThan: HistoryPlace | null, limit: number): Promise<HistoryPage>;
	/** Everybody who has a record, by name. */
	historyPeople(): Promise<string[]>;
	/** Everything that a search finds, as one file. */
	saveHistory(search: HistorySearch, format: HistoryFormat): Promise<Saving>;
	/** One record with all that is kept of it, as a ZIP. */
	saveEvidence(record: string): Promise<Saving>;
	/** The record as a command that sends it again, the token as a variable. */
	recordAsCommand(record: string, language: CommandLanguage): Promise<string>;
	importReport(record: string): Promise<ImportReport>;
	/** What can be seen now of a request whose answer was lost. Sends nothing that has an effect. */
	checkOutcome(record: string): Promise<OutcomeCheck>;
	/** What the person found out about it. */
	settleOutcome(record: string, outcome: Outcome, note: string): Promise<void>;
	settlement(record: string): Promise<SettlementView | null>;
	/** A record with its requests and its answer, without secrets. */
	recordDetails(record: string): Promise<RecordDetails>;
	/** What is ticked off of a record: parts of a checklist, messages of a report. */
	ticks(record: string): Promise<string[]>;
	setTick(record: string, item: string, done: boolean): Promise<void>;
	/** Shows a file that this program saved since it was started, in the system's own window of its folder. */
	showInFolder(path: string): Promise<void>;
	saveReport(record: string, format: ReportFormat): Promise<Saving>;

	// The window
	preferences(): Promise<PreferencesView>;
	/** `null` leaves the password of the program's proxy as it is. */
	savePreferences(preferences: Preferences, proxyPassword: string | null): Promise<Preferences>;
	/** The first screen is painted, or the language has changed. */
	windowReady(language: string): Promise<void>;
	/** The first screen shows the sites. Said once, when the program was started. */
	windowUsable(): Promise<void>;
	/** Somebody closes the window while something runs or would be lost; `answerClose` says what becomes of it. */
	onCloseAsked(listener: (asked: CloseAsked) => void): () => void;
	answerClose(answer: CloseAnswer): Promise<void>;
	/** A file is dragged over the window, or was dropped there. */
	onFileDrag(listener: (drag: FileDrag) => void): () => void;
	/** Somebody opened a file with the program; `takeOpenedFile` says which, once. */
	onFileOpened(listener: () => void): () => void;
	takeOpenedFile(): Promise<OpenedFile | null>;
	/** Somebody chose from the menu of the application, where the system has one. */
	onMenu(listener: (act: MenuAct) => void): () => void;
	/** Opens a link that a site has sent, in the system's browser. Only the site's own hosts are opened. */
	openLink(site: SiteId, address: string): Promise<void>;

	about(): Promise<About>;
	/** Shows the newest log in the system's window of folders. */
	showLogs(): Promise<void>;
	/** How it stands with newer versions of the program. Nobody outside is asked by this. */
	updateState(): Promise<UpdateView>;
	/** Called whenever it stands otherwise. Returns the way to stop listening. */
	onUpdate(listener: (now: UpdateView) => void): () => void;
	lookForUpdate(): Promise<UpdateView>;
	/** Downloads, checks and installs the version that was found last; answers when that has ended. */
	installUpdate(version: string): Promise<UpdateView>;
	stopUpdate(): Promise<void>;
	/** Answers only when the program cannot be started anew now. */
	restartForUpdate(): Promise<UpdateView>;
	/** Examines what the program depends on; with a site, the way to it too. */
	examine(site: SiteId | null): Promise<Examination>;
	/** The title of the native window. */
	setTitle(title: string): Promise<void>;
}
