//! The program without its window: a temporary folder, secrets in memory, dialogs that answer by themselves,
//! and the real practice site behind a real socket.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use practice_site::{Options, PracticeSite, ReadyUser};
use steward_core::actions::sign_in::sign_in_as;
use steward_core::files::data_folder::DataFolder;
use steward_core::files::dialogs::{Choice, Dialogs, Title};
use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::Ended;
use steward_core::operations::find_items::{self, FindItemsForm, FirstRows, FoundItems};
use steward_core::runs::{RunId, RunRegistry};
use steward_core::settings::policy::Policy;
use steward_core::sites::SiteForm;
use steward_journal::{Filter, Record};
use steward_testkit::{Fault, FaultProxy, Mishap};
use steward_vault::{MemoryStore, Secret, SecretStore};
use tempfile::TempDir;
use url::Url;

/// The program on somebody's desk.
pub(crate) struct Desk {
    pub(crate) host: Host,
    pub(crate) site: SiteId,
    pub(crate) practice: PracticeSite,
    pub(crate) dialogs: Arc<AnswersByItself>,
    pub(crate) vault: Arc<MemoryStore>,
    folder: TempDir,
}

/// Answers of a person to the dialogs to come; without one, the dialog is closed.
#[derive(Default)]
pub(crate) struct AnswersByItself {
    answers: Mutex<VecDeque<PathBuf>>,
    suggested: Mutex<Vec<String>>,
    pages: Mutex<Vec<Url>>,
    shown: Mutex<Vec<PathBuf>>,
}

impl Desk {
    /// Searches for data items, and wants no row with the answer.
    pub(crate) async fn find_items(&self, form: FindItemsForm) -> Result<Ended<FoundItems>, Problem> {
        find_items::perform(&self.host, &self.site, self.run(), form, FirstRows::default()).await
    }

    /// A practice site and a program that is signed in to it as its administrator.
    pub(crate) async fn new() -> Self {
        let desk = Self::signed_out().await;
        desk.sign_in("administrator").await.unwrap();
        desk
    }

    /// A practice site and a program that knows its address.
    pub(crate) async fn signed_out() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            data_dir: folder.path().join("site"),
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            // Faults are made on the wire, which must be readable for that.
            http: true,
            deliver_anywhere: false,
        };
        let practice = PracticeSite::start(options).await.unwrap();
        let dialogs = Arc::new(AnswersByItself::default());
        let vault = Arc::new(MemoryStore::default());
        let host = open(folder.path(), vault.clone(), &dialogs).unwrap();
        let site =
            host.sites.save(&form(None, &practice.ready().portal, &practice.ready().server)).unwrap().id;
        Self { host, site, practice, dialogs, vault, folder }
    }

    /// Signs in as the user of the practice site with this role.
    pub(crate) async fn sign_in(&self, role: &str) -> Result<(), Problem> {
        let user = self.user(role);
        sign_in_as(&self.host, &self.site, &user.username, &Secret::new(user.password.clone()))
            .await
            .map(drop)
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
        let mishap = Mishap { operation, name: mishap, times: "1", more };
        mishap.order(&origin, kept["token"].as_str().unwrap()).await.unwrap();
    }

    /// From now on, requests whose first line contains `on` meet with `fault`.
    pub(crate) async fn with_fault(&self, on: &str, fault: Fault) -> FaultProxy {
        let proxy = FaultProxy::to(self.practice_address(), on, fault).await.unwrap();
        self.go_through(&proxy.address());
        proxy
    }

    /// The way to the site is a good one again.
    pub(crate) fn without_fault(self, _: FaultProxy) -> Self {
        self.go_through(self.practice_address());
        self
    }

    /// Host and port of the practice site.
    pub(crate) fn practice_address(&self) -> &str {
        self.practice.ready().portal.trim_start_matches("http://").trim_end_matches("/portal")
    }

    /// From now on, the site is asked at this host and port.
    pub(crate) fn go_through(&self, address: &str) {
        let ready = self.practice.ready();
        let moved = |there: &str| there.replace(self.practice_address(), address);
        let mut form = form(Some(&self.site), &moved(&ready.portal), &moved(&ready.server));
        // The portal does not list the server under the address that leads through here.
        form.servers[0].public.clone_from(&ready.server);
        self.host.sites.save(&form).unwrap();
        // Who is signed in stays, as with a site whose address is the same and whose line is not.
        self.host.forget_known(&self.site);
    }

    /// The program ends and is started again: what is in memory is gone, what is on disk and in the keyring stays.
    pub(crate) fn restarted(self) -> Self {
        let keyring = self.vault.clone();
        self.restarted_with(keyring)
    }

    /// The same, with another keyring from then on.
    pub(crate) fn restarted_with(self, keyring: Arc<dyn SecretStore>) -> Self {
        let Self { host, site, practice, dialogs, vault, folder } = self;
        drop(host);
        let host = open(folder.path(), keyring, &dialogs).unwrap();
        Self { host, site, practice, dialogs, vault, folder }
    }

    /// A second copy of the program, beside this one.
    pub(crate) fn open_beside(&self) -> anyhow::Result<Host> {
        open(self.folder.path(), self.vault.clone(), &self.dialogs)
    }

    /// A program that knows no site yet, under what an organisation decides.
    pub(crate) fn put_under(&mut self, policy: Policy) {
        let folder = DataFolder::take(&self.host.data_folder.join("under-policy")).unwrap();
        let runs = RunRegistry::new(Box::new(|_| ()));
        let (vault, dialogs) = (self.vault.clone(), self.dialogs.clone());
        self.host = Host::open_under(policy, folder, vault, dialogs, runs).unwrap();
    }

    /// A folder to export to.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    /// A database of the practice site, to look at what really changed.
    pub(crate) fn practice_folder(&self) -> PathBuf {
        self.folder.path().join("site")
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
    pub(crate) async fn history(&self) -> Vec<Record> {
        let all = self.host.journal(|journal| journal.records(&Filter::default())).await.unwrap();
        all.into_iter().filter(|record| !is_act_on_a_site(record)).collect()
    }

    /// What the history says of sign-ins and changes of a site, newest first.
    pub(crate) async fn acts(&self) -> Vec<Record> {
        let all = self.host.journal(|journal| journal.records(&Filter::default())).await.unwrap();
        all.into_iter().filter(is_act_on_a_site).collect()
    }

    pub(crate) fn run(&self) -> RunId {
        RunId("run".to_owned())
    }
}

fn is_act_on_a_site(record: &Record) -> bool {
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

/// The names of the files in a folder.
pub(crate) fn files_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

fn open(
    folder: &Path,
    keyring: Arc<dyn SecretStore>,
    dialogs: &Arc<AnswersByItself>,
) -> anyhow::Result<Host> {
    let runs = RunRegistry::new(Box::new(|_| ()));
    Host::open(&folder.join("program"), keyring, dialogs.clone(), runs)
}

pub(crate) fn form(id: Option<&SiteId>, portal: &str, server: &str) -> SiteForm {
    SiteForm { id: id.cloned(), ..SiteForm::of("City GIS", portal, server) }
}
