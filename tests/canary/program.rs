//! Everything that the program does, with secrets in all of it.

use std::collections::VecDeque;
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use practice_site::{Options, PracticeSite};
use serde::Serialize;
use site_steward::commands::doctor::examination_of;
use site_steward::commands::history::{HistoryFormat, HistorySearch, evidence_of, page_of, records_of};
use site_steward::commands::items;
use site_steward::commands::pickers::{invitations, services_of};
use site_steward::commands::sign_in::{sign_in_as, sign_in_as_bearer};
use site_steward::commands::sites::save;
use site_steward::dialogs::{Choice, Dialogs, Title};
use site_steward::host::Host;
use site_steward::item_searches::{ItemColumn, ItemFormat, ItemQuery};
use site_steward::logs;
use site_steward::operations::{
    deactivate_webhooks, export_portal, export_server, find_items, import_server, refresh_invitation,
    update_participant,
};
use site_steward::problem::Problem;
use site_steward::runs::{RunId, RunRegistry};
use site_steward::sites::{SavedRoute, SiteForm, SiteId};
use site_steward::views::data_item::DataItem;
use site_steward::views::ended::RecordId;
use steward_journal::{Filter, replay};
use steward_testkit::{Fault, FaultProxy};
use steward_vault::{MemoryStore, Secret, SecretStore};
use url::Url;

use crate::left::{CANARY, assert_clean, assert_clean_files};

/// What the site says when it repeats whatever it was told.
const MANNERS: [&str; 6] = [
    "refusal of the portal",
    "refusal of the server",
    "refusal of the token",
    "page",
    "broken",
    "redirection",
];

struct Program {
    host: Host,
    site: SiteId,
    practice: PracticeSite,
    dialogs: Arc<Choosing>,
    vault: Arc<MemoryStore>,
    /// Whatever the window was told, as it crosses.
    window: Arc<Mutex<Vec<u8>>>,
    /// Secrets that the site made.
    secrets: Mutex<Vec<String>>,
}

/// The places that a person chooses, one after the other.
#[derive(Default)]
struct Choosing(Mutex<VecDeque<PathBuf>>);

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

pub(crate) async fn everything() {
    let folder = tempfile::tempdir().unwrap();
    let (kept, saved) = (folder.path().join("program"), folder.path().join("saved"));
    std::fs::create_dir_all(&saved).unwrap();
    logs::start(&kept.join(logs::FOLDER));
    let program = Program::new(folder.path()).await;

    program.sign_in().await;
    program.work_well(folder.path()).await;
    program.work_with_a_site_that_repeats().await;
    program.renew_with_a_site_that_repeats().await;
    program.look_at_items_full_of_secrets(&saved).await;
    program.examine().await;
    let _ = std::thread::spawn(|| panic!("asked for https://gis.example.org/?token={CANARY}panic")).join();
    program.take_out(&saved).await;

    let secrets = program.secrets.lock().unwrap().clone();
    assert!(secrets.len() >= 2, "the site issued tokens and an invitation");
    let window = program.window.lock().unwrap().clone();
    assert!(window.len() > 10_000, "{}", window.len());
    assert_clean("what the window was told", &window, &secrets);
    // With the journal's log beside it, before anything is folded into it.
    let files = assert_clean_files(&kept, &secrets) + assert_clean_files(&saved, &secrets);
    assert!(files >= 8, "{files} files");
    let log = std::fs::read_to_string(kept.join("logs/site-steward.log")).unwrap();
    assert!(log.contains("panicked at") && log.contains("started"), "{log}");
}

impl Program {
    async fn new(folder: &Path) -> Self {
        let practice = PracticeSite::start(Options {
            data_dir: folder.join("site"),
            listen: "127.0.0.1:0".parse().unwrap(),
            http: true,
            deliver_anywhere: false,
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
        let host = Host::open(&folder.join("program"), vault.clone(), dialogs.clone(), runs).unwrap();
        let ready = practice.ready();
        let site = host.sites.save(&form(None, &ready.portal, &ready.server)).unwrap().id;
        Self { host, site, practice, dialogs, vault, window, secrets: Mutex::default() }
    }

    /// An answer as it crosses to the window.
    fn tell(&self, answer: Result<impl Serialize, impl Serialize>) -> bool {
        let mut window = self.window.lock().unwrap();
        match &answer {
            Ok(answer) => serde_json::to_writer(&mut *window, answer).unwrap(),
            Err(problem) => serde_json::to_writer(&mut *window, problem).unwrap(),
        }
        window.push(b'\n');
        answer.is_ok()
    }

    fn run(&self) -> RunId {
        RunId("run".to_owned())
    }

    /// From now on the site is asked by this way.
    fn go_through(&self, address: &str) {
        let ready = self.practice.ready();
        let own = ready.portal.trim_start_matches("http://").trim_end_matches("/portal");
        let moved = |there: &str| there.replace(own, address);
        let moved = form(Some(&self.site), &moved(&ready.portal), &moved(&ready.server));
        self.host.sites.save(&moved).unwrap();
        self.host.forget_way(&self.site);
    }

    fn go_straight(&self) {
        let ready = self.practice.ready();
        self.host.sites.save(&form(Some(&self.site), &ready.portal, &ready.server)).unwrap();
        self.host.forget_way(&self.site);
    }

    /// Requests whose first line contains `on` are answered with this text until the value is dropped.
    async fn answered(&self, on: &str, answer: Vec<u8>) -> FaultProxy {
        self.go_straight();
        let portal = self.practice.ready().portal.clone();
        let own = portal.trim_start_matches("http://").trim_end_matches("/portal");
        let proxy = FaultProxy::to(own, on, Fault::Instead(answer)).await.unwrap();
        self.go_through(&proxy.address());
        proxy
    }

    async fn token(&self) -> String {
        let kept: serde_json::Value = serde_json::from_str(&self.kept("portal").await).unwrap();
        kept["token"].as_str().unwrap().to_owned()
    }

    /// What the keyring holds for the site.
    async fn kept(&self, name: &str) -> String {
        self.vault.get(&format!("{}/{name}", self.site.0)).await.unwrap().unwrap().expose().clone()
    }

    async fn keep(&self, name: &str, text: &str) {
        self.vault.set(&format!("{}/{name}", self.site.0), Secret::new(text.to_owned())).await.unwrap();
        self.host.forget_way(&self.site);
    }

    /// Wrong passwords that come back in every manner, then the right one.
    async fn sign_in(&self) {
        let user = self.practice.ready().users.iter().find(|user| user.role == "administrator").unwrap();
        let wrong = format!("{CANARY}password&\"<");
        for manner in MANNERS {
            let _proxy = self.answered("generateToken", repeating(manner, &[&wrong])).await;
            let signed_in =
                sign_in_as(&self.host, &self.site, &user.username, &Secret::new(wrong.clone())).await;
            assert!(!self.tell(signed_in));
        }
        self.go_straight();
        assert!(!self.tell(sign_in_as(&self.host, &self.site, &user.username, &Secret::new(wrong)).await));
        let right = Secret::new(user.password.clone());
        assert!(self.tell(sign_in_as(&self.host, &self.site, &user.username, &right).await));
        let issued = self.token().await;
        self.secrets.lock().unwrap().extend([user.password.clone(), issued]);
    }

    /// All seven, with success.
    async fn work_well(&self, folder: &Path) {
        let exports = folder.join("exports");
        std::fs::create_dir_all(&exports).unwrap();
        let place = exports.display().to_string();
        let (host, site) = (&self.host, &self.site);

        let target = export_portal::PortalTarget::Folder { location: place.clone() };
        let form = export_portal::ExportPortalForm { target, check_only: false };
        assert!(self.tell(export_portal::perform(host, site, self.run(), form).await));
        let form = export_server::ExportServerForm {
            place: export_server::ServerExportPlace::ServerFolder { location: place },
        };
        assert!(self.tell(export_server::perform(host, site, self.run(), form).await));
        let file = std::fs::read_dir(&exports).unwrap().map(|file| file.unwrap().path());
        let file =
            file.into_iter().find(|path| path.extension().is_some_and(|end| end == "agssite")).unwrap();
        let form = import_server::ImportServerForm {
            location: file.display().to_string(),
            confirmation: "City GIS".to_owned(),
            parachute: None,
        };
        assert!(self.tell(import_server::perform(host, site, self.run(), form).await));

        let services = services_of(host, site).await.unwrap();
        let service = services.iter().find(|service| !service.webhooks.is_empty()).unwrap().path.clone();
        self.tell(Ok::<_, Problem>(services));
        let form = silence(vec![service]);
        assert!(self.tell(deactivate_webhooks::perform(host, site, self.run(), form).await));
        assert!(self.tell(find_items::perform(host, site, self.run(), everywhere(), first_rows()).await));

        let invitations = invitations(host, site).await.unwrap();
        let form = refresh_invitation::RefreshInvitationForm {
            collaboration_id: invitations[0].collaboration_id.clone(),
            invitation_id: invitations[0].invitation_id.clone(),
        };
        self.tell(Ok::<_, Problem>(invitations));
        let invitation = folder.join("guest.invite");
        self.dialogs.0.lock().unwrap().push_back(invitation.clone());
        assert!(self.tell(refresh_invitation::perform(host, site, self.run(), form).await));
        self.secrets.lock().unwrap().extend(long_words(&std::fs::read_to_string(invitation).unwrap()));
        // There is no such participant; what matters is what is said about it.
        self.tell(update_participant::perform(host, site, self.run(), self.participant()).await);
    }

    /// A pasted token, which the site repeats in every manner to each of the seven.
    async fn work_with_a_site_that_repeats(&self) {
        let (host, site) = (&self.host, &self.site);
        let pasted = format!("{CANARY}token._-~+/=");
        let key = format!("{CANARY}key+/==");
        let before = self.kept("portal").await;
        // Whoever was signed in is known; the pasted token is only sent with what follows.
        let alone = serde_json::json!({ "token": pasted, "expires_at": null }).to_string();
        for name in ["portal", "server/server"] {
            self.keep(name, &alone).await;
        }
        for manner in MANNERS {
            let with_key = repeating(manner, &[&pasted, &key, &format!("{{\"accountKey\":\"{key}\"}}")]);
            let proxy = self.answered("POST ", with_key).await;
            self.export_to_blobs(&key).await;
            drop(proxy);
            let _proxy = self.answered("POST ", repeating(manner, &[&pasted])).await;
            self.the_others().await;
        }
        self.vault.forget(&format!("{}/server/server", site.0)).await.unwrap();
        self.keep("portal", &before).await;
        self.go_straight();
        assert!(!self.tell(sign_in_as_bearer(host, site, &Secret::new(pasted)).await));
    }

    /// A token that ran out, renewed where the site repeats what it is renewed with.
    async fn renew_with_a_site_that_repeats(&self) {
        let (host, site) = (&self.host, &self.site);
        let pasted = format!("{CANARY}token._-~+/=");
        let refresh = format!("{CANARY}refresh-._~");
        let before = self.kept("portal").await;
        let refreshing = serde_json::json!({ "token": pasted, "expires_at": null, "refresh": {
            "token": refresh, "client_id": "sitesteward", "redirect_uri": "http://127.0.0.1:1/", "expires_at": null,
        }});
        let alone = serde_json::json!({ "token": pasted, "expires_at": null });
        let password = Secret::new(format!("{CANARY}kept&\"password"));
        for (on, held, with) in
            [("oauth2/token", refreshing, &refresh), ("generateToken", alone, password.expose())]
        {
            self.keep("portal", &held.to_string()).await;
            host.keep_password(site, "sam", &password).await.unwrap();
            for manner in MANNERS {
                let proxy = self.answered(on, repeating(manner, &[with])).await;
                self.export_to_blobs("key").await;
                assert!(proxy.met() > 0, "{on}: it was renewed");
            }
        }
        self.vault.forget(&format!("{}/password", site.0)).await.unwrap();
        self.keep("portal", &before).await;
        self.go_straight();
    }

    async fn export_to_blobs(&self, key: &str) {
        let (host, site) = (&self.host, &self.site);
        let target = export_portal::PortalTarget::Blob {
            location: "/backups".to_owned(),
            container: "exports".to_owned(),
            account_name: "account".to_owned(),
            account_key: key.to_owned(),
            account_endpoint: "https://account.blob.example.org".to_owned(),
        };
        let form = export_portal::ExportPortalForm { target, check_only: false };
        self.tell(export_portal::perform(host, site, self.run(), form).await);
    }

    async fn the_others(&self) {
        let (host, site) = (&self.host, &self.site);
        let form = export_server::ExportServerForm { place: export_server::ServerExportPlace::ThisComputer };
        self.dialogs.0.lock().unwrap().push_back(host.data_folder.join("nowhere.agssite"));
        self.tell(export_server::perform(host, site, self.run(), form).await);
        self.dialogs.0.lock().unwrap().clear();
        let form = import_server::ImportServerForm {
            location: "/backups/a.agssite".to_owned(),
            confirmation: "City GIS".to_owned(),
            parachute: None,
        };
        self.tell(import_server::perform(host, site, self.run(), form).await);
        let services = vec!["Hydrants.FeatureServer".to_owned()];
        let form = silence(services);
        self.tell(deactivate_webhooks::perform(host, site, self.run(), form).await);
        self.tell(find_items::perform(host, site, self.run(), everywhere(), first_rows()).await);
        self.tell(update_participant::perform(host, site, self.run(), self.participant()).await);
        let form = refresh_invitation::RefreshInvitationForm {
            collaboration_id: "c".to_owned(),
            invitation_id: "i".to_owned(),
        };
        self.tell(refresh_invitation::perform(host, site, self.run(), form).await);
    }

    fn participant(&self) -> update_participant::UpdateParticipantForm {
        update_participant::UpdateParticipantForm {
            collaboration_id: "c".to_owned(),
            participant_id: "p".to_owned(),
            contact_firstname: "Ada".to_owned(),
            contact_lastname: "Lovelace".to_owned(),
            contact_email_address: "ada@example.org".to_owned(),
        }
    }

    /// Data items with connection strings, and services whose webhooks are signed.
    async fn look_at_items_full_of_secrets(&self, folder: &Path) {
        let connection = format!(
            "ENCRYPTED_PASSWORD=00022e68{CANARY};SERVER=db;INSTANCE=sde:postgresql:db;USER=sde;PASSWORD={CANARY}pw"
        );
        let items = serde_json::json!({ "items": [{
            "id": "1", "path": "/enterpriseDatabases/city", "type": "egdb", "provider": "PostgreSQL",
            "info": {
                "connectionString": connection, "password": format!("{CANARY}a"),
                "machines": [{ "name": "db", "password": format!("{CANARY}b"), "db.password": format!("{CANARY}c") }],
                "deep": [{ "accountKey": format!("{CANARY}d"), "secretKey": format!("{CANARY}e") }],
                "url": format!("https://blob.example.org/x?sv=1&sig={CANARY}f"),
                "user": format!("https://sam:{CANARY}g@db.example.org/"),
            },
        }]});
        let found = {
            let _proxy = self.answered("findItems", json(&items)).await;
            find_items::perform(&self.host, &self.site, self.run(), everywhere(), first_rows()).await
        };
        assert!(self.tell(found));
        // What is held has the secrets; what leaves it has not.
        let held = self.host.item_searches.last(&self.site).unwrap();
        let item = held.item(0).unwrap();
        assert!(item.to_string().contains(CANARY));
        let by_name =
            ItemQuery { column: ItemColumn::Name, descending: false, filter: String::new(), r#type: None };
        self.tell(Ok::<_, Problem>((held.rows(&by_name, 0, 10), DataItem::of(&item))));
        for format in [ItemFormat::Csv, ItemFormat::Json] {
            let name = format!("items.{}", format.extension());
            self.dialogs.0.lock().unwrap().push_back(folder.join(name));
            let search = held.id();
            let saved = items::save(&self.host, &self.site, search, by_name.clone(), format).await;
            assert!(self.tell(saved));
        }
        let webhooks = serde_json::json!({ "webhooks": [{
            "name": "w", "active": true, "signatureKey": format!("{CANARY}signature"),
            "config": { "signatureKey": format!("{CANARY}signature") },
            "hookUrl": "https://hooks.example.org/",
        }]});
        let _proxy = self.answered("/webhooks", json(&webhooks)).await;
        self.tell(services_of(&self.host, &self.site).await);
        self.go_straight();
    }

    /// The doctor, on a way that leads through a proxy with a password.
    async fn examine(&self) {
        self.tell(examination_of(&self.host, Some(&self.site), None).await);
        let (portal, server) = ("https://gis.example.org/portal", "https://gis.example.org/server");
        self.host.sites.save(&form(Some(&self.site), portal, server)).unwrap();
        self.host.forget_way(&self.site);
        let examination = examination_of(&self.host, Some(&self.site), None).await.unwrap();
        assert!(
            examination.text.contains("http://127.0.0.1:9, with a name and a password"),
            "{}",
            examination.text
        );
        self.tell(Ok::<_, Problem>(examination));
        self.tell(services_of(&self.host, &self.site).await);
        self.go_through_proxy_with_passwords(portal, server).await;
        self.go_straight();
    }

    /// A proxy of the site's own, and a client certificate that does not open.
    async fn go_through_proxy_with_passwords(&self, portal: &str, server: &str) {
        let before = self.kept("portal").await;
        let mut form = form(Some(&self.site), portal, server);
        let (address, user) = ("http://127.0.0.1:9".to_owned(), "sam".to_owned());
        form.connection.route = SavedRoute::Proxy { address, user, exceptions: Vec::new() };
        form.connection.proxy_password = Some(format!("{CANARY}own-proxy"));
        assert!(self.tell(save(&self.host, &form).await));
        self.keep("portal", &before).await;
        self.tell(services_of(&self.host, &self.site).await);
        self.tell(examination_of(&self.host, Some(&self.site), None).await);
        let certificate = self.host.data_folder.join("me.p12");
        std::fs::write(&certificate, b"no certificate").unwrap();
        form.connection.client_certificate = certificate.display().to_string();
        form.connection.client_certificate_password = Some(format!("{CANARY}certificate"));
        self.tell(save(&self.host, &form).await);
        self.tell(services_of(&self.host, &self.site).await);
        self.keep("portal", &before).await;
    }

    /// The history in every form in which it can leave.
    async fn take_out(&self, folder: &Path) {
        self.tell(page_of(&self.host, HistorySearch::default(), None, 1_000).await);
        let choose = |name: &str| self.dialogs.0.lock().unwrap().push_back(folder.join(name));
        choose("history.csv");
        self.tell(records_of(&self.host, HistorySearch::default(), HistoryFormat::Csv).await);
        choose("history.json");
        self.tell(records_of(&self.host, HistorySearch::default(), HistoryFormat::Json).await);
        let records = self.host.journal(|journal| journal.records(&Filter::default())).await.unwrap();
        assert!(records.len() > 20, "{}", records.len());
        for record in records {
            choose(&format!("{}.zip", record.id));
            self.tell(evidence_of(&self.host, RecordId(record.id.clone())).await);
            self.tell(Ok::<_, Problem>([replay::as_curl(&record), replay::as_python(&record)]));
            // Packed, a secret is not seen.
            let bytes = std::fs::read(folder.join(format!("{}.zip", record.id))).unwrap();
            let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
            for index in 0..archive.len() {
                let mut content = Vec::new();
                archive.by_index(index).unwrap().read_to_end(&mut content).unwrap();
                std::fs::write(folder.join(format!("{}-{index}", record.id)), content).unwrap();
            }
        }
    }
}

fn silence(services: Vec<String>) -> deactivate_webhooks::DeactivateWebhooksForm {
    deactivate_webhooks::DeactivateWebhooksForm { services, why: String::new(), confirmation: String::new() }
}

fn first_rows() -> find_items::FirstRows {
    find_items::FirstRows { most: 100, ..find_items::FirstRows::default() }
}

fn everywhere() -> find_items::FindItemsForm {
    find_items::FindItemsForm {
        parent_path: String::new(),
        ancestor_path: "/".to_owned(),
        types: String::new(),
        id: String::new(),
        is_managed: None,
    }
}

/// An answer that repeats secrets in one of the [`MANNERS`].
fn repeating(manner: &str, secrets: &[&str]) -> Vec<u8> {
    let words: String = secrets
        .iter()
        .map(|secret| {
            let encoded: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
            format!("The value {secret} was refused; asked for /x?token={encoded}&a={encoded}. ")
        })
        .collect();
    match manner {
        "refusal of the portal" => json(&serde_json::json!({
            "error": { "code": 500, "message": words, "details": [words, { "token": secrets[0] }] }
        })),
        "refusal of the server" => {
            json(&serde_json::json!({ "status": "error", "code": 500, "messages": [words, words] }))
        }
        "refusal of the token" => json(&serde_json::json!({
            "error": { "code": 498, "message": words, "details": [words] }
        })),
        "page" => {
            let page = words.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
            answer("500 Said", "", &format!("<html><title>{page}</title>{words}</html>"))
        }
        "broken" => answer("200 OK", "", &format!("{{\"token\": {}, \"x\": [", serde_json::json!(words))),
        "redirection" => {
            let encoded: String = url::form_urlencoded::byte_serialize(secrets[0].as_bytes()).collect();
            let to = format!("location: https://sam:{encoded}@other.example.org/?token={encoded}\r\n");
            answer("307 Elsewhere", &to, "")
        }
        other => panic!("{other}"),
    }
}

fn json(value: &serde_json::Value) -> Vec<u8> {
    answer("200 OK", "content-type: application/json\r\n", &value.to_string())
}

fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}")
        .into_bytes()
}

/// What in an invitation is as good as a key: its long opaque values.
fn long_words(invitation: &str) -> Vec<String> {
    fn collect(value: &serde_json::Value, words: &mut Vec<String>) {
        match value {
            serde_json::Value::String(text) => words.push(text.clone()),
            serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
            serde_json::Value::Object(object) => object.values().for_each(|item| collect(item, words)),
            _ => {}
        }
    }
    let mut words = Vec::new();
    collect(&serde_json::from_str(invitation).unwrap(), &mut words);
    words.retain(|word| word.len() >= 40 && !word.contains("://") && !word.contains(' '));
    words
}

fn form(id: Option<&SiteId>, portal: &str, server: &str) -> SiteForm {
    SiteForm { id: id.cloned(), ..SiteForm::of("City GIS", portal, server) }
}
