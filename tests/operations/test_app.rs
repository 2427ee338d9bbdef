//! The program without its window: a temporary folder, secrets in memory, dialogs that answer by themselves,
//! and the real practice site behind a real socket.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use practice_site::{Options, PracticeSite, ReadyUser, Release};
use steward_app::steward::Steward;
use steward_core::actions::browser_sign_in::{BrowserSignIn, redirect_addresses, through_loopback};
use steward_core::actions::sign_in::sign_in_as;
use steward_core::files::data_folder::DataFolder;
use steward_core::files::dialogs::{Choice, Dialogs, Title};
use steward_core::files::selected_paths::SelectedPaths;
use steward_core::history::save_audit_package;
use steward_core::model::ids::{RecordId, SiteId, Target};
use steward_core::model::import_report::ImportReport;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::deactivate_webhooks::{self, DeactivateWebhooksForm};
use steward_core::operations::export_portal::{self, ExportPortalForm, PortalExportReport};
use steward_core::operations::export_server::{self, ExportServerForm, ServerExportReport};
use steward_core::operations::find_items::{self, FindItemsForm, FirstRows, FoundItems};
use steward_core::operations::import_portal::{self, ImportPortalForm, PortalImportReport};
use steward_core::operations::import_server::{self, ImportServerForm, UndoOptions};
use steward_core::operations::refresh_invitation::{self, RefreshInvitationForm, RefreshReport};
use steward_core::operations::update_participant::{self, UpdateParticipantForm, UpdateReport};
use steward_core::runs::{RunId, RunRegistry};
use steward_core::settings::policy::Policy;
use steward_core::sites::{Site, SiteForm, Sites, TargetSite};
use steward_core::transfers::upload::{self, UploadEnd, UploadSource};
use steward_core::webhooks::deactivation::DeactivateReport;
use steward_journal::{Filter, StoredRecord};
use steward_testkit::{Fault, FaultProxy, InjectedFault, move_sessions, seeded_site};
use steward_vault::{MemoryStore, Secret, SecretStore};
use tempfile::TempDir;
use url::Url;

/// Gives the program a port of its own that the browser returns to, and registers it: tests run at the same time.
fn listen_alone(steward: &Steward, practice: &PracticeSite) {
    let free = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    steward.context.access.pending_sign_ins.use_ports(&[free]);
    let out_of_band = redirect_addresses().pop().unwrap();
    practice.register_redirects(vec![format!("http://127.0.0.1:{free}/"), out_of_band]);
}

/// The program on somebody's desk.
pub(crate) struct TestApp {
    pub(crate) steward: Steward,
    pub(crate) site: SiteId,
    /// Server of the site.
    pub(crate) server: Target,
    pub(crate) practice: PracticeSite,
    pub(crate) dialogs: Arc<AnswersByItself>,
    pub(crate) vault: Arc<MemoryStore>,
    folder: PathBuf,
    /// Removes the folder; `None` if it belongs to a test that reopens it.
    temporary: Option<TempDir>,
}

/// Answers of a person to the dialogs to come; without one, the dialog is closed.
#[derive(Default)]
pub(crate) struct AnswersByItself {
    answers: Mutex<VecDeque<PathBuf>>,
    suggested: Mutex<Vec<String>>,
    pages: Mutex<Vec<Url>>,
    shown: Mutex<Vec<PathBuf>>,
}

impl TestApp {
    /// The server that forms of a site begin with.
    pub(crate) fn server_of(&self, site: &SiteId) -> Target {
        self.sites().get(site).unwrap().current_target()
    }

    /// The same, with the settings of the site.
    pub(crate) fn current(&self, site: &Site) -> TargetSite {
        self.sites().at(&site.current_target()).unwrap()
    }

    /// Searches for data items, and wants no row with the answer.
    pub(crate) async fn find_items(&self, form: FindItemsForm) -> Result<RunResult<FoundItems>, Problem> {
        find_items::perform(
            &self.steward.context,
            &self.steward.item_searches,
            &self.server,
            self.run(),
            form,
            FirstRows::default(),
        )
        .await
    }

    /// Starts a portal export.
    pub(crate) async fn export_portal(
        &self,
        form: ExportPortalForm,
    ) -> Result<RunResult<PortalExportReport>, Problem> {
        export_portal::perform(&self.steward.context, &self.site, self.run(), form).await
    }

    /// Starts a server export.
    pub(crate) async fn export_server(
        &self,
        form: ExportServerForm,
    ) -> Result<RunResult<ServerExportReport>, Problem> {
        let Steward { context, transfers, .. } = &self.steward;
        export_server::perform(context, transfers, &self.server, self.run(), form).await
    }

    /// Saves the audit package of a record where the next dialog says.
    pub(crate) async fn save_audit_package(&self, record: RecordId) -> Result<SaveResult, Problem> {
        let Steward { context, dialogs, language, tour, .. } = &self.steward;
        save_audit_package(&context.history, dialogs, language, tour, vec![record]).await
    }

    /// Starts a server import.
    pub(crate) async fn import_server(
        &self,
        form: ImportServerForm,
    ) -> Result<RunResult<ImportReport>, Problem> {
        let Steward { context, transfers, .. } = &self.steward;
        Box::pin(import_server::perform(context, transfers, &self.server, self.run(), form)).await
    }

    /// Starts a portal import, or a check of the file.
    pub(crate) async fn import_portal(
        &self,
        form: ImportPortalForm,
    ) -> Result<RunResult<PortalImportReport>, Problem> {
        import_portal::perform(&self.steward.context, &self.site, self.run(), form).await
    }

    /// Undoes a portal import; after a safety backup to `folder`.
    pub(crate) async fn undo_portal_import(
        &self,
        record: RecordId,
        folder: Option<String>,
    ) -> Result<RunResult<PortalImportReport>, Problem> {
        let (context, site) = (&self.steward.context, &self.site);
        import_portal::undo(context, site, self.run(), record, "City GIS", folder).await
    }

    /// Undoes an import; with `secure`, after a safety backup.
    pub(crate) async fn undo_import(
        &self,
        record: RecordId,
        secure: bool,
    ) -> Result<RunResult<ImportReport>, Problem> {
        let Steward { context, transfers, .. } = &self.steward;
        let typed = self.to_type();
        let options = UndoOptions { secure, ..UndoOptions::default() };
        import_server::undo(context, transfers, &self.site, self.run(), record, &typed, options).await
    }

    /// What is typed before an import: of several servers, the name of the one that is replaced.
    pub(crate) fn to_type(&self) -> String {
        let server = self.sites().at(&self.server).ok().and_then(|server| server.server_name());
        server.unwrap_or_else(|| "City GIS".to_owned())
    }

    /// Uploads a file to the server.
    pub(crate) async fn upload(&self, source: UploadSource) -> Result<UploadEnd, Problem> {
        let Steward { context, transfers, .. } = &self.steward;
        upload::upload(context, transfers, &self.server, self.run(), source).await
    }

    /// Deactivates webhooks.
    pub(crate) async fn deactivate_webhooks(
        &self,
        form: DeactivateWebhooksForm,
    ) -> Result<RunResult<DeactivateReport>, Problem> {
        deactivate_webhooks::perform(&self.steward.context, &self.server, self.run(), form).await
    }

    /// Corrects the contact of a participant.
    pub(crate) async fn update_participant(
        &self,
        form: UpdateParticipantForm,
    ) -> Result<RunResult<UpdateReport>, Problem> {
        update_participant::perform(&self.steward.context, &self.site, self.run(), form).await
    }

    /// Refreshes an invitation.
    pub(crate) async fn refresh_invitation(
        &self,
        form: RefreshInvitationForm,
    ) -> Result<RunResult<RefreshReport>, Problem> {
        let Steward { context, invitation_files, .. } = &self.steward;
        refresh_invitation::perform(context, invitation_files, &self.site, self.run(), form).await
    }

    /// A practice site and a program that is signed in to it as its administrator.
    pub(crate) async fn new() -> Self {
        let app = Self::signed_out().await;
        app.sign_in("administrator").await.unwrap();
        app
    }

    /// A practice site and a program that knows its address.
    pub(crate) async fn signed_out() -> Self {
        Self::signed_out_of(Release::default()).await
    }

    /// A practice site of a release, and a program that is signed in.
    pub(crate) async fn of_release(release: Release) -> Self {
        let app = Self::signed_out_of(release).await;
        app.sign_in("administrator").await.unwrap();
        app
    }

    async fn signed_out_of(release: Release) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().to_owned();
        let practice = seeded_site(Options { release, ..options(&folder) }).await.unwrap();
        let dialogs = Arc::new(AnswersByItself::default());
        let vault = Arc::new(MemoryStore::default());
        let steward = open(&folder, vault.clone(), &dialogs).unwrap();
        listen_alone(&steward, &practice);
        let site = steward
            .context
            .access
            .sites
            .save(&form(None, &practice.ready().portal, &practice.ready().server))
            .unwrap();
        let (server, site) = (site.current_target(), site.id);
        Self { steward, site, server, practice, dialogs, vault, folder, temporary: Some(temporary) }
    }

    /// The program and the practice site of a process that was killed, started again in its folder.
    pub(crate) async fn reopened(folder: &Path) -> Self {
        let practice = PracticeSite::start(options(folder)).await.unwrap();
        let (dialogs, vault) = (Arc::new(AnswersByItself::default()), Arc::new(MemoryStore::default()));
        let steward = open(folder, vault.clone(), &dialogs).unwrap();
        let site = steward.context.access.sites.all().remove(0);
        let (server, site) = (site.current_target(), site.id);
        let app = Self {
            steward,
            site,
            server,
            practice,
            dialogs,
            vault,
            folder: folder.to_owned(),
            temporary: None,
        };
        app.go_through(app.practice_address());
        app.sign_in("administrator").await.unwrap();
        app
    }

    /// Signs in as the user of the practice site with this role.
    pub(crate) async fn sign_in(&self, role: &str) -> Result<(), Problem> {
        let user = self.user(role);
        sign_in_as(&self.steward.context, &self.site, &user.username, &Secret::new(user.password.clone()))
            .await
            .map(drop)
    }

    /// Saves the password of the user who is signed in as the administrator, so that the session lasts without a user.
    pub(crate) async fn save_password(&self) {
        let user = self.user("administrator");
        let password = Secret::new(user.password.clone());
        self.steward.context.access.keep_password(&self.site, &user.username, &password).await.unwrap();
    }

    /// Signs in on the page that is opened in the browser.
    pub(crate) async fn sign_in_in_the_browser(&self) -> Result<BrowserSignIn, Problem> {
        let Steward { context, dialogs, language, .. } = &self.steward;
        through_loopback(context, dialogs, language, &self.site).await
    }

    /// The user of the practice site with this role.
    pub(crate) fn user(&self, role: &str) -> &ReadyUser {
        self.practice.ready().users.iter().find(|user| user.role == role).unwrap()
    }

    /// Orders a mishap for the next request of an operation.
    /// With `more`, for example how long it takes.
    pub(crate) async fn order(&self, operation: &str, mishap: &str, more: &[(&str, &str)]) {
        let kept: serde_json::Value = serde_json::from_str(&self.kept("portal").await.unwrap()).unwrap();
        let origin = format!("http://{}", self.practice_address());
        let mishap = InjectedFault { operation, name: mishap, times: "1", more };
        mishap.order(&origin, kept["token"].as_str().unwrap()).await.unwrap();
    }

    /// From now on, requests whose first line contains `on` meet with `fault`.
    pub(crate) async fn with_fault(&self, on: &str, fault: Fault) -> FaultProxy {
        let proxy = FaultProxy::to(self.practice_address(), on, fault).await.unwrap();
        self.go_through(&proxy.address());
        proxy
    }

    /// The same for a portal export, after the check of its destination, which is sent to the same path.
    pub(crate) async fn with_fault_after_the_check(&self, fault: Fault) -> FaultProxy {
        self.with_fault("/portaladmin/exportSite", fault).await.sparing(1)
    }

    /// From now on, the portal is one that cannot check the destination of an export: version 10.9.1.
    pub(crate) async fn with_portal_without_check(&self) -> FaultProxy {
        let old = r#"{"id":"0123456789ABCDEF","isPortal":true,"enterpriseVersion":"10.9.1",
            "user":{"username":"steward","role":"org_admin","privileges":[]}}"#;
        let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", old.len());
        self.with_fault("/portals/self?", Fault::Instead([head.as_bytes(), old.as_bytes()].concat())).await
    }

    /// The way to the site is a good one again.
    pub(crate) fn without_fault(self, _: FaultProxy) -> Self {
        self.go_through(self.practice_address());
        self
    }

    /// Steward and port of the practice site.
    pub(crate) fn practice_address(&self) -> &str {
        self.practice.ready().portal.trim_start_matches("http://").trim_end_matches("/portal")
    }

    /// From now on, the site is asked at this host and port.
    pub(crate) fn go_through(&self, address: &str) {
        let ready = self.practice.ready();
        let moved = |there: &str| there.replace(self.practice_address(), address);
        let mut form = form(Some(&self.site), &moved(&ready.portal), &moved(&ready.server));
        // The portal does not list the server under the address that leads through here.
        form.servers[0].services_url.clone_from(&ready.server);
        self.sites().save(&form).unwrap();
        // Who is signed in stays, as with a site whose address is the same and whose line is not.
        move_sessions(&self.vault, &self.site.0, &format!("http://{address}"));
        self.steward.context.access.forget_known(&self.site);
    }

    /// The program ends and is started again: what is in memory is gone, what is on disk and in the keyring stays.
    pub(crate) fn restarted(self) -> Self {
        let keyring = self.vault.clone();
        self.restarted_with(keyring)
    }

    /// The same, with another keyring from then on.
    pub(crate) fn restarted_with(self, keyring: Arc<dyn SecretStore>) -> Self {
        let Self { steward, site, server, practice, dialogs, vault, folder, temporary } = self;
        drop(steward);
        let steward = open(&folder, keyring, &dialogs).unwrap();
        Self { steward, site, server, practice, dialogs, vault, folder, temporary }
    }

    /// A second copy of the program, beside this one.
    pub(crate) fn open_beside(&self) -> anyhow::Result<Steward> {
        open(&self.folder, self.vault.clone(), &self.dialogs)
    }

    /// A program that knows no site yet, under what an organisation decides.
    pub(crate) fn put_under(&mut self, policy: Policy) {
        let folder = DataFolder::take(&self.steward.data_folder.join("under-policy")).unwrap();
        let runs = RunRegistry::new(Box::new(|_| ()));
        let (vault, dialogs) = (self.vault.clone(), self.dialogs.clone());
        self.steward = Steward::open_under(policy, folder, vault, dialogs, runs).unwrap();
    }

    /// The program is started again, under what an organisation decides.
    pub(crate) fn restarted_under(self, policy: &str) -> Self {
        let Self { steward, site, server, practice, dialogs, vault, folder, temporary } = self;
        let data_folder = steward.data_folder.clone();
        drop(steward);
        let file = folder.join("policy.json");
        std::fs::write(&file, policy).unwrap();
        let policy = Policy::read(&file, &folder.join("policy-before.json"));
        let held = DataFolder::take(&data_folder).unwrap();
        let runs = RunRegistry::new(Box::new(|_| ()));
        let steward = Steward::open_under(policy, held, vault.clone(), dialogs.clone(), runs).unwrap();
        Self { steward, site, server, practice, dialogs, vault, folder, temporary }
    }

    /// A folder to export to.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        let path = self.folder.join(name);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    /// A database of the practice site, to look at what really changed.
    pub(crate) fn practice_folder(&self) -> PathBuf {
        self.folder.join("site")
    }

    /// What the keyring keeps for the site under this name.
    pub(crate) async fn kept(&self, name: &str) -> Option<String> {
        let kept = self.vault.get(&format!("{}/{name}", self.site.0)).await.unwrap();
        kept.map(|kept| kept.expose().clone())
    }

    /// The names of what the keyring keeps for the portal and the server of the site.
    pub(crate) async fn kept_names(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for name in ["portal", "password", "server/server", "server/server/password"] {
            if self.kept(name).await.is_some() {
                names.push(name);
            }
        }
        names
    }

    /// What the history says of operations, newest first.
    pub(crate) async fn history(&self) -> Vec<StoredRecord> {
        let all = self
            .steward
            .context
            .history
            .journal(|journal| journal.records(&Filter::default()))
            .await
            .unwrap();
        all.into_iter().filter(|record| !is_act_on_a_site(record)).collect()
    }

    /// What the history says of sign-ins and changes of a site, newest first.
    pub(crate) async fn acts(&self) -> Vec<StoredRecord> {
        let all = self
            .steward
            .context
            .history
            .journal(|journal| journal.records(&Filter::default()))
            .await
            .unwrap();
        all.into_iter().filter(is_act_on_a_site).collect()
    }

    /// From now on, somebody else answers the dialogs.
    pub(crate) fn answer_dialogs_by(&mut self, dialogs: Arc<dyn Dialogs>) {
        let dialogs = Arc::new(SelectedPaths::new(dialogs, &self.steward.data_folder));
        self.steward.transfers.dialogs = dialogs.clone();
        self.steward.invitation_files.dialogs = dialogs.clone();
        self.steward.dialogs = dialogs;
    }

    /// The saved sites.
    pub(crate) const fn sites(&self) -> &Sites {
        &self.steward.context.access.sites
    }

    pub(crate) fn run(&self) -> RunId {
        RunId("run".to_owned())
    }
}

fn is_act_on_a_site(record: &StoredRecord) -> bool {
    let acts = [
        "sign_in",
        "sign_out",
        "trust_certificate",
        "add_site",
        "change_site",
        "remove_site",
        "change_connection",
    ];
    acts.contains(&record.intent.operation.as_str())
}

impl AnswersByItself {
    /// The next dialog is answered with this place.
    pub(crate) fn will_choose(&self, place: &Path) {
        self.answers.lock().unwrap().push_back(place.to_owned());
    }

    /// The names that dialogs suggested.
    pub(crate) fn suggested(&self) -> Vec<String> {
        self.suggested.lock().unwrap().clone()
    }

    /// The pages that were opened in the browser.
    pub(crate) fn pages(&self) -> Vec<Url> {
        self.pages.lock().unwrap().clone()
    }

    /// Forgets the pages that were opened before.
    pub(crate) fn forget_pages(&self) {
        self.pages.lock().unwrap().clear();
    }

    /// The files that were shown in their folders.
    pub(crate) fn shown(&self) -> Vec<PathBuf> {
        self.shown.lock().unwrap().clone()
    }

    fn answer(&self) -> Choice<'static> {
        Box::pin(std::future::ready(Ok(self.answers.lock().unwrap().pop_front())))
    }
}

impl Dialogs for AnswersByItself {
    fn save_file<'a>(&'a self, _title: Title, suggested: &'a str) -> Choice<'a> {
        self.suggested.lock().unwrap().push(suggested.to_owned());
        self.answer()
    }

    fn open_file(&self, _title: Title) -> Choice<'_> {
        self.answer()
    }

    fn choose_folder(&self, _title: Title) -> Choice<'_> {
        self.answer()
    }

    fn open_page(&self, page: &Url) -> Result<(), Problem> {
        self.pages.lock().unwrap().push(page.clone());
        Ok(())
    }

    fn show_in_folder(&self, file: &Path) -> Result<(), Problem> {
        self.shown.lock().unwrap().push(file.to_owned());
        Ok(())
    }
}

/// Returns the names of the sets in the folder of a plan, without the mark of the plan.
pub(crate) fn sets_in(folder: &Path) -> Vec<String> {
    files_in(folder).into_iter().filter(|name| !name.starts_with(".site-steward-plan-")).collect()
}

/// Writes other bytes to a file as damage of a disk does: the time of its last change stays.
pub(crate) fn damage(file: &Path, bytes: Vec<u8>) {
    let modified = std::fs::metadata(file).unwrap().modified().unwrap();
    std::fs::write(file, bytes).unwrap();
    std::fs::File::options().write(true).open(file).unwrap().set_modified(modified).unwrap();
}

/// The names of the files in a folder.
pub(crate) fn files_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

pub(crate) fn options(folder: &Path) -> Options {
    Options {
        data_dir: folder.join("site"),
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        localhost: false,
        // Faults are made on the wire, which must be readable for that.
        http: true,
        deliver_anywhere: false,
        release: Release::default(),
        servers: 1,
    }
}

fn open(
    folder: &Path,
    keyring: Arc<dyn SecretStore>,
    dialogs: &Arc<AnswersByItself>,
) -> anyhow::Result<Steward> {
    let runs = RunRegistry::new(Box::new(|_| ()));
    let mut steward = Steward::open(&folder.join("program"), keyring, dialogs.clone(), runs)?;
    // A practice site does not restart.
    steward.transfers.server_restart.pause = Duration::from_millis(1);
    Ok(steward)
}

pub(crate) fn form(id: Option<&SiteId>, portal: &str, server: &str) -> SiteForm {
    SiteForm { id: id.cloned(), ..SiteForm::of("City GIS", portal, server) }
}
