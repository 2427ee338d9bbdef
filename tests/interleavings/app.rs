//! The program without its window, signed in to a scripted site.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use steward_app::steward::Steward;
use steward_core::actions::sign_in::sign_in_as;
use steward_core::actions::sites;
use steward_core::files::dialogs::{Choice, Dialogs, Title};
use steward_core::model::ids::{ServerId, SiteId, Target};
use steward_core::model::numbers::Millis;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::runs::{RunId, RunRegistry, RunStep};
use steward_core::sites::{ServerForm, SiteForm};
use steward_journal::{Filter, StoredRecord};
use steward_plans::plan::{BackupPlan, PlanId, PlanPart};
use steward_plans::retention::KeepRules;
use steward_plans::schedule::Schedule;
use steward_vault::{MemoryStore, Secret};
use tempfile::TempDir;
use url::Url;

use crate::site::{Site, UNFINISHED, UPLOADED};

/// Name of the file that is chosen in every dialog.
const CHOSEN: &str = "survey.csv";

pub(crate) struct App {
    pub(crate) steward: Steward,
    pub(crate) site: SiteId,
    /// Server of the site.
    pub(crate) server: Target,
    origin: String,
    folder: PathBuf,
    /// What the last command returned to the window.
    told: Mutex<Option<Value>>,
    /// Removes the folder; `None` if it belongs to another process.
    _temporary: Option<TempDir>,
}

/// Chooses the same place in every dialog.
struct Chooses(PathBuf);

impl Chooses {
    fn answer(&self) -> Choice<'static> {
        Box::pin(std::future::ready(Ok(Some(self.0.clone()))))
    }
}

impl Dialogs for Chooses {
    fn save_file<'a>(&'a self, _: Title, _: &'a str) -> Choice<'a> {
        self.answer()
    }

    fn open_file(&self, _: Title) -> Choice<'_> {
        self.answer()
    }

    fn choose_folder(&self, _: Title) -> Choice<'_> {
        Box::pin(std::future::ready(Ok(self.0.parent().map(Path::to_owned))))
    }

    fn open_page(&self, _: &Url) -> Result<(), Problem> {
        Ok(())
    }

    fn show_in_folder(&self, _: &Path) -> Result<(), Problem> {
        Ok(())
    }
}

impl App {
    /// Opens the program in a folder of its own, and signs in as an administrator.
    pub(crate) async fn signed_in(site: &Site) -> Arc<Self> {
        let folder = tempfile::tempdir().unwrap();
        let app = Self::in_folder(&site.origin(), folder.path());
        app.sign_in("steward").await.unwrap();
        Arc::new(Self { _temporary: Some(folder), ..app })
    }

    /// Opens the program in a folder, with a site at `origin` if it has none there yet.
    pub(crate) fn in_folder(origin: &str, folder: &Path) -> Self {
        let runs = RunRegistry::new(Box::new(|_| ()));
        let dialogs = Arc::new(Chooses(folder.join(CHOSEN)));
        let vault = Arc::new(MemoryStore::default());
        let mut steward = Steward::open(&folder.join("program"), vault, dialogs, runs).unwrap();
        steward.transfers.retry_policy.pause = std::time::Duration::ZERO;
        steward.transfers.server_restart.pause = std::time::Duration::ZERO;
        let sites = &steward.context.access.sites;
        let site = match sites.all().first() {
            Some(site) => site.clone(),
            None => sites.save(&form(None, origin, false)).unwrap(),
        };
        let (server, site) = (site.current_target(), site.id);
        let (origin, folder) = (origin.to_owned(), folder.to_owned());
        Self { steward, site, server, origin, folder, told: Mutex::default(), _temporary: None }
    }

    pub(crate) async fn sign_in(&self, user: &str) -> Result<(), Problem> {
        let password = Secret::new("open sesame".to_owned());
        sign_in_as(&self.steward.context, &self.site, user, &password).await.map(drop)
    }

    /// Marks the site as read-only, and unlocks it.
    pub(crate) async fn unlocked_read_only(&self) {
        sites::save(&self.steward.context, &self.form(true)).await.unwrap();
        sites::unlock_site(&self.steward.context, self.site.clone(), "maintenance".to_owned()).await.unwrap();
    }

    /// Begins and ends an operation on the same site, saved under another name.
    pub(crate) fn begin_on_twin(&self) -> Result<(), Problem> {
        let sites = &self.steward.context.access.sites;
        let twin = SiteForm { name: "Twin".to_owned(), ..form(None, &self.origin, false) };
        let twin = sites.add_unconfirmed(&twin)?;
        let server = sites.at(&twin.current_target())?;
        sites.remove(&twin.id)?;
        let (id, key) = (RunId("twin".to_owned()), OperationKey::ImportServer);
        self.steward.context.runs.begin(id, &server, key, None, RunStep::Preparing).map(drop)
    }

    /// Returns a plan that exports the portal and the server.
    pub(crate) fn plan(&self) -> BackupPlan {
        let portal = PlanPart::Portal { location: "/exports".to_owned(), seen_at: None, store: None };
        let folder = self.folder.join("backups");
        std::fs::create_dir_all(&folder).unwrap();
        BackupPlan {
            id: PlanId("nightly".to_owned()),
            site: self.site.clone(),
            name: "Every night".to_owned(),
            is_enabled: true,
            since: Millis::now(),
            enabled_since: Millis::now(),
            parts: vec![portal, PlanPart::Server { server: self.server.server.clone().unwrap() }],
            schedule: Schedule { days: Vec::new(), times: Vec::new(), skip_missed: false },
            folder,
            delete_stored: false,
            keep: KeepRules::default(),
            rehearse_every: None,
            tells_changes: false,
            alerts: Vec::new(),
        }
    }

    pub(crate) fn run(&self) -> RunId {
        RunId("run".to_owned())
    }

    /// Notes what a command returns to the window.
    pub(crate) fn was_told(&self, end: Value) {
        *self.told.lock().unwrap() = Some(end);
    }

    /// Returns what the last command returned to the window, and the origin of the site in it.
    pub(crate) fn told(&self) -> (Option<Value>, &str) {
        (self.told.lock().unwrap().clone(), &self.origin)
    }

    /// Returns the form of the saved site.
    pub(crate) fn form(&self, read_only: bool) -> SiteForm {
        form(Some(&self.site), &self.origin, read_only)
    }

    /// Writes the file that is chosen in a dialog: three parts of an upload.
    pub(crate) async fn write_chosen_file(&self) {
        self.write(CHOSEN).await;
    }

    /// Writes a file whose first upload does not end.
    pub(crate) async fn unfinished_file(&self) -> PathBuf {
        self.write(UNFINISHED).await
    }

    async fn write(&self, name: &str) -> PathBuf {
        let file = self.folder.join(name);
        tokio::fs::write(&file, vec![b'1'; UPLOADED]).await.unwrap();
        file
    }

    /// Returns the path of the journal.
    pub(crate) fn journal(&self) -> PathBuf {
        self.folder.join("program/journal.db")
    }

    /// Returns the records of operations, newest first.
    pub(crate) async fn records(&self) -> Vec<StoredRecord> {
        let all = self.steward.context.history.journal(|journal| journal.records(&Filter::default()));
        let others = ["sign_in", "sign_out", "unlock", "lock", "change_site", "remove_site"];
        let is_operation = |record: &StoredRecord| !others.contains(&record.intent.operation.as_str());
        all.await.unwrap().into_iter().filter(is_operation).collect()
    }
}

fn form(id: Option<&SiteId>, origin: &str, read_only: bool) -> SiteForm {
    let (portal, server) = (format!("{origin}/portal"), format!("{origin}/server"));
    let mut form = SiteForm { id: id.cloned(), read_only, ..SiteForm::of("City GIS", &portal, &server) };
    let other = ServerForm {
        id: Some(ServerId("other".to_owned())),
        name: "other".to_owned(),
        address: format!("{origin}/other"),
        ..form.servers[0].clone()
    };
    form.servers.push(other);
    form
}
