//! Whether a site is back: sites with planted defects, judged by a second model, and imports into the practice site.
//!
//! [`Planted`] is the second model. It knows what was planted, and shares no code with what judges.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use steward_app::overview::{ConcernAbout, check_site};
use steward_app::steward::Steward;
use steward_client::listing;
use steward_core::actions::sign_in::{SignInForm, sign_in, sign_in_as_bearer};
use steward_core::model::checked::ComponentChecks;
use steward_core::model::deployment::{DeploymentType, ServerType};
use steward_core::model::ids::{RecordId, SiteId, Target};
use steward_core::model::numbers::Millis;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::model::site_proof::{ProofAbout, ProofState, SiteProof, WhyOpen};
use steward_core::operations::find_items::validation;
use steward_core::operations::import_portal::proof::report_of;
use steward_core::runs::{RunId, RunStep};
use steward_core::sites::{ServerForm, SiteForm};
use steward_journal::{Journal, Outcome, OutcomeResolution, Report};
use steward_testkit::{Fault, FaultProxy, Reply, Request, TestServer};
use steward_vault::{Secret, SecretStore};
use tokio::sync::Notify;

use crate::alerts::events;
use crate::data_stores::{kept, searched};
use crate::import_portal::{exported, form};
use crate::import_server::with_safety_backup;
use crate::incomplete_lists::site;
use crate::test_app::TestApp;

/// A refused resource: how it answers.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Refusal {
    Forbidden,
    Missing,
    Fails,
    Page,
    Empty,
    Cut,
    Null,
    /// It answers later than a reading waits.
    Slow,
}

const REFUSALS: [Refusal; 8] = [
    Refusal::Forbidden,
    Refusal::Missing,
    Refusal::Fails,
    Refusal::Page,
    Refusal::Empty,
    Refusal::Cut,
    Refusal::Null,
    Refusal::Slow,
];

impl Refusal {
    fn reply(self) -> Reply {
        let error = |code: u16| {
            Reply::json(format!(
                r#"{{"status":"error","code":{code},"messages":["no"],"error":{{"code":{code},"message":"no"}}}}"#
            ))
        };
        match self {
            Self::Forbidden => error(403),
            Self::Missing => error(404),
            Self::Fails => error(500),
            Self::Page => {
                Reply::new("200 OK", "content-type: text/html\r\n", "<html><h1>Maintenance</h1></html>")
            }
            Self::Empty => Reply::json(""),
            Self::Cut => Reply::json(r#"{"indexes":[{"name":"us"#),
            Self::Null => Reply::json("{}"),
            Self::Slow => Reply::silence(),
        }
    }
}

/// Resources, by their paths, with the lines that cannot be known without each.
const RESOURCES: [(&str, &[ProofAbout]); 9] = [
    ("/portal/portaladmin/system/indexer/status", &[ProofAbout::SearchIndex, ProofAbout::Orphans]),
    ("/portal/portaladmin/federation/servers/validate", &[ProofAbout::Federation]),
    ("/portal/sharing/rest/search", &[ProofAbout::Orphans]),
    (
        "/portal/sharing/rest/portals/self/servers",
        &[ProofAbout::Federation, ProofAbout::Orphans, ProofAbout::SignIn],
    ),
    ("/portal/sharing/rest/portals/self", &[ProofAbout::Answers, ProofAbout::Orphans]),
    ("/portal/sharing/rest/generateToken", &[ProofAbout::SignIn]),
    ("/s1/admin/services", &[ProofAbout::Services, ProofAbout::Orphans]),
    ("/s2/admin/services/report", &[ProofAbout::Services]),
    ("/s1/admin/data/findItems", &[ProofAbout::DataStores]),
];

/// Resources of which a defect hides others, with the same: whether the second server is the first one under another URL.
const MACHINES: [(&str, &[ProofAbout]); 3] = [
    ("/s1/admin/machines", &OF_SERVERS),
    ("/s2/admin/machines", &OF_SERVERS),
    ("/s2/admin/machines/m1", &OF_SERVERS),
];

const OF_SERVERS: [ProofAbout; 4] =
    [ProofAbout::Answers, ProofAbout::Services, ProofAbout::DataStores, ProofAbout::Orphans];

/// Versions whose documentation was read.
const VERSIONS: [&str; 9] =
    ["10.4.0", "10.5.1", "10.6.1", "10.7.1", "10.8.1", "10.9.1", "11.1.0", "11.3.0", "12.0.0"];

/// A site, by what it returns.
#[derive(Debug, Clone)]
struct Returned {
    version: &'static str,
    /// Entries in the database and in the index.
    indexes: BTreeMap<&'static str, (i64, i64)>,
    /// Number of the servers that the portal lists.
    listed: usize,
    /// Status of each server in the validation.
    validation: [&'static str; 2],
    /// Numbers of the servers in the validation.
    validated: [usize; 2],
    /// Services that the report of each server has once more.
    reported_again: [Vec<(String, &'static str, &'static str)>; 2],
    /// Whether each server says that it belongs to a portal.
    names_owner: bool,
    /// Services of each server: path, state that is set, state.
    services: [Vec<(String, &'static str, &'static str)>; 2],
    /// Paths of services that have an item, below the origin.
    items: Vec<String>,
    /// Data store items of each server, and whether each can be used.
    data: [Vec<bool>; 2],
    refused: BTreeMap<&'static str, Refusal>,
    /// Holds the replies of a path back.
    gate: Option<(&'static str, Arc<Notify>)>,
    /// Time before each reply.
    pause: Duration,
}

/// Defects of a site.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Planted {
    IndexBehind(&'static str),
    ServerInvalid,
    ServerUndetermined,
    /// The validation has one server twice, and the other one not at all.
    ServerTwice,
    NotFederated,
    ServiceStopped,
    ServiceFailed,
    ServiceStarting,
    StateUnknown,
    /// The report has a service twice, with two states.
    StateContradicted,
    ItemOrphan,
    ServiceOrphan,
    DataInvalid,
    Refused(&'static str, Refusal),
}

impl Planted {
    /// The most that a site with this defect can be called.
    fn at_most(self) -> ProofState {
        match self {
            Self::IndexBehind(_) | Self::ServiceStarting => ProofState::NotYet,
            Self::Refused(..)
            | Self::ServerUndetermined
            | Self::ServerTwice
            | Self::StateUnknown
            | Self::StateContradicted => ProofState::NotKnown,
            Self::ServerInvalid
            | Self::NotFederated
            | Self::ServiceStopped
            | Self::ServiceFailed
            | Self::ItemOrphan
            | Self::ServiceOrphan
            | Self::DataInvalid => ProofState::Wrong,
        }
    }

    /// Whether it cannot be seen because the list that it is in was refused.
    fn is_hidden(self, server: usize, refused: &[&str]) -> bool {
        match self {
            Self::IndexBehind(_) => refused.contains(&"/portal/portaladmin/system/indexer/status"),
            Self::ServiceStopped | Self::ServiceFailed | Self::ServiceStarting => {
                let list = ["/s1/admin/services", "/s2/admin/services/report"][server];
                refused.contains(&list)
            }
            _ => false,
        }
    }

    /// Plants the defect, and returns the number of the server that has it.
    fn plant(self, site: &mut Returned, dice: &mut Dice) -> usize {
        let server = dice.below(2);
        let service = |site: &mut Returned, state| {
            let services = &mut site.services[server];
            services.push((format!("Planted{}.MapServer", services.len()), "STARTED", state));
            let name = format!("s{}/rest/services/Planted{}/MapServer", server + 1, services.len() - 1);
            site.items.push(name);
        };
        match self {
            Self::IndexBehind(name) => {
                if let Some((database, index)) = site.indexes.get_mut(name) {
                    *index = if dice.below(4) == 0 { *database + 1 } else { *database - 1 };
                }
            }
            Self::ServerInvalid => site.validation[server] = "failure",
            Self::ServerUndetermined => site.validation[server] = "undetermined",
            Self::ServerTwice => site.validated = [server, server],
            Self::NotFederated => site.listed = 1,
            Self::ServiceStopped => service(site, "STOPPED"),
            Self::ServiceFailed => service(site, "FAILED"),
            Self::ServiceStarting => service(site, "STARTING"),
            Self::StateUnknown => service(site, "RECYCLING"),
            Self::StateContradicted => {
                service(site, "FAILED");
                let name = site.services[server].last().unwrap().0.clone();
                site.reported_again[server].push((name, "STARTED", "STARTED"));
            }
            Self::ItemOrphan => site.items.push(format!("s{}/rest/services/Gone/MapServer", server + 1)),
            Self::ServiceOrphan => {
                site.services[server].push(("Hidden.ImageServer".to_owned(), "STARTED", "STARTED"));
            }
            Self::DataInvalid => site.data[server].push(false),
            Self::Refused(path, refusal) => {
                site.refused.insert(path, refusal);
            }
        }
        server
    }
}

/// Random numbers that are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(end).unwrap()).unwrap()
    }
}

impl Returned {
    /// A site where all is as it should be.
    fn whole(dice: &mut Dice) -> Self {
        let mut site = Self {
            version: "11.3.0",
            indexes: BTreeMap::new(),
            listed: 2,
            validation: ["success", "Success"],
            validated: [0, 1],
            reported_again: [Vec::new(), Vec::new()],
            names_owner: true,
            services: [Vec::new(), Vec::new()],
            items: Vec::new(),
            data: [vec![true; dice.below(4)], vec![true; 1 + dice.below(3)]],
            refused: BTreeMap::new(),
            gate: None,
            pause: Duration::ZERO,
        };
        for name in ["users", "groups", "search"] {
            let entries = 2 + i64::try_from(dice.below(400)).unwrap();
            site.indexes.insert(name, (entries, entries));
        }
        for server in 0..2 {
            for number in 0..=dice.below(5) {
                let kind = ["MapServer", "FeatureServer", "GPServer"][dice.below(3)];
                let state =
                    [("STARTED", "STARTED"), ("STOPPED", "STOPPED"), ("Started", "started")][dice.below(3)];
                site.services[server].push((format!("S{number}.{kind}"), state.0, state.1));
                site.items.push(format!("s{}/rest/services/S{number}/{kind}", server + 1));
            }
            site.services[server].push(("Geometry.GeometryServer".to_owned(), "STARTED", "STARTED"));
        }
        // Of another portal, and a second one for the same service.
        site.items.push("elsewhere/rest/services/A/MapServer".to_owned());
        site.items.push(site.items[0].clone());
        site
    }

    fn reply(&self, request: &Request) -> Reply {
        let path = request.path();
        if let Some(refusal) = self.refused.get(path) {
            return refusal.reply();
        }
        match self.answer(path, request) {
            Some(body) => match &self.gate {
                Some((held, gate)) if path == *held => Reply::json(body.to_string()).when(gate),
                _ => Reply::json(body.to_string()),
            },
            None => Reply::new("404 Not Found", "content-type: text/html\r\n", "<html>nothing here</html>"),
        }
    }

    fn answer(&self, path: &str, request: &Request) -> Option<Value> {
        let origin = &request.origin;
        // The administration of Kubernetes is below the portal.
        let of_kubernetes = path.strip_prefix("/portal/admin").map(|below| format!("/s1/admin{below}"));
        let path = of_kubernetes.as_deref().unwrap_or(path);
        let server = |number: usize| format!("{origin}/s{}", number + 1);
        if let Some(below) = path.strip_prefix("/portal/") {
            return Some(match below {
                "sharing/rest/portals/self" => json!({
                    "id": "0123456789ABCDEF", "isPortal": true, "enterpriseVersion": self.version,
                    "user": { "username": "gisadmin", "role": "org_admin", "privileges": [] },
                }),
                "sharing/rest/portals/self/servers" => {
                    let listed = [0, 1].into_iter().take(self.listed).map(|number| {
                        json!({
                            "id": number.to_string(), "name": "gis", "url": server(number),
                            "adminUrl": server(number), "serverType": "ArcGIS",
                            "serverRole": "FEDERATED_SERVER",
                        })
                    });
                    json!({ "servers": listed.collect::<Vec<_>>() })
                }
                "sharing/rest/generateToken" => {
                    json!({ "token": "of-server", "expires": 9_999_999_999_999_i64 })
                }
                "sharing/rest/search" => {
                    let results: Vec<_> = self.items.iter().enumerate().map(|(number, url)| {
                        json!({ "id": format!("i{number}"), "title": url, "url": format!("{origin}/{url}") })
                    }).collect();
                    json!({ "total": results.len(), "nextStart": -1, "results": results })
                }
                "portaladmin/system/indexer/status" => json!({ "indexes": self.indexes.iter().map(
                    |(name, (database, index))| json!({ "name": name, "databaseCount": database, "indexCount": index })
                ).collect::<Vec<_>>() }),
                "portaladmin/federation/servers/validate" => {
                    let servers = self.validated.into_iter().take(self.listed).map(|number| {
                        json!({
                            "serverId": number.to_string(), "status": self.validation[number],
                            "adminUrl": server(number), "messages": ["looked at"],
                        })
                    });
                    json!({ "status": "success", "serversStatus": servers.collect::<Vec<_>>() })
                }
                _ => return None,
            });
        }
        let number = usize::from(path.starts_with("/s2/"));
        let below = path.strip_prefix("/s1/").or_else(|| path.strip_prefix("/s2/"))?;
        Some(match below {
            "rest/info" if self.names_owner => json!({
                "fullVersion": self.version, "owningSystemUrl": format!("{origin}/portal"),
            }),
            "admin" | "admin/info" | "rest/info" => json!({
                "fullVersion": self.version, "loggedInUser": "gisadmin", "loggedInUserPrivilege": "ADMINISTER",
            }),
            "admin/services" => {
                json!({ "folders": [], "services": self.services[number].iter().map(|(path, ..)| {
                let (name, kind) = path.rsplit_once('.').unwrap();
                json!({ "folderName": "/", "serviceName": name, "type": kind })
            }).collect::<Vec<_>>() })
            }
            "admin/services/report" => {
                json!({ "reports": self.services[number].iter().chain(&self.reported_again[number]).map(
                |(path, configured, state)| {
                    let (name, kind) = path.rsplit_once('.').unwrap();
                    json!({ "folderName": "/", "serviceName": name, "type": kind,
                        "status": { "configuredState": configured, "realTimeState": state } })
                }
            ).collect::<Vec<_>>() })
            }
            "admin/generateToken" => json!({ "token": "of-server", "expires": "9999999999999" }),
            "admin/machines" => json!({ "machines": [{ "machineName": format!("m{number}") }] }),
            "admin/machines/m0" | "admin/machines/m1" => json!({
                "machineName": format!("m{number}"), "adminURL": format!("https://m{number}:6443/arcgis/admin"),
            }),
            "admin/data/items" => json!({ "rootItems": ["/fileShares"] }),
            "admin/data/findItems" => json!({ "items": self.data[number].iter().enumerate().map(
                |(item, valid)| json!({ "path": format!("/fileShares/{item}"), "type": "folder",
                    "info": { "path": format!("/data/{valid}") } })
            ).collect::<Vec<_>>() }),
            "admin/data/validateDataItem" => {
                let is_valid = request.form().iter().all(|(_, value)| !value.contains("/data/false"));
                match is_valid {
                    true => json!({ "status": "success" }),
                    false => json!({ "status": "error", "messages": ["The folder cannot be read."] }),
                }
            }
            _ => return None,
        })
    }
}

/// A site that returns what it is told to, at which somebody is signed in.
struct Site {
    app: TestApp,
    id: SiteId,
    returned: Arc<Mutex<Returned>>,
    server: TestServer,
    met: Arc<Met>,
}

/// What requests met with.
#[derive(Default)]
struct Met {
    /// Requests that a slow resource got.
    slow: AtomicUsize,
    /// Requests that have no reply yet, and the most at once.
    open: AtomicUsize,
    most: AtomicUsize,
}

/// Lets more time pass than any reading waits, each time that another request met with a slow resource.
pub(crate) async fn hasten(met: impl Fn() -> usize) -> Infallible {
    let mut before = met();
    loop {
        tokio::time::sleep(Duration::from_millis(5)).await;
        if met() > before {
            before = met();
            let _runs_again = StoppedClock::stop();
            tokio::time::advance(Duration::from_secs(10 * 60 + 1)).await;
        }
    }
}

/// The clock of timers, which runs again when this is dropped.
struct StoppedClock;

impl StoppedClock {
    fn stop() -> Self {
        tokio::time::pause();
        Self
    }
}

impl Drop for StoppedClock {
    fn drop(&mut self) {
        tokio::time::resume();
    }
}

impl Site {
    async fn new(returned: Returned) -> Self {
        let site = Self::of(returned, |origin| {
            let mut form = SiteForm::of("Harbour", &format!("{origin}/portal"), &format!("{origin}/s1"));
            add_server(&mut form, origin);
            form
        });
        let site = site.await;
        site.sign_in_at_the_portal().await;
        site
    }

    /// A site without a signed-in user. `form` gets the origin of what it returns.
    async fn of(returned: Returned, form: impl FnOnce(&str) -> SiteForm) -> Self {
        let returned = Arc::new(Mutex::new(returned));
        let met = Arc::<Met>::default();
        let (now, meets) = (Arc::clone(&returned), Arc::clone(&met));
        let reply = move |request: Request| {
            let (now, meets) = (now.lock().unwrap().clone(), Arc::clone(&meets));
            async move {
                let open = meets.open.fetch_add(1, Ordering::SeqCst) + 1;
                meets.most.fetch_max(open, Ordering::SeqCst);
                if !now.pause.is_zero() {
                    tokio::time::sleep(now.pause).await;
                }
                meets.open.fetch_sub(1, Ordering::SeqCst);
                let is_slow = now.refused.get(request.path()) == Some(&Refusal::Slow);
                meets.slow.fetch_add(usize::from(is_slow), Ordering::SeqCst);
                now.reply(&request)
            }
        };
        let server = TestServer::start_async(reply).await.unwrap();
        let app = TestApp::signed_out().await;
        let id = app.sites().save(&form(&server.origin())).unwrap().id;
        Self { app, id, returned, server, met }
    }

    async fn sign_in_at_the_portal(&self) {
        let token = r#"{"token":"of-portal","expires_at":null}"#.to_owned();
        self.app.vault.set(&format!("{}/portal", self.id.0), Secret::new(token)).await.unwrap();
    }

    async fn check(&self) -> SiteProof {
        let steward = &self.app.steward;
        steward.proofs.check_again(&steward.context, &self.id).unwrap();
        tokio::select! {
            _ = steward.proofs.check_due(&steward.context) => {}
            never = hasten(|| self.met.slow.load(Ordering::SeqCst)) => match never {},
        }
        steward.proofs.of(&steward.context, &self.id).unwrap().proof.unwrap()
    }
}

fn add_server(form: &mut SiteForm, origin: &str) {
    let second = ServerForm {
        id: None,
        name: "image".to_owned(),
        address: format!("{origin}/s2"),
        ..form.servers[0].clone()
    };
    form.servers.push(second);
}

fn states(proof: &SiteProof) -> BTreeMap<ProofAbout, ProofState> {
    proof.lines.iter().map(|line| (line.about, line.state)).collect()
}

#[tokio::test]
async fn of_200_sites_none_is_back_with_a_planted_defect_and_none_without_one_is_called_less() {
    let mut dice = Dice(67);
    let site = Site::new(Returned::whole(&mut dice)).await;
    // The servers are reached by tokens that are kept from here on.
    assert_eq!(site.check().await.state, ProofState::Done);
    let mut counted = BTreeMap::<ProofState, usize>::new();
    for number in 0..200 {
        let mut returned = Returned::whole(&mut dice);
        let mut planted: Vec<(Planted, usize)> = Vec::new();
        for _ in 0..dice.below(4) {
            let index = ["users", "groups", "search"][dice.below(3)];
            let (path, _) = RESOURCES[dice.below(RESOURCES.len())];
            let all = [
                Planted::IndexBehind(index),
                Planted::ServerInvalid,
                Planted::ServerUndetermined,
                Planted::ServerTwice,
                Planted::NotFederated,
                Planted::ServiceStopped,
                Planted::ServiceFailed,
                Planted::ServiceStarting,
                Planted::StateUnknown,
                Planted::StateContradicted,
                Planted::ItemOrphan,
                Planted::ServiceOrphan,
                Planted::DataInvalid,
                Planted::Refused(path, REFUSALS[dice.below(REFUSALS.len())]),
            ];
            let defect = all[dice.below(all.len())];
            // One of both would hide the other.
            let is_of_validation = |one: &Planted| {
                matches!(
                    one,
                    Planted::ServerInvalid
                        | Planted::ServerUndetermined
                        | Planted::ServerTwice
                        | Planted::NotFederated
                )
            };
            if is_of_validation(&defect) && planted.iter().any(|(one, _)| is_of_validation(one)) {
                continue;
            }
            let server = defect.plant(&mut returned, &mut dice);
            planted.push((defect, server));
        }
        let refused: Vec<_> = returned.refused.keys().copied().collect();
        let is_seen = |(defect, server): &&(Planted, usize)| !defect.is_hidden(*server, &refused);
        let seen = planted.iter().filter(is_seen).map(|(defect, _)| defect.at_most());
        let expected = seen.max().unwrap_or(ProofState::Done);
        *site.returned.lock().unwrap() = returned;

        let proof = site.check().await;

        assert_eq!(proof.state, expected, "site {number} with {planted:?}: {proof:#?}");
        assert_eq!(proof.lines.len(), 7, "no line is left out");
        *counted.entry(expected).or_default() += 1;
    }
    assert_eq!(counted.len(), 4, "{counted:?}");
    assert!(counted.values().all(|sites| *sites >= 20), "{counted:?}");
}

/// Servers without a portal, where a user signed in at each by password.
async fn of_servers(returned: Returned) -> Site {
    let site = Site::of(returned, |origin| {
        let mut form = SiteForm::of("Harbour", "", &format!("{origin}/s1"));
        add_server(&mut form, origin);
        form
    });
    let site = site.await;
    let context = &site.app.steward.context;
    for server in context.access.sites.get(&site.id).unwrap().servers {
        let form =
            SignInForm { username: "siteadmin".to_owned(), password: "x".to_owned(), keep_password: true };
        sign_in(context, site.id.clone(), Some(server.id), form).await.unwrap();
    }
    site
}

/// A deployment on Kubernetes, with a saved password.
async fn on_kubernetes(returned: Returned) -> Site {
    let site = Site::of(returned, |origin| {
        let at = format!("{origin}/portal");
        let mut form = SiteForm::of("Water on Kubernetes", &at, &at);
        form.deployment_type = Some(DeploymentType::Kubernetes);
        form.servers[0].server_type = ServerType::Kubernetes;
        form
    });
    let site = site.await;
    site.sign_in_at_the_portal().await;
    let access = &site.app.steward.context.access;
    access.keep_password(&site.id, "gisadmin", &Secret::new("x".to_owned())).await.unwrap();
    site
}

#[tokio::test]
async fn servers_without_a_portal_and_kubernetes_have_the_lines_that_they_can_have_and_are_back_by_them() {
    let whole = || Returned { listed: 0, names_owner: false, ..Returned::whole(&mut Dice(3)) };
    let servers = ["/s1/admin/services", "/s1/admin/services/report", "/s1/admin/data/findItems"];
    let kubernetes =
        ["/portal/admin/services", "/portal/admin/services/report", "/portal/admin/data/findItems"];
    for (site, resources) in
        [(of_servers(whole()).await, servers), (on_kubernetes(whole()).await, kubernetes)]
    {
        let proof = site.check().await;
        let abouts: Vec<_> = states(&proof).into_keys().collect();
        let expected =
            [ProofAbout::Services, ProofAbout::Answers, ProofAbout::SignIn, ProofAbout::DataStores];
        assert_eq!((proof.state, &abouts[..]), (ProofState::Done, &expected[..]), "{proof:#?}");

        let mut failed = whole();
        failed.services[0].push(("Planted.MapServer".to_owned(), "STARTED", "FAILED"));
        let mut invalid = whole();
        invalid.data[0].push(false);
        for (returned, about) in [(failed, ProofAbout::Services), (invalid, ProofAbout::DataStores)] {
            *site.returned.lock().unwrap() = returned;
            let proof = site.check().await;
            assert_eq!(
                (proof.state, line(&proof, about)),
                (ProofState::Wrong, ProofState::Wrong),
                "{proof:#?}"
            );
        }
        for path in resources {
            for refusal in REFUSALS {
                let refused = BTreeMap::from([(path, refusal)]);
                *site.returned.lock().unwrap() = Returned { refused, ..whole() };
                let proof = site.check().await;
                assert_eq!(proof.state, ProofState::NotKnown, "{path} {refusal:?}: {proof:#?}");
            }
        }
    }
}

#[tokio::test]
async fn a_resource_that_answers_with_something_else_is_not_known_in_each_version_and_the_rest_stands() {
    let whole = Returned::whole(&mut Dice(1));
    for version in VERSIONS {
        let site = Site::new(Returned { version, ..whole.clone() }).await;
        assert_eq!(site.check().await.state, ProofState::Done, "{version}");
        for (path, lines) in RESOURCES.into_iter().chain(MACHINES) {
            for refusal in REFUSALS {
                site.returned.lock().unwrap().refused = BTreeMap::from([(path, refusal)]);

                let proof = site.check().await;

                let what = format!("{version} {path} {refusal:?}");
                assert_eq!(proof.state, ProofState::NotKnown, "{what}: {proof:#?}");
                // Of a server that is slow, no list of services is relied on.
                let of_slow = refusal == Refusal::Slow && path == "/s2/admin/services/report";
                for (about, state) in states(&proof) {
                    let is_open = lines.contains(&about) || of_slow && about == ProofAbout::Orphans;
                    let expected = if is_open { ProofState::NotKnown } else { ProofState::Done };
                    assert_eq!(state, expected, "{what} {about:?}: {proof:#?}");
                }
            }
        }
    }
}

#[tokio::test]
async fn what_the_line_of_the_search_index_says_decides_for_the_items_without_a_service() {
    let whole = Returned::whole(&mut Dice(6));
    // An index that no line is about, and that of the items under its other name.
    for (name, expected) in [("another", ProofState::Done), ("items", ProofState::NotYet)] {
        let mut returned = whole.clone();
        returned.indexes.insert(name, (20, 10));

        let proof = Site::new(returned).await.check().await;

        for about in [ProofAbout::SearchIndex, ProofAbout::Orphans] {
            assert_eq!(line(&proof, about), expected, "{name} {about:?}: {proof:#?}");
        }
    }
}

#[tokio::test]
async fn a_server_that_the_portal_lists_no_more_is_not_federated_also_where_a_user_signed_in_at_it() {
    for (names_owner, state) in [(true, ProofState::Wrong), (false, ProofState::Done)] {
        let whole = Returned::whole(&mut Dice(5));
        let site = Site::new(Returned { names_owner, ..whole }).await;
        let saved = site.app.sites().get(&site.id).unwrap();
        let token = r#"{"token":"of-server","expires_at":null}"#.to_owned();
        let name = format!("{}/server/{}", site.id.0, saved.servers[1].id.0);
        site.app.vault.set(&name, Secret::new(token)).await.unwrap();
        assert_eq!(site.check().await.state, ProofState::Done);
        site.returned.lock().unwrap().listed = 1;

        let proof = site.check().await;

        assert_eq!(line(&proof, ProofAbout::Federation), state, "{proof:#?}");
        let orphans = line(&proof, ProofAbout::Orphans);
        assert_eq!(orphans, state, "its items are not compared: {proof:#?}");

        // Without the description of the server, it is not known whether it belongs to a portal.
        for refusal in REFUSALS {
            site.returned.lock().unwrap().refused = BTreeMap::from([("/s2/rest/info", refusal)]);
            let proof = site.check().await;
            assert_eq!(line(&proof, ProofAbout::Federation), ProofState::NotKnown, "{refusal:?}: {proof:#?}");
        }
    }
}

#[tokio::test]
async fn a_token_that_a_user_pastes_does_not_show_that_the_portal_issues_tokens() {
    let app = TestApp::new().await;
    let file = crate::import_server::exported(&app).await;
    app.import_server(crate::import_server::form(&file)).await.unwrap();
    let no_token = r#"{"error":{"code":500,"message":"Unable to generate token.","details":[]}}"#;
    let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", no_token.len());
    let fault = Fault::Instead(format!("{head}{no_token}").into_bytes());
    let _way = app.with_fault("generateToken", fault).await;
    assert_eq!(line(&check(&app).await, ProofAbout::SignIn), ProofState::NotKnown);

    let kept: Value = serde_json::from_str(&app.kept("portal").await.unwrap()).unwrap();
    let pasted = Secret::new(kept["token"].as_str().unwrap().to_owned());
    sign_in_as_bearer(&app.steward.context, &app.site, &pasted).await.unwrap();

    let proof = check(&app).await;
    assert_eq!(line(&proof, ProofAbout::SignIn), ProofState::NotKnown, "{proof:#?}");
}

#[tokio::test]
async fn no_line_becomes_better_because_a_resource_is_taken_away() {
    let mut dice = Dice(2);
    let mut broken = Returned::whole(&mut dice);
    for defect in [
        Planted::ServerInvalid,
        Planted::ServiceFailed,
        Planted::ItemOrphan,
        Planted::ServiceOrphan,
        Planted::DataInvalid,
    ] {
        defect.plant(&mut broken, &mut dice);
    }
    let mut lagging = broken.clone();
    Planted::IndexBehind("search").plant(&mut lagging, &mut dice);
    let site = Site::new(broken.clone()).await;
    for returned in [broken, lagging] {
        *site.returned.lock().unwrap() = returned;
        let before = states(&site.check().await);
        for (path, _) in RESOURCES.into_iter().chain(MACHINES) {
            for refusal in REFUSALS {
                site.returned.lock().unwrap().refused = BTreeMap::from([(path, refusal)]);
                let after = states(&site.check().await);
                for (about, state) in &after {
                    let was = before[about];
                    assert!(
                        *state >= was || *state == ProofState::NotKnown,
                        "{path} {refusal:?}: {about:?} was {was:?} and is {state:?}"
                    );
                }
                assert_eq!(after.len(), before.len());
            }
        }
        site.returned.lock().unwrap().refused.clear();
    }
}

#[tokio::test]
async fn nothing_is_requested_while_an_import_of_the_site_runs() {
    let site = Site::new(Returned::whole(&mut Dice(3))).await;
    let Steward { context, proofs, .. } = &site.app.steward;
    assert_eq!(site.check().await.state, ProofState::Done);
    proofs.check_again(context, &site.id).unwrap();
    let portal = context.access.sites.at(&Target::portal(site.id.clone())).unwrap();
    let begin = || {
        let id = RunId("import".to_owned());
        context.runs.begin(id, &portal, OperationKey::ImportPortal, None, RunStep::Waiting).unwrap()
    };
    let before = site.server.requests().len();
    let import = begin();

    proofs.check_due(context).await;

    assert_eq!(site.server.requests().len(), before);
    let busy = proofs.check_again(context, &site.id).err();
    assert!(matches!(busy, Some(Problem::Busy { .. })), "{busy:?}");
    drop(import);
    proofs.check_due(context).await;
    assert!(site.server.requests().len() > before);

    // One that begins during a check ends it.
    proofs.check_again(context, &site.id).unwrap();
    let gate = Arc::new(Notify::new());
    let held = "/portal/portaladmin/system/indexer/status";
    site.returned.lock().unwrap().gate = Some((held, Arc::clone(&gate)));
    let begin_soon = async || {
        tokio::time::sleep(Duration::from_millis(100)).await;
        begin()
    };
    let import = tokio::join!(proofs.check_due(context), begin_soon()).1;
    assert!(proofs.of(context, &site.id).unwrap().is_waiting, "it is checked again afterwards");
    gate.notify_waiters();

    // The check of the overview requests nothing, either.
    proofs.stop(&site.id);
    let before = site.server.requests().len();
    let busy = check_site(context, &site.id).await.err();
    assert!(matches!(busy, Some(Problem::Busy { .. })), "{busy:?}");
    assert_eq!(site.server.requests().len(), before);
    drop(import);
    site.returned.lock().unwrap().gate = Some(("/s1/admin/services", Arc::clone(&gate)));
    let (checked, import) = tokio::join!(check_site(context, &site.id), begin_soon());
    assert!(matches!(checked, Err(Problem::Busy { .. })), "{checked:?}");
    gate.notify_waiters();
    drop(import);
}

#[tokio::test]
async fn a_site_gets_at_most_two_requests_at_once_from_all_checks_of_it() {
    let mut returned = Returned::whole(&mut Dice(4));
    for number in 0..20 {
        for services in &mut returned.services {
            services.push((format!("Many{number}.GeometryServer"), "STARTED", "STARTED"));
        }
    }
    returned.data = [vec![true; 20], vec![true; 20]];
    // Without the reports, each service is requested.
    returned.refused = BTreeMap::from([
        ("/s1/admin/services/report", Refusal::Missing),
        ("/s2/admin/services/report", Refusal::Missing),
    ]);
    returned.pause = Duration::from_millis(3);
    let site = Site::new(returned).await;
    let Steward { context, proofs, .. } = &site.app.steward;
    let most = || site.met.most.swap(0, Ordering::SeqCst);

    check_site(context, &site.id).await.unwrap();
    assert_eq!(most(), 2, "the check of the overview");

    proofs.check_again(context, &site.id).unwrap();
    proofs.check_due(context).await;
    assert_eq!(most(), 2, "the check whether it is back");

    proofs.check_again(context, &site.id).unwrap();
    let (first, second, _) =
        tokio::join!(check_site(context, &site.id), check_site(context, &site.id), proofs.check_due(context));
    first.and(second).unwrap();
    assert_eq!(most(), 2, "all of them at the same time");
}

/// Checks the practice site until `is_enough`, for at most 30 seconds.
async fn checked_until(app: &TestApp, is_enough: impl Fn(&SiteProof) -> bool) -> SiteProof {
    for _ in 0..60 {
        let proof = check(app).await;
        if is_enough(&proof) {
            return proof;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    panic!("{:#?}", app.steward.proofs.of(&app.steward.context, &app.site))
}

async fn check(app: &TestApp) -> SiteProof {
    let proofs = &app.steward.proofs;
    let ended = proofs.check_due(&app.steward.context).await;
    if let Some(back) = ended.into_iter().find(|one| one.proof.recovery_time.is_some()) {
        return back.proof;
    }
    proofs.check_again(&app.steward.context, &app.site).unwrap();
    proofs.check_due(&app.steward.context).await;
    proofs.of(&app.steward.context, &app.site).unwrap().proof.unwrap()
}

fn line_of(proof: &SiteProof, about: ProofAbout) -> Option<ProofState> {
    proof.line(about).map(|line| line.state)
}

fn line(proof: &SiteProof, about: ProofAbout) -> ProofState {
    proof.line(about).unwrap().state
}

/// Gives a service of the practice site the data that it lacks, and removes the data store items that are not valid.
pub(crate) fn repair(app: &TestApp) {
    in_servers(app, "DELETE FROM data_items; UPDATE services SET real_time_state = configured_state;");
}

#[tokio::test]
async fn a_portal_whose_index_lags_after_an_import_is_back_at_the_end_with_its_recovery_time() {
    let app = TestApp::new().await;
    repair(&app);
    let file = exported(&app).await;
    app.order("import_portal", "indexLags", &[("seconds", "3")]).await;
    let RunResult::Done { record: Some(import), .. } = app.import_portal(form(&file)).await.unwrap() else {
        panic!()
    };

    let ended = check(&app).await;
    assert_eq!(ended.state, ProofState::NotKnown, "the import ended the session");
    assert!(ended.lines.iter().flat_map(|line| &line.open).any(|part| part.why == WhyOpen::SignIn));

    app.sign_in("administrator").await.unwrap();
    app.steward.proofs.check_due(&app.steward.context).await;
    let noticed = app.steward.proofs.of(&app.steward.context, &app.site).unwrap().proof.unwrap();
    assert_ne!(noticed.state, ProofState::NotKnown, "a sign-in is not waited for: {noticed:#?}");
    let lagging = checked_until(&app, |proof| proof.state != ProofState::NotKnown).await;
    assert_eq!(lagging.state, ProofState::NotYet, "{lagging:#?}");
    let index = lagging.line(ProofAbout::SearchIndex).unwrap();
    assert!(index.done < index.of, "{index:?}");
    let orphans = lagging.line(ProofAbout::Orphans).unwrap();
    assert_eq!(orphans.open[0].why, WhyOpen::WaitsFor { about: ProofAbout::SearchIndex });
    assert_eq!(lagging.recovery_time, None);

    // The window is closed, and opened again.
    let app = app.restarted();
    let view = app.steward.proofs.of(&app.steward.context, &app.site).unwrap();
    assert!(view.is_waiting && view.import.as_ref() == Some(&import), "{view:?}");

    let back = checked_until(&app, |proof| proof.state == ProofState::Done).await;
    let recovery_time = back.recovery_time.unwrap();
    assert!((1_000..60_000).contains(&recovery_time), "{recovery_time}");
    assert!(!app.steward.proofs.of(&app.steward.context, &app.site).unwrap().is_waiting);
    let report = report_of(&app.steward.context.history, import.clone()).await.unwrap();
    assert_eq!(report.back.unwrap().recovery_time, Some(recovery_time));
    let trail = events(&app).await;
    let told: Vec<_> = trail.iter().filter(|body| body.contains("site.back")).collect();
    assert_eq!(told.len(), 1, "{trail:?}");
    assert!(told[0].contains(&import.0) && told[0].contains(&recovery_time.to_string()), "{told:?}");

    // A later check is one without an import, and neither the entry nor the trail changes.
    let again = check(&app).await;
    assert_eq!((again.state, again.recovery_time), (ProofState::Done, None));
    app.steward.proofs.check_due(&app.steward.context).await;
    let view = app.steward.proofs.of(&app.steward.context, &app.site).unwrap();
    assert!(view.import.is_none() && !view.is_waiting, "no wait begins after it again: {view:?}");
    let report = report_of(&app.steward.context.history, import.clone()).await.unwrap();
    assert_eq!(report.back.unwrap().recovery_time, Some(recovery_time));
    assert_eq!(events(&app).await.iter().filter(|body| body.contains("site.back")).count(), 1);
}

/// Imports into the portal, and checks until the site is back.
pub(crate) async fn comes_back(app: &TestApp) {
    repair(app);
    let file = exported(app).await;
    app.import_portal(form(&file)).await.unwrap();
    app.sign_in("administrator").await.unwrap();
    checked_until(app, |proof| proof.recovery_time.is_some()).await;
}

#[tokio::test]
async fn a_portal_that_has_less_than_the_export_after_its_import_is_not_back() {
    let app = TestApp::new().await;
    repair(&app);
    let file = exported(&app).await;
    // Until the index is complete, the import cannot count the portal.
    app.order("import_portal", "indexLags", &[("seconds", "1")]).await;
    app.import_portal(form(&file)).await.unwrap();
    let database = rusqlite::Connection::open(app.practice_folder().join("portal/portal.db")).unwrap();
    database.execute("DELETE FROM group_members", []).unwrap();
    database.execute("DELETE FROM group_items", []).unwrap();
    let groups = database.execute("DELETE FROM groups", []).unwrap();
    drop(database);
    app.sign_in("administrator").await.unwrap();

    let proof =
        checked_until(&app, |proof| line_of(proof, ProofAbout::Content) == Some(ProofState::Wrong)).await;

    let differing: Vec<_> = proof.line(ProofAbout::Content).unwrap().open.iter().collect();
    let expected = u32::try_from(groups).unwrap();
    assert_eq!(
        (differing[0].name.as_str(), &differing[0].why),
        ("groups", &WhyOpen::Counted { found: 0, expected })
    );
    assert_eq!(differing.len(), 1, "{differing:?}");
    assert_eq!((proof.state, proof.recovery_time), (ProofState::Wrong, None));
    let told = async || events(&app).await.iter().filter(|body| body.contains("import_portal")).count();
    let before = told().await;
    check(&app).await;
    assert_eq!(told().await, before + 1, "of the same numbers, only the end of the wait is told");
    let worst = app.steward.overviews().of_all_sites().await.unwrap().remove(0);
    let told = worst.worst.unwrap().about;
    assert!(
        matches!(&told, ConcernAbout::WholeSite { lines } if *lines == [ProofAbout::Content]),
        "{told:?}"
    );
}

#[tokio::test]
async fn of_two_urls_that_lead_to_one_server_only_one_is_known_to_be_back() {
    let app = TestApp::new().await;
    repair(&app);
    let way = FaultProxy::to(app.practice_address(), "/never", Fault::Reset).await.unwrap();
    let ready = app.practice.ready();
    let mut form = crate::test_app::form(Some(&app.site), &ready.portal, &ready.server);
    let alias = ServerForm {
        id: None,
        name: "Alias".to_owned(),
        address: ready.server.replace(app.practice_address(), &way.address()),
        services_url: ready.server.clone(),
        ..form.servers[0].clone()
    };
    form.servers.push(alias);
    app.sites().save(&form).unwrap();

    let proof = check(&app).await;

    let open = |proof: &SiteProof| {
        [ProofAbout::Answers, ProofAbout::Services, ProofAbout::DataStores].map(|about| {
            let line = proof.line(about).unwrap();
            assert!(line.of > 0 && line.done < line.of || about != ProofAbout::Answers, "{line:?}");
            let [part] = &line.open[..] else { panic!("{about:?}: {line:?}") };
            assert_eq!(
                (part.state, part.server.as_deref()),
                (ProofState::NotKnown, Some("Alias")),
                "{line:?}"
            );
            part.why.clone()
        })
    };
    for why in open(&proof) {
        assert!(matches!(why, WhyOpen::SameServer { .. }), "{why:?}");
    }
    check_site(&app.steward.context, &app.site).await.unwrap();
    let checks = app.steward.context.access.checked.all();
    let of_servers = checks.iter().filter(|one| one.target.server.is_some());
    let machines: Vec<_> = of_servers.map(|one: &ComponentChecks| one.machine.last()).collect();
    assert!(machines.len() == 2 && machines[0].is_some() && machines[0] == machines[1], "{machines:?}");
}

#[tokio::test]
async fn a_server_without_any_service_after_an_import_is_not_back() {
    let app = TestApp::new().await;
    repair(&app);
    let file = crate::import_server::exported(&app).await;
    app.import_server(crate::import_server::form(&file)).await.unwrap();
    let before = check(&app).await;
    assert_eq!(
        line_of(&before, ProofAbout::Content),
        None,
        "the content of a file on the server is not known"
    );
    in_servers(&app, "PRAGMA foreign_keys = OFF; DELETE FROM services;");

    let proof = check(&app).await;

    let open = &proof.line(ProofAbout::Content).unwrap().open;
    assert!(matches!(open[0].why, WhyOpen::Counted { found: 0, expected } if expected > 0), "{open:?}");
}

/// Runs this in the databases of the servers of the practice site.
fn in_servers(app: &TestApp, sql: &str) {
    for server in std::fs::read_dir(app.practice_folder()).unwrap() {
        let database = server.unwrap().path().join("server.db");
        if database.is_file() {
            rusqlite::Connection::open(database).unwrap().execute_batch(sql).unwrap();
        }
    }
}

/// Exports the server, imports the stored export, and returns the record of the import.
async fn exported_and_imported(app: &TestApp) -> RecordId {
    repair(app);
    crate::export_server::stored_export(app).await;
    let upload = app.history().await.remove(0).facts.upload.unwrap();
    let ended = app.import_server(crate::import_server::form(&upload)).await.unwrap();
    let RunResult::Done { record: Some(import), .. } = ended else { panic!("{ended:?}") };
    import
}

#[tokio::test]
async fn a_server_whose_services_start_after_its_import_is_back_at_the_end_with_its_recovery_time() {
    let app = TestApp::new().await;
    let import = exported_and_imported(&app).await;
    in_servers(
        &app,
        "UPDATE services SET real_time_state = 'STARTING' WHERE rowid = (SELECT min(rowid) FROM services \
         WHERE configured_state = 'STARTED')",
    );

    let starting = check(&app).await;
    assert_eq!(line(&starting, ProofAbout::Services), ProofState::NotYet, "{starting:#?}");
    assert_eq!((starting.state, starting.recovery_time), (ProofState::NotYet, None));
    repair(&app);
    let back = checked_until(&app, |proof| proof.state == ProofState::Done).await;

    let recovery_time = back.recovery_time.unwrap();
    assert!((1..60_000).contains(&recovery_time), "{recovery_time}");
    assert_eq!(line(&back, ProofAbout::Content), ProofState::Done, "{back:#?}");
    let id = import.0.clone();
    let history = &app.steward.context.history;
    let entry = history.journal(move |journal| journal.report_field(&id, "back")).await.unwrap().unwrap();
    assert_eq!(entry.read::<Value>().unwrap()["recoveryTime"], recovery_time);
    let told: Vec<_> = events(&app).await.into_iter().filter(|body| body.contains("site.back")).collect();
    assert!(matches!(&told[..], [one] if one.contains(&import.0)), "{told:?}");
}

#[tokio::test]
async fn services_that_an_import_did_not_bring_are_named_whatever_the_import_itself_could_compare() {
    for is_killed in [false, true] {
        let app = TestApp::new().await;
        let way = app.with_fault("/admin/services", Fault::Saying("", "")).await;
        let import = exported_and_imported(&app).await;
        let history = &app.steward.context.history;
        if is_killed {
            // The program ended during the import, so that there is no report, and a user set the outcome.
            let id = import.0.clone();
            let begin = move |journal: &Journal| journal.intend(&journal.record(&id)?.intent);
            let id = history.journal(begin).await.unwrap();
            let resolution = OutcomeResolution {
                outcome: Outcome::Succeeded,
                note: String::new(),
                by: "sam".to_owned(),
                at: Millis::now().0,
            };
            history.journal(move |journal| journal.set_outcome(&id, &resolution)).await.unwrap();
        } else {
            // The server did not list its services right after the import.
            let proof = json!({ "check": null, "later": [], "servicesBefore": null, "lost": null });
            let (id, proof) = (import.0, Report::of(&proof).unwrap());
            let keep = move |journal: &Journal| journal.set_in_report(&id, "$.proof", &proof);
            history.journal(keep).await.unwrap();
        }
        in_servers(
            &app,
            "PRAGMA foreign_keys = OFF; DELETE FROM services WHERE rowid = (SELECT min(rowid) FROM services);",
        );

        let proof = check(&app).await;

        let open = &proof.line(ProofAbout::Content).unwrap_or_else(|| panic!("{is_killed}: {proof:#?}")).open;
        assert!(matches!(&open[..], [one] if one.why == WhyOpen::NotImported), "{is_killed}: {open:?}");
        // A server that lists nothing does not make it better.
        let refused = Fault::Instead(
            b"HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".to_vec(),
        );
        way.change_to(refused);
        let proof = check(&app).await;
        assert_eq!(line(&proof, ProofAbout::Content), ProofState::NotKnown, "{is_killed}: {proof:#?}");
    }
}

#[tokio::test]
async fn another_version_is_wrong_after_an_import_at_each_check_and_no_fault_without_one() {
    let site = Site::new(Returned::whole(&mut Dice(8))).await;
    assert_eq!(site.check().await.state, ProofState::Done);
    site.returned.lock().unwrap().version = "11.4.0";
    assert_eq!(site.check().await.state, ProofState::Done, "it was upgraded");

    let app = TestApp::new().await;
    let way = app.with_fault("/admin?", Fault::Saying("", "")).await;
    exported_and_imported(&app).await;
    way.change_to(Fault::Saying("11.1.0", "11.2.0"));
    for time in 0..2 {
        let proof = check(&app).await;
        let open = &proof.line(ProofAbout::Answers).unwrap().open;
        assert!(matches!(&open[0].why, WhyOpen::OtherVersion { .. }), "{time}: {open:?}");
    }
}

#[tokio::test]
async fn data_stores_that_were_valid_at_the_beginning_of_a_wait_are_validated_again_at_its_end() {
    let mut dice = Dice(7);
    let whole = Returned::whole(&mut dice);
    let mut lagging = whole.clone();
    Planted::IndexBehind("search").plant(&mut lagging, &mut dice);
    let site = Site::new(lagging).await;
    assert_eq!(site.check().await.state, ProofState::NotYet);
    *site.returned.lock().unwrap() = Returned { data: [vec![false], vec![false]], ..whole };

    let Steward { context, proofs, .. } = &site.app.steward;
    let last = || proofs.of(context, &site.id).unwrap();
    for _ in 0..600 {
        proofs.check_due(context).await;
        if last().proof.unwrap().state != ProofState::NotYet {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }

    let proof = last().proof.unwrap();
    assert_eq!(line(&proof, ProofAbout::DataStores), ProofState::Wrong, "{proof:#?}");
}

#[tokio::test]
async fn what_was_found_of_a_site_is_not_shown_for_another_one_that_takes_its_place() {
    let mut site = Site::new(Returned::whole(&mut Dice(6))).await;
    assert_eq!(site.check().await.state, ProofState::Done);
    let saved = site.app.sites().get(&site.id).unwrap();
    let other = TestServer::start_async(|_| async { Reply::json("{}") }).await.unwrap();
    let mut form =
        SiteForm::of("Harbour", &format!("{}/portal", other.origin()), &format!("{}/s1", other.origin()));
    form.id = Some(site.id.clone());
    form.servers[0].id = Some(saved.servers[0].id.clone());
    site.id = site.app.sites().save(&form).unwrap().id;

    let Steward { context, proofs, .. } = &site.app.steward;

    assert_eq!(proofs.of(context, &site.id), None);
    proofs.check_due(context).await;
    assert_eq!(proofs.of(context, &site.id), None);
    assert_eq!(other.requests().len(), 0);
}

#[tokio::test]
async fn what_a_check_found_is_not_known_after_an_import_until_the_next_check_whatever_outcome_a_user_sets() {
    let app = TestApp::new().await;
    repair(&app);
    let file = exported(&app).await;
    let _way = app.with_fault("/portaladmin/importSite", Fault::AnswerLost).await.sparing(1);
    assert_eq!(check(&app).await.state, ProofState::Done);
    let unknown = async || {
        let Steward { proofs, context, .. } = &app.steward;
        proofs.shown(context, &app.site).await.unwrap().unwrap().unknown_import_at
    };
    assert_eq!(unknown().await, None);
    let ended = app.import_portal(form(&file)).await.unwrap();

    assert!(matches!(ended, RunResult::Unknown { .. }), "{ended:?}");
    let import = app.history().await.remove(0);
    assert_eq!(unknown().await, Some(Millis(import.intent.started_at)));
    let at = Millis::now().0;
    let (outcome, note, by) = (Outcome::Failed, String::new(), "sam".to_owned());
    let resolution = OutcomeResolution { outcome, note, by, at };
    let set =
        app.steward.context.history.journal(move |journal| journal.set_outcome(&import.id, &resolution));
    set.await.unwrap();
    assert!(unknown().await.is_some(), "the check was before the import, whatever a user set");
    app.sign_in("administrator").await.unwrap();
    check(&app).await;
    assert_eq!(unknown().await, None);
}

#[tokio::test]
async fn an_orphan_and_an_invalid_server_are_named_and_the_wait_ends_on_request() {
    let app = TestApp::new().await;
    repair(&app);
    assert_eq!(
        check(&app).await.state,
        ProofState::Done,
        "{:#?}",
        app.steward.proofs.of(&app.steward.context, &app.site)
    );
    app.save_password().await;
    let file = exported(&app).await;
    app.order("import_portal", "orphan", &[]).await;
    app.order("validate_servers", "invalidServer", &[]).await;
    let RunResult::Done { .. } = app.import_portal(form(&file)).await.unwrap() else { panic!() };

    app.steward.proofs.check_due(&app.steward.context).await;
    let first = app.steward.proofs.of(&app.steward.context, &app.site).unwrap();
    let proof = first.proof.unwrap();
    assert_eq!(line(&proof, ProofAbout::Federation), ProofState::NotYet, "just after an import: {proof:#?}");
    assert!(first.is_waiting);
    app.steward.proofs.stop(&app.site);
    assert!(!app.steward.proofs.of(&app.steward.context, &app.site).unwrap().is_waiting);
    app.steward.proofs.check_due(&app.steward.context).await;
    assert_eq!(
        app.steward.proofs.of(&app.steward.context, &app.site).unwrap().proof,
        Some(proof),
        "nothing was requested"
    );

    let proof = check(&app).await;
    assert_eq!(proof.state, ProofState::Wrong, "{proof:#?}");
    let orphan = &proof.line(ProofAbout::Orphans).unwrap().open[0];
    assert_eq!((orphan.name.as_str(), &orphan.why), ("Hosted/Hydrants.FeatureServer", &WhyOpen::NoItem));
}

#[tokio::test]
async fn a_validation_that_failed_although_no_server_did_is_not_read() {
    let odd =
        r#"{"status":"failure","serversStatus":[{"status":"success","serverId":"aB3d","messages":[]}]}"#;
    let portal = site(&[("portaladmin/federation/servers/validate", odd)]).await;
    assert!(listing::validated_servers(&portal.server()).await.is_err());
}

#[tokio::test]
async fn the_page_of_the_data_store_items_shows_what_the_check_of_the_whole_site_found() {
    let app = TestApp::new().await;
    let search = searched(&app, "/").await;
    assert_eq!(kept(&app, &search, "/fileShares/plans"), None);
    let (context, proofs) = (&app.steward.context, &app.steward.proofs);

    proofs.check_again(context, &app.site).unwrap();
    proofs.check_due(context).await;

    let proof = proofs.of(context, &app.site).unwrap().proof.unwrap();
    let items = proof.lines.iter().find(|line| line.about == ProofAbout::DataStores).unwrap();
    let of_page = validation::of_search(context, &app.steward.item_searches, &app.server, &search).unwrap();
    assert!(kept(&app, &search, "/fileShares/plans").is_some());
    assert_eq!((of_page.valid + of_page.warnings, of_page.at.is_some()), (items.done, true), "{of_page:?}");
}

#[tokio::test]
async fn right_after_an_import_the_site_is_shown_as_one_that_is_checked_and_not_as_never_checked() {
    let app = TestApp::new().await;
    let (context, proofs) = (&app.steward.context, &app.steward.proofs);
    assert_eq!(proofs.shown(context, &app.site).await.unwrap().map(|view| view.import), None);

    let import = with_safety_backup(&app, false).await;

    let view = proofs.shown(context, &app.site).await.unwrap().unwrap();
    assert_eq!((view.import, view.is_waiting, view.proof.is_none()), (Some(import), true, true));
}
