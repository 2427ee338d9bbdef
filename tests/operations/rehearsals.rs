//! Rehearsals of a restore on a second practice site, which is marked as test.

use std::path::PathBuf;
use std::time::Duration;

use practice_site::{FaultRule, InjectedFault, Operation, Options, PracticeSite, Release};
use steward_core::actions::sign_in::sign_in_as;
use steward_core::history::ReportFormat;
use steward_core::history::record::intent_on;
use steward_core::model::deployment::Environment;
use steward_core::model::ids::{RecordId, SiteId, Target};
use steward_core::model::import_report::ImportReport;
use steward_core::model::problem::{PreconditionFailure, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::model::site_proof::{ProofAbout, WhyOpen};
use steward_core::operations::import_portal::{self, ImportPortalForm, PortalImportReport};
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::operations::import_server::{self, ImportServerForm, UndoOptions};
use steward_core::sites::{ServerForm, SiteForm};
use steward_core::transfers::export_verification::last_rehearsal;
use steward_core::transfers::upload::{self, UploadEnd, UploadSource};
use steward_journal::{Filter, Intent, Outcome};
use steward_plans::attempt::StoredSet;
use steward_plans::plan::{BackupPlan, PlanPart};
use steward_plans::rehearsal::conduct::{OpenedStep, begin, end, forget, open};
use steward_plans::rehearsal::differences::DifferenceAbout;
use steward_plans::rehearsal::receipt;
use steward_plans::rehearsal::receipt_file;
use steward_plans::rehearsal::verdict::{RehearsalVerdict, StepState};
use steward_plans::rehearsal::view::{RehearsalView, view};
use steward_plans::sets;
use steward_plans::store;
use steward_testkit::seeded_site;
use steward_vault::Secret;

use crate::backup_plans::{plan_of, run_of};
use crate::import_portal::form as portal_form;
use crate::import_server::form as server_form;
use crate::test_app::{self, TestApp, damage};

mod comparison;
mod defects;
mod figures;
mod killed;
mod production;
mod reminder;
mod without_the_app;

const NAME: &str = "Harbour Test";

/// The program with a set of its site, and another practice site that is marked as test.
struct Rehearsing {
    app: TestApp,
    plan: BackupPlan,
    stored: StoredSet,
    test: PracticeSite,
    site: SiteId,
}

impl Rehearsing {
    async fn new() -> Self {
        Box::pin(Self::of(TestApp::new().await, Release::default())).await
    }

    /// A set of the site of the program, and a test site of a version.
    async fn of(app: TestApp, release: Release) -> Self {
        let this = Box::pin(Self::without_password(app, release)).await;
        this.keep_password().await;
        this
    }

    /// The same, where no password of the test site is saved.
    async fn without_password(app: TestApp, release: Release) -> Self {
        let mut plan = plan_of(&app);
        for part in &mut plan.parts {
            if let PlanPart::Portal { seen_at, .. } = part {
                *seen_at = Some(app.folder("portal"));
            }
        }
        let stored = run_of(&app, &plan).await.unwrap();
        let plans = store::plans(&app.steward.data_folder);
        plans.change(|plans| *plans = vec![plan.clone()]);
        drop(plans);
        let app = app.restarted();
        let options = Options { release, localhost: true, ..test_app::options(&app.folder("second")) };
        let test = seeded_site(options).await.unwrap();
        test.accept_site_files(true).await.unwrap();
        let ready = test.ready();
        let form = test_app::form(None, &ready.portal, &ready.server);
        let form = SiteForm { name: NAME.to_owned(), environment: Environment::Test, ..form };
        let site = app.sites().save(&form).unwrap().id;
        let this = Self { app, plan, stored, test, site };
        this.sign_in().await;
        this
    }

    fn administrator(&self) -> (String, Secret<String>) {
        let users = &self.test.ready().users;
        let user = users.iter().find(|user| user.role == "administrator").unwrap();
        (user.username.clone(), Secret::new(user.password.clone()))
    }

    async fn keep_password(&self) {
        let ((username, password), context) = (self.administrator(), &self.app.steward.context);
        context.access.keep_password(&self.site, &username, &password).await.unwrap();
    }

    async fn sign_in(&self) {
        let ((username, password), context) = (self.administrator(), &self.app.steward.context);
        sign_in_as(context, &self.site, &username, &password).await.unwrap();
        // What the list of differences shows of the site.
        steward_app::overview::check_site(context, &self.site).await.unwrap();
    }

    fn set(&self) -> String {
        self.stored.folder.file_name().unwrap().to_str().unwrap().to_owned()
    }

    fn restarted(self) -> Self {
        Self { app: self.app.restarted(), ..self }
    }

    fn server(&self) -> Target {
        self.app.server_of(&self.site)
    }

    async fn begin(&self) -> Result<(), Problem> {
        let steward = &self.app.steward;
        begin(&steward.context, &steward.rehearsals, &self.plan, &self.set(), &self.site).await
    }

    async fn view(&self) -> RehearsalView {
        let steward = &self.app.steward;
        view(&steward.context, &steward.rehearsals, &steward.proofs, &self.plan, &self.set(), &self.site)
            .await
            .unwrap()
    }

    async fn states(&self) -> Vec<StepState> {
        self.view().await.steps.into_iter().map(|step| step.state).collect()
    }

    /// The part of the next step: whether it is that of the portal.
    async fn next(&self) -> Option<bool> {
        let steps = self.view().await.steps;
        steps.into_iter().find(|step| step.is_next).map(|step| step.part.server.is_none())
    }

    async fn open(&self, is_portal: bool) -> Result<OpenedStep, Problem> {
        let steward = &self.app.steward;
        let server = self.app.server.server.clone().filter(|_| !is_portal);
        let (rehearsals, proofs) = (&steward.rehearsals, &steward.proofs);
        let (context, dialogs) = (&steward.context, &steward.dialogs);
        open(context, dialogs, rehearsals, proofs, &self.plan, &self.site, server.as_ref()).await
    }

    async fn end(&self) -> Result<Option<RecordId>, Problem> {
        let steward = &self.app.steward;
        end(&steward.context, &steward.rehearsals, &steward.proofs, &self.plan, &self.site).await
    }

    async fn import_portal(&self) -> RecordId {
        let done = self.send_portal().await.unwrap();
        let RunResult::Done { record: Some(record), .. } = done else { panic!("{done:?}") };
        record
    }

    async fn send_portal(&self) -> Result<RunResult<PortalImportReport>, Problem> {
        let OpenedStep::Portal { location } = self.open(true).await? else { panic!() };
        self.send_portal_from(&location).await
    }

    /// The import alone.
    async fn send_portal_from(&self, location: &str) -> Result<RunResult<PortalImportReport>, Problem> {
        let form = ImportPortalForm {
            export_version: None,
            safety_backup: Some(self.app.folder("safety").display().to_string()),
            confirmation: NAME.to_owned(),
            ..portal_form(location)
        };
        let context = &self.app.steward.context;
        Box::pin(import_portal::perform(context, &self.site, self.app.run(), form)).await
    }

    async fn import_server(&self) -> RecordId {
        let done = self.send_server().await.unwrap();
        let RunResult::Done { record: Some(record), .. } = done else { panic!("{done:?}") };
        record
    }

    async fn send_server(&self) -> Result<RunResult<ImportReport>, Problem> {
        let OpenedStep::Server { server, file } = self.open(false).await? else { panic!() };
        assert_eq!(Some(server), self.server().server);
        self.send_server_from(file.path).await
    }

    /// The upload and the import alone.
    async fn send_server_from(&self, path: String) -> Result<RunResult<ImportReport>, Problem> {
        let target = self.server();
        let steward = &self.app.steward;
        let (context, transfers) = (&steward.context, &steward.transfers);
        let source = UploadSource::Dropped { path, part_mebibytes: 100 };
        let end = upload::upload(context, transfers, &target, self.app.run(), source).await.unwrap();
        let UploadEnd::Uploaded { item, .. } = end else { panic!("{end:?}") };
        let form = ImportServerForm {
            confirmation: NAME.to_owned(),
            safety_backup: Some(SafetyBackupOptions { also_here: false }),
            ..server_form(&item.0)
        };
        Box::pin(import_server::perform(context, transfers, &target, self.app.run(), form)).await
    }

    /// Checks the test site until nothing is expected to become better, or `is_enough`.
    async fn checked(&self, is_enough: impl Fn(&Self) -> bool) {
        let steward = &self.app.steward;
        for _ in 0..60 {
            steward.proofs.check_due(&steward.context).await;
            let now = steward.proofs.of(&steward.context, &self.site);
            if now.as_ref().is_some_and(|now| now.import.is_some() && !now.is_waiting) || is_enough(self) {
                return;
            }
            if now.is_some_and(|now| now.is_waiting) {
                steward.proofs.check_again(&steward.context, &self.site).unwrap();
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        panic!("{:#?}", steward.proofs.of(&steward.context, &self.site));
    }

    async fn receipts(&self) -> Vec<steward_journal::StoredRecord> {
        let filter = Filter { operation: Some("rehearse".to_owned()), ..Filter::default() };
        self.app.steward.context.history.journal(move |journal| journal.records(&filter)).await.unwrap()
    }

    /// Number of imports that were sent to the test site.
    async fn imports(&self) -> usize {
        let is_one = |record: &&steward_journal::StoredRecord| {
            record.intent.site == self.site.0 && record.intent.operation.starts_with("import_")
        };
        self.app.history().await.iter().filter(is_one).count()
    }
}

/// The program after a rehearsal, which ended after the import of the portal.
pub(crate) async fn ended() -> TestApp {
    let this = Rehearsing::new().await;
    this.begin().await.unwrap();
    this.import_portal().await;
    this.end().await.unwrap();
    this.app
}

#[tokio::test]
async fn a_rehearsal_goes_on_after_each_restart_from_the_set_to_its_receipt_and_back() {
    let this = Rehearsing::new().await;
    let before = this.view().await;
    assert!(before.begun.is_none() && before.refused.is_none(), "{before:?}");
    assert!(before.differences.iter().all(|one| one.set != one.test), "{:?}", before.differences);
    assert_eq!(this.states().await, [StepState::Open, StepState::Open]);
    assert!(this.open(true).await.is_err(), "it was not begun");

    this.begin().await.unwrap();
    let this = this.restarted();
    assert_eq!(this.next().await, Some(true), "the portal comes first");
    assert!(this.open(false).await.is_err(), "the portal is not back");

    let portal = this.import_portal().await;
    assert_eq!(this.states().await[0], StepState::ComingBack);
    assert!(this.open(false).await.is_err(), "the portal is not back");
    let this = this.restarted();
    assert_eq!(this.states().await, [StepState::ComingBack, StepState::Open]);
    this.checked(|_| false).await;
    assert_eq!(this.next().await, Some(false), "{:?}", this.view().await);

    let this = this.restarted();
    let server = this.import_server().await;
    let this = this.restarted();
    this.checked(|_| false).await;
    let states = this.states().await;
    assert!(states.iter().all(|state| *state == StepState::BackBut), "a service has no data: {states:?}");
    assert_eq!(this.imports().await, 2, "nothing is sent twice");

    // Killed after the receipt was written, and before the rehearsal was forgotten.
    let file = this.app.steward.data_folder.join("rehearsals.json");
    let begun = std::fs::read(&file).unwrap();
    let record = this.end().await.unwrap().unwrap();
    let data_folder = this.app.steward.data_folder.clone();
    assert_eq!(this.app.steward.rehearsals.all(), []);
    std::fs::write(data_folder.join("rehearsals.json"), begun).unwrap();
    let this = this.restarted();
    assert_eq!(this.app.steward.rehearsals.all().len(), 1);
    assert_eq!(this.end().await.unwrap(), Some(record.clone()));
    let receipts = this.receipts().await;
    assert_eq!(receipts.len(), 1, "{receipts:?}");
    assert_eq!(receipts[0].outcome, Outcome::Warnings);
    let parts = &receipts[0].facts.run_parts;
    let linked: Vec<_> = parts.iter().map(|part| part.record.clone().unwrap()).collect();
    assert_eq!(linked, [portal.0.clone(), server.0.clone()]);
    let contents: Vec<_> = parts.iter().map(|part| part.sha256.clone().unwrap()).collect();

    let history = &this.app.steward.context.history;
    let shown = receipt::view(history, record.clone()).await.unwrap();
    assert_eq!(shown.receipt.verdict, RehearsalVerdict::BackBut);
    assert_eq!(shown.receipt.set_sha256.len(), 64);
    assert!(shown.receipt.recovery_time.is_some() && !shown.receipt.head.is_empty(), "{shown:?}");
    let of_set: Vec<_> = shown.receipt.parts.iter().map(|part| part.sha256.clone().unwrap()).collect();
    assert_eq!(of_set, contents);
    let named = serde_json::to_string(&shown.receipt).unwrap();
    assert!(named.contains("Parcels/Zoning"), "the service that did not start is named: {named}");
    // What the receipt counts, by the databases of the test site.
    let count = |database: &str, sql: &str| -> u32 {
        let database = this.app.folder("second").join("site").join(database);
        rusqlite::Connection::open(database).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let services = |and: &str| {
        let sql = format!("SELECT count(*) FROM services WHERE configured_state = 'STARTED' {and}");
        count("server/server.db", &sql)
    };
    let (should_run, run) = (services(""), services("AND real_time_state = 'STARTED'"));
    assert!(0 < run && run < should_run, "{run} of {should_run}");
    let items = count("portal/portal.db", "SELECT count(*) FROM items");
    let back = |part: usize| shown.receipt.parts[part].back.as_ref().unwrap();
    let line = back(1).line(ProofAbout::Services).unwrap();
    assert_eq!((line.done, line.of), (run, should_run));
    assert_eq!(back(0).index.unwrap().items, items);

    // Overview, set, and plan show the rehearsal of the contents of this set. Another content was not rehearsed.
    let context = &this.app.steward.context;
    let last = last_rehearsal(context, &this.app.server).await.unwrap().unwrap();
    assert_eq!(
        (last.record.clone(), last.outcome, last.site.clone()),
        (record.clone(), Outcome::Warnings, this.site.clone())
    );
    let other = run_of(&this.app, &this.plan).await.unwrap();
    let listed = sets::of(context, &this.plan).await.unwrap().sets;
    for set in &listed {
        let is_it = set.name == this.set();
        assert_eq!(set.rehearsed.is_some(), is_it, "{} beside {:?}", set.name, other.folder);
    }
    let plans = this.app.steward.plans.list(context, &this.app.site).await.unwrap().plans;
    assert_eq!(plans[0].rehearsed.as_ref().map(|one| &one.record), Some(&record));

    // Saved as a page and as JSON.
    let counted = format!("Services running: {run} / {should_run}");
    for (format, has) in [(ReportFormat::Html, counted.as_str()), (ReportFormat::Json, "\"setSha256\"")] {
        let path = this.app.folder("saved").join("receipt");
        this.app.dialogs.will_choose(&path);
        let steward = &this.app.steward;
        receipt_file::save(history, &steward.dialogs, &steward.language, record.clone(), format)
            .await
            .unwrap();
        let saved = std::fs::read_to_string(&path).unwrap();
        assert!(saved.contains(has) && contents.iter().all(|sha256| saved.contains(sha256)), "{saved}");
        assert!(!saved.contains("receipt."), "a text is missing: {saved}");
    }

    // Put back, the last first.
    let order: Vec<_> = shown.put_back.iter().map(|step| step.import.clone()).collect();
    assert_eq!(order, [server.clone(), portal]);
    assert!(shown.put_back.iter().all(|step| step.can_undo && step.undone_by.is_none()), "{shown:?}");
    let steward = &this.app.steward;
    let options = UndoOptions { secure: false, ..UndoOptions::default() };
    let undo =
        import_server::undo(context, &steward.transfers, &this.site, this.app.run(), server, NAME, options);
    Box::pin(undo).await.unwrap();
    let shown = receipt::view(history, record).await.unwrap();
    assert!(shown.put_back[0].undone_by.is_some() && shown.put_back[1].undone_by.is_none());
}

#[tokio::test]
async fn without_a_saved_password_a_rehearsal_waits_for_a_sign_in_and_goes_on_where_it_was() {
    let this = Box::pin(Rehearsing::without_password(TestApp::new().await, Release::default())).await;
    this.begin().await.unwrap();
    this.import_portal().await;
    let needs_sign_in = |this: &Rehearsing| {
        let now = this.app.steward.proofs.of(&this.app.steward.context, &this.site);
        let lines = now.and_then(|now| now.proof).map(|proof| proof.lines).unwrap_or_default();
        lines.iter().flat_map(|line| &line.open).any(|part| part.why == WhyOpen::SignIn)
    };
    this.checked(needs_sign_in).await;
    let this = this.restarted();
    this.checked(needs_sign_in).await;
    assert_eq!(this.states().await, [StepState::ComingBack, StepState::Open]);
    assert!(this.open(false).await.is_err(), "the portal is not back");

    this.sign_in().await;

    this.checked(|_| false).await;
    assert_eq!(this.next().await, Some(false), "{:?}", this.view().await);
    this.import_server().await;
    this.checked(|_| false).await;
    assert_eq!(this.imports().await, 2, "nothing is sent twice");
    let record = this.end().await.unwrap().unwrap();
    let receipt = receipt::view(&this.app.steward.context.history, record).await.unwrap().receipt;
    assert!(receipt.parts.iter().all(|part| part.state == StepState::BackBut), "{receipt:#?}");
}

fn find(folder: &std::path::Path, name: &str) -> Option<PathBuf> {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let here = entries.iter().find(|path| path.file_name().is_some_and(|one| one == name)).cloned();
    here.or_else(|| entries.iter().filter(|path| path.is_dir()).find_map(|inside| find(inside, name)))
}

#[tokio::test]
async fn a_changed_byte_of_the_set_is_found_before_its_import_and_named_in_the_receipt() {
    let this = Rehearsing::new().await;
    this.begin().await.unwrap();
    let steward = &this.app.steward;
    // Stop at every moment: a rehearsal without an import leaves no receipt.
    assert_eq!(this.end().await.unwrap(), None);
    assert!(this.receipts().await.is_empty() && steward.rehearsals.all().is_empty());
    this.begin().await.unwrap();
    forget(&steward.rehearsals, &this.site).unwrap();
    assert!(steward.rehearsals.all().is_empty());
    this.begin().await.unwrap();
    let part = this.stored.set.parts.iter().find(|part| part.server.is_some()).unwrap();
    let file = part.files.iter().find(|file| file.name.ends_with(".agssite")).unwrap();
    let path = this.stored.folder.join(&file.name);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[700] ^= 1;
    damage(&path, bytes);
    steward.rehearsals.skip(&this.site, None, true).unwrap();
    assert_eq!(this.states().await, [StepState::Skipped, StepState::Open]);

    let opened = this.open(false).await;

    assert!(matches!(opened, Err(Problem::File { .. })), "{opened:?}");
    assert_eq!(this.imports().await, 0);
    steward.rehearsals.skip(&this.site, None, false).unwrap();
    this.import_portal().await;
    steward.proofs.stop(&this.site);
    // Killed while the receipt was written.
    let id = steward.rehearsals.on(&this.site).unwrap().id;
    let test = this.app.sites().get(&this.site).unwrap();
    let intent = Intent { parameters: vec![("rehearsal".to_owned(), id)], ..intent_on(&test, "rehearse") };
    steward.context.history.journal(move |journal| journal.intend(&intent)).await.unwrap();
    let this = this.restarted();
    assert_eq!(this.receipts().await[0].outcome, Outcome::Unknown);
    let record = this.end().await.unwrap().unwrap();
    let history = &this.app.steward.context.history;
    let shown = receipt::view(history, record).await.unwrap();
    let states: Vec<_> = shown.receipt.parts.iter().map(|part| part.state).collect();
    assert_eq!(states[1], StepState::Changed, "{states:?}");
    assert_eq!(shown.receipt.verdict, RehearsalVerdict::Incomplete);
    let receipts = this.receipts().await;
    assert_eq!((receipts.len(), receipts[0].outcome), (1, Outcome::Warnings));
    assert_eq!(receipts[0].facts.run_parts[1].sha256, None, "its content was not restored");
}

#[tokio::test]
async fn an_index_that_never_ends_is_not_back_and_the_user_may_go_on() {
    let this = Rehearsing::new().await;
    this.test.add_fault(FaultRule {
        operation: Operation::ImportPortal,
        fault: InjectedFault::IndexLags,
        times: 1,
        seconds: 3_600,
        after: false,
    });
    this.begin().await.unwrap();
    this.import_portal().await;
    let is_lagging = |this: &Rehearsing| {
        this.app
            .steward
            .proofs
            .of(&this.app.steward.context, &this.site)
            .is_some_and(|now| now.proof.is_some() && now.is_waiting)
    };
    this.checked(is_lagging).await;
    assert_eq!(this.states().await[0], StepState::ComingBack);
    assert_eq!(this.next().await, Some(true), "the next step waits");

    this.app.steward.proofs.stop(&this.site);

    let states = this.states().await;
    assert!(matches!(states[0], StepState::NotBack | StepState::NotKnown), "{states:?}");
    assert_eq!(this.next().await, Some(false));
    let record = this.end().await.unwrap().unwrap();
    let shown = receipt::view(&this.app.steward.context.history, record).await.unwrap();
    assert_ne!(shown.receipt.verdict, RehearsalVerdict::Back);
    assert_eq!(shown.receipt.parts[1].state, StepState::Open, "what was not tried is named");
    assert_eq!(shown.receipt.recovery_time, None);
}
