//! The program without its window, at a practice site, and what the window would be told.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use practice_site::{Options, PracticeSite, Release};
use serde::Serialize;
use steward_app::steward::Steward;
use steward_core::files::dialogs::{Choice, Dialogs, Title};
use steward_core::model::ids::{SiteId, Target};
use steward_core::model::problem::Problem;
use steward_core::runs::{RunId, RunRegistry};
use steward_core::sites::SiteForm;
use steward_testkit::{Fault, FaultProxy, move_sessions, seeded_site};
use steward_vault::{MemoryStore, Secret, SecretStore};
use url::Url;

pub(crate) struct Program {
    pub(crate) steward: Steward,
    pub(crate) site: SiteId,
    /// Server of the site.
    pub(crate) server: Target,
    pub(crate) practice: PracticeSite,
    pub(crate) dialogs: Arc<Choosing>,
    pub(crate) vault: Arc<MemoryStore>,
    /// Whatever the window was told, as it crosses.
    pub(crate) window: Arc<Mutex<Vec<u8>>>,
    /// Secrets that the site made.
    pub(crate) secrets: Mutex<Vec<String>>,
}

/// The places that a person chooses, one after the other.
#[derive(Default)]
pub(crate) struct Choosing(pub(crate) Mutex<VecDeque<PathBuf>>);

impl Dialogs for Choosing {
    fn save_file<'a>(&'a self, _: Title, _: &'a str) -> Choice<'a> {
        Box::pin(std::future::ready(Ok(self.0.lock().unwrap().pop_front())))
    }

    fn open_file(&self, title: Title) -> Choice<'_> {
        self.save_file(title, "")
    }

    fn choose_folder(&self, title: Title) -> Choice<'_> {
        self.save_file(title, "")
    }

    fn open_page(&self, _: &Url) -> Result<(), Problem> {
        Ok(())
    }
}

impl Program {
    pub(crate) async fn new(folder: &Path) -> Self {
        let practice = seeded_site(Options {
            data_dir: folder.join("site"),
            listen: "127.0.0.1:0".parse().unwrap(),
            localhost: false,
            http: true,
            deliver_anywhere: false,
            servers: 1,
            release: Release::default(),
        })
        .await
        .unwrap();
        let window = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&window);
        let runs = RunRegistry::new(Box::new(move |runs| {
            told.lock()
                .unwrap()
                .extend(serde_json::to_vec(&(runs.running, runs.ended, runs.just_ended)).unwrap());
        }));
        let dialogs = Arc::new(Choosing::default());
        let vault = Arc::new(MemoryStore::default());
        let steward = Steward::open(&folder.join("program"), vault.clone(), dialogs.clone(), runs).unwrap();
        let ready = practice.ready();
        let site = steward.context.access.sites.save(&form(None, &ready.portal, &ready.server)).unwrap();
        let (server, site) = (site.current_target(), site.id);
        Self { steward, site, server, practice, dialogs, vault, window, secrets: Mutex::default() }
    }

    /// An answer as it crosses to the window.
    pub(crate) fn tell(&self, answer: Result<impl Serialize, impl Serialize>) -> bool {
        let mut window = self.window.lock().unwrap();
        match &answer {
            Ok(answer) => serde_json::to_writer(&mut *window, answer).unwrap(),
            Err(problem) => serde_json::to_writer(&mut *window, problem).unwrap(),
        }
        window.push(b'\n');
        answer.is_ok()
    }

    pub(crate) fn run(&self) -> RunId {
        RunId("run".to_owned())
    }

    /// From now on the site is asked by this way.
    pub(crate) fn go_through(&self, address: &str) {
        let ready = self.practice.ready();
        let own = ready.portal.trim_start_matches("http://").trim_end_matches("/portal");
        let moved = |there: &str| there.replace(own, address);
        let mut moved = form(Some(&self.site), &moved(&ready.portal), &moved(&ready.server));
        // The portal does not list the server under the address that leads through here.
        moved.servers[0].services_url.clone_from(&ready.server);
        self.steward.context.access.sites.save(&moved).unwrap();
        move_sessions(&self.vault, &self.site.0, &format!("http://{address}"));
        self.steward.context.access.forget_connection(&self.site);
    }

    pub(crate) fn go_straight(&self) {
        let ready = self.practice.ready();
        self.steward
            .context
            .access
            .sites
            .save(&form(Some(&self.site), &ready.portal, &ready.server))
            .unwrap();
        move_sessions(&self.vault, &self.site.0, ready.portal.trim_end_matches("/portal"));
        self.steward.context.access.forget_connection(&self.site);
    }

    /// Requests whose first line contains `on` are answered with this text until the value is dropped.
    pub(crate) async fn answered(&self, on: &str, answer: Vec<u8>) -> FaultProxy {
        self.go_straight();
        let portal = self.practice.ready().portal.clone();
        let own = portal.trim_start_matches("http://").trim_end_matches("/portal");
        let proxy = FaultProxy::to(own, on, Fault::Instead(answer)).await.unwrap();
        self.go_through(&proxy.address());
        proxy
    }

    /// The same, beside what is answered already.
    pub(crate) async fn answered_too(&self, already: &FaultProxy, on: &str, answer: Vec<u8>) -> FaultProxy {
        let proxy = FaultProxy::to(&already.address(), on, Fault::Instead(answer)).await.unwrap();
        self.go_through(&proxy.address());
        proxy
    }

    pub(crate) async fn token(&self) -> String {
        let kept: serde_json::Value = serde_json::from_str(&self.kept("portal").await).unwrap();
        kept["token"].as_str().unwrap().to_owned()
    }

    /// What the keyring holds for the site.
    pub(crate) async fn kept(&self, name: &str) -> String {
        self.vault.get(&format!("{}/{name}", self.site.0)).await.unwrap().unwrap().expose().clone()
    }

    pub(crate) async fn keep(&self, name: &str, text: &str) {
        self.vault.set(&format!("{}/{name}", self.site.0), Secret::new(text.to_owned())).await.unwrap();
        self.steward.context.access.forget_connection(&self.site);
    }
}

pub(crate) fn form(id: Option<&SiteId>, portal: &str, server: &str) -> SiteForm {
    SiteForm { id: id.cloned(), ..SiteForm::of("City GIS", portal, server) }
}
