//! The program without its window, signed in to a scripted site.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use steward_core::actions::sign_in::sign_in_as;
use steward_core::actions::sites;
use steward_core::files::dialogs::{Choice, Dialogs, Title};
use steward_core::model::ids::{ServerId, SiteId};
use steward_core::model::problem::Problem;
use steward_core::runs::{RunId, RunRegistry};
use steward_core::sites::{ServerForm, SiteForm};
use steward_core::steward::Steward;
use steward_journal::{Filter, StoredRecord};
use steward_vault::{MemoryStore, Secret};
use tempfile::TempDir;
use url::Url;

use crate::site::Site;

pub(crate) struct App {
    pub(crate) steward: Steward,
    pub(crate) site: SiteId,
    origin: String,
    folder: TempDir,
}

/// Chooses the same place in every dialog.
struct Chooses(Mutex<PathBuf>);

impl Chooses {
    fn answer(&self) -> Choice<'static> {
        let place = self.0.lock().unwrap().clone();
        Box::pin(std::future::ready(Ok(Some(place))))
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
        self.answer()
    }

    fn open_page(&self, _: &Url) -> Result<(), Problem> {
        Ok(())
    }

    fn show_in_folder(&self, _: &Path) -> Result<(), Problem> {
        Ok(())
    }
}

impl App {
    /// Opens the program, and signs in as an administrator.
    pub(crate) async fn signed_in(site: &Site) -> Arc<Self> {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("survey.csv");
        std::fs::write(&place, vec![b'1'; 2_500_000]).unwrap();
        let runs = RunRegistry::new(Box::new(|_| ()));
        let dialogs = Arc::new(Chooses(Mutex::new(place)));
        let data = folder.path().join("program");
        let mut steward = Steward::open(&data, Arc::new(MemoryStore::default()), dialogs, runs).unwrap();
        steward.transfers.retry_policy.pause = std::time::Duration::ZERO;
        let origin = site.origin();
        let saved = steward.context.access.sites.save(&form(None, &origin, false)).unwrap();
        let app = Self { steward, site: saved.id, origin, folder };
        app.sign_in("steward").await.unwrap();
        Arc::new(app)
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

    pub(crate) fn run(&self) -> RunId {
        RunId("run".to_owned())
    }

    /// Returns the form of the saved site.
    pub(crate) fn form(&self, read_only: bool) -> SiteForm {
        form(Some(&self.site), &self.origin, read_only)
    }

    /// Returns the path of the journal.
    pub(crate) fn journal(&self) -> PathBuf {
        self.folder.path().join("program/journal.db")
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
        address: format!("{origin}/other"),
        ..form.servers[0].clone()
    };
    form.servers.push(other);
    form
}
