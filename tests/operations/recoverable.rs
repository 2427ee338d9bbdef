//! To which time a site is recoverable: sites with planted defects, judged by a second model, and the practice site.
//!
//! [`Site::expected`] is the second model. It knows what was planted, and shares no code with what judges.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use practice_site::Release;
use serde_json::{Value, json};
use steward_app::overview::{
    self, ConcernAbout, CopyKind, DataStores, PartRecovery, Recoverability, RecoverableTo, SiteOverview,
    WhyNotKnown,
};
use steward_core::model::checked::BackupKind;
use steward_core::model::deployment::Environment;
use steward_core::model::ids::{RecordId, SiteId, Target};
use steward_core::model::numbers::Millis;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};
use steward_core::runs::{RunId, RunStep};
use steward_core::sites::{Site, SiteForm};
use steward_core::transfers::recorded_export::verify_recorded_export;
use steward_journal::{Conclusion, Facts, Intent, Outcome, Report};
use steward_plans::form::PlanForm;
use steward_plans::plan::PlanPart;
use steward_testkit::{Reply, Request, TestServer};
use steward_vault::{Secret, SecretStore};

use crate::expiries::wire;
use crate::import_portal::exported as exported_portal;
use crate::saved_plans;
use crate::test_app::TestApp;

const DAY: i64 = 24 * 60 * 60 * 1000;
/// Time of a backup, in milliseconds: smaller numbers would be seconds.
const START: i64 = 1_700_000_000_000;
const BACKUPS: &str = "/portal/portaladmin/backupRestoreInfo";
const HOSTED: &str = "/s1/admin/services/Hosted";

/// Random numbers that are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap() % end
    }

    fn among<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(i64::try_from(all.len()).unwrap())).unwrap()]
    }
}

/// What a server returns.
#[derive(Clone)]
struct Returned {
    version: &'static str,
    has_hosted: bool,
    /// Number of the server that the portal lists as hosting server, from 0. The third is not saved.
    hosting: usize,
    /// Whether both servers are the same one.
    is_same_server: bool,
    backups: Value,
    instead: BTreeMap<&'static str, Reply>,
}

impl Returned {
    fn whole() -> Self {
        let backups = json!({
            "fullBackupTimeStamp": START, "fullRestoreTimeStamp": 0, "incrementalBackupTimeStamp": 0,
            "incrementalRestoreTimeStamp": 0, "backupModeTimeStamp": 0, "backupMode": "FULL",
        });
        let instead = BTreeMap::new();
        Self { version: "11.3", has_hosted: true, hosting: 0, is_same_server: false, backups, instead }
    }

    fn reply(&self, request: &Request) -> Reply {
        let path = request.path();
        if let Some(reply) = self.instead.get(path) {
            return reply.clone();
        }
        match self.answer(path, request) {
            Some(body) => Reply::json(body.to_string()),
            None => Reply::new("404 Not Found", "content-type: text/html\r\n", "<html>nothing here</html>"),
        }
    }

    fn answer(&self, path: &str, request: &Request) -> Option<Value> {
        let server = |number: usize| format!("{}/s{}", request.origin, number + 1);
        let service = |name: &str| json!({ "folderName": "/", "serviceName": name, "type": "FeatureServer" });
        let state = |name: &str| {
            json!({ "folderName": "/", "serviceName": name, "type": "FeatureServer",
                "status": { "configuredState": "STARTED", "realTimeState": "STARTED" } })
        };
        let full = format!("{}.0", self.version);
        Some(match path {
            "/portal/sharing/rest/portals/self" => json!({
                "id": "0123456789ABCDEF", "isPortal": true, "enterpriseVersion": full,
                "user": { "username": "gisadmin", "role": "org_admin", "privileges": [] },
            }),
            "/portal/sharing/rest/portals/self/servers" => {
                let listed: Vec<_> = (0..=self.hosting.max(1))
                    .map(|number| {
                    let role = if number == self.hosting { "HOSTING_SERVER" } else { "FEDERATED_SERVER" };
                    json!({ "id": number.to_string(), "name": "gis", "url": server(number), "adminUrl": server(number),
                        "serverType": "ArcGIS", "serverRole": role })
                }).collect();
                json!({ "servers": listed })
            }
            "/portal/sharing/rest/generateToken" => {
                json!({ "token": "of-server", "expires": 9_999_999_999_999_i64 })
            }
            BACKUPS => self.backups.clone(),
            HOSTED if self.has_hosted => json!({ "folders": [], "services": [service("Hydrants")] }),
            "/s1/admin/services/Hosted/report" => json!({ "reports": [state("Hydrants")] }),
            "/s1/admin/services" if self.has_hosted => {
                json!({ "folders": ["Hosted"], "services": [service("Roads")] })
            }
            "/s1/admin/services" | "/s2/admin/services" => {
                json!({ "folders": [], "services": [service("Roads")] })
            }
            "/s1/admin/services/report" | "/s2/admin/services/report" => {
                json!({ "reports": [state("Roads")] })
            }
            "/s1/admin/machines" | "/s2/admin/machines" => json!({ "machines": [{ "machineName": "GIS" }] }),
            // No certificate is named: what tells a server from another does not depend on it.
            "/s1/admin/machines/GIS" | "/s2/admin/machines/GIS" => {
                let number = if path.starts_with("/s2/") && !self.is_same_server { 2 } else { 1 };
                json!({ "machineName": "GIS", "adminURL": format!("https://gis{number}:6443/arcgis/admin") })
            }
            _ if path.ends_with("/admin")
                || path.ends_with("/admin/info")
                || path.ends_with("/rest/info") =>
            {
                json!({
                    "currentVersion": 11.3, "fullVersion": full, "loggedInUser": "gisadmin",
                    "loggedInUserPrivilege": "ADMINISTER",
                })
            }
            _ => return None,
        })
    }
}

/// Ways to refuse a resource.
const REFUSALS: [&str; 9] = ["403", "404", "500", "page", "empty", "cut", "{}", "[]", "null"];

fn refused(how: &str) -> Reply {
    match how {
        "page" => Reply::new("200 OK", "content-type: text/html\r\n", "<html><h1>Maintenance</h1></html>"),
        "empty" => Reply::json(""),
        "cut" => Reply::json(r#"{"fullBackupTimeStamp":17"#),
        "{}" | "[]" | "null" => Reply::json(how),
        code => Reply::json(format!(
            r#"{{"status":"error","code":{code},"messages":["no"],"error":{{"code":{code},"message":"no"}}}}"#
        )),
    }
}

/// Servers that return what they are told to, and sites at which somebody is signed in.
struct Sites {
    app: TestApp,
    returned: Arc<Mutex<Returned>>,
    server: TestServer,
}

/// Portal and servers, as records name them.
type Parts = Vec<String>;

impl Sites {
    async fn new() -> Self {
        let returned = Arc::new(Mutex::new(Returned::whole()));
        let now = Arc::clone(&returned);
        let server = TestServer::start(move |request| now.lock().unwrap().reply(request)).await.unwrap();
        Self { app: TestApp::signed_out().await, returned, server }
    }

    /// Saves another site at the same servers, with a history of its own.
    async fn add(&self, number: usize) -> (SiteId, Parts) {
        let address = |path: &str| format!("{}/{path}", self.server.origin());
        let mut form = SiteForm::of(&format!("Harbour {number}"), &address("portal"), &address("s1"));
        form.servers[0].role = "HOSTING_SERVER".to_owned();
        let mut second = form.servers[0].clone();
        second.address = address("s2");
        (second.id, second.name, second.role) = (None, "image".to_owned(), "FEDERATED_SERVER".to_owned());
        form.servers.push(second);
        let site = self.app.sites().save(&form).unwrap();
        let token = r#"{"token":"of-portal","expires_at":null}"#.to_owned();
        self.app.vault.set(&format!("{}/portal", site.id.0), Secret::new(token)).await.unwrap();
        let parts = site.components().iter().map(|one| one.recorded_server().to_owned()).collect();
        (site.id, parts)
    }

    async fn check(&self, site: &SiteId) {
        // The invitations are not returned.
        overview::check_site(&self.app.steward.context, site).await.unwrap();
    }

    async fn shown(&self, site: &SiteId) -> SiteOverview {
        self.app.steward.overviews().of_site(site).await.unwrap()
    }

    async fn recoverable(&self, site: &SiteId) -> Recoverability {
        self.shown(site).await.recoverable
    }

    /// Writes an export to the history.
    async fn export(&self, site: &SiteId, part: &str, export: Planted) {
        let (site, part) = (site.0.clone(), part.to_owned());
        let operation = if part.is_empty() { OperationKey::ExportPortal } else { OperationKey::ExportServer };
        let write = self.app.steward.context.history.journal(move |journal| {
            let parameters = match export.is_safety_backup {
                true => vec![("purpose".to_owned(), "safetyBackup".to_owned())],
                false => Vec::new(),
            };
            let id = journal.intend(&Intent {
                site,
                server: part,
                operation: operation.name().to_owned(),
                site_version: export.version.to_owned(),
                started_at: export.at,
                parameters,
                ..Intent::default()
            })?;
            let facts = Facts {
                path: export.path,
                sha256: export.unverified.map(|_| "ab".repeat(32)),
                unverified_entries: export.unverified,
                ..Facts::default()
            };
            let conclusion = Conclusion {
                outcome: Outcome::Succeeded,
                note: String::new(),
                facts: Some(facts),
                response: None,
                report: export.size.map(|size| {
                    let verification =
                        json!({ "size": size, "entries": 1, "unverifiedEntries": 0, "fault": null });
                    Report::of(&json!({ "verification": verification })).unwrap()
                }),
                ended_at: export.at,
                elapsed: 1,
            };
            journal.conclude(&id, &conclusion)
        });
        write.await.unwrap();
    }
}

/// An export in the history.
#[derive(Debug, Clone)]
struct Planted {
    at: i64,
    version: &'static str,
    /// Entries that were not verified; `None` if the file was not.
    unverified: Option<u32>,
    path: Option<String>,
    /// Size of the file when it was verified; `None` if that is not known.
    size: Option<u64>,
    is_safety_backup: bool,
}

fn verified(at: i64) -> Planted {
    Planted { at, version: "11.3", unverified: Some(0), path: None, size: None, is_safety_backup: false }
}

/// Defects of a part.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Defect {
    NeverExported,
    OnlyUnverified,
    OnlyPartly,
    OnlySafetyBackup,
    OtherVersion,
    WithoutVersion,
    FileGone,
    FileChanged,
    FolderAway,
}

const DEFECTS: [Defect; 9] = [
    Defect::NeverExported,
    Defect::OnlyUnverified,
    Defect::OnlyPartly,
    Defect::OnlySafetyBackup,
    Defect::OtherVersion,
    Defect::WithoutVersion,
    Defect::FileGone,
    Defect::FileChanged,
    Defect::FolderAway,
];

/// Verdict of the second model.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
enum Verdict {
    Time,
    NotKnown,
    No,
}

impl Defect {
    /// The most that a site with this defect can be called, if it was checked.
    fn at_most(self, is_checked: bool) -> Verdict {
        match self {
            Self::NeverExported | Self::OnlySafetyBackup => Verdict::No,
            Self::OnlyUnverified | Self::OnlyPartly | Self::WithoutVersion => Verdict::NotKnown,
            Self::OtherVersion | Self::FileGone | Self::FileChanged if is_checked => Verdict::No,
            Self::OtherVersion | Self::FileGone | Self::FileChanged | Self::FolderAway => Verdict::NotKnown,
        }
    }

    /// Exports that plant it, the last one first.
    fn exports(self, at: i64, there: &str) -> Vec<Planted> {
        let good = verified(at);
        match self {
            Self::NeverExported => Vec::new(),
            Self::OnlyUnverified => vec![Planted { unverified: None, ..good }],
            Self::OnlyPartly => vec![Planted { unverified: Some(3), ..good }],
            Self::OnlySafetyBackup => vec![Planted { is_safety_backup: true, ..good }],
            Self::OtherVersion => vec![Planted { version: "11.2", ..good }],
            Self::WithoutVersion => vec![Planted { version: "", ..good }],
            Self::FileGone => {
                let gone = std::env::temp_dir().join("nowhere to be seen.agssite").display().to_string();
                vec![Planted { path: Some(gone), ..good }]
            }
            Self::FileChanged => vec![Planted { path: Some(there.to_owned()), size: Some(7), ..good }],
            Self::FolderAway => {
                vec![Planted { path: Some("/nowhere/to/be/seen.agssite".to_owned()), ..good }]
            }
        }
    }
}

fn verdict(to: &RecoverableTo) -> Verdict {
    match to {
        RecoverableTo::Time { .. } => Verdict::Time,
        RecoverableTo::NotKnown => Verdict::NotKnown,
        RecoverableTo::No => Verdict::No,
        RecoverableTo::NotOffered => panic!("the site has exports"),
    }
}

/// What the second model says of the data stores.
#[derive(Debug, PartialEq, Clone, Copy)]
enum Data {
    NothingHosted,
    To(i64),
    Missing,
    NotKnown,
}

fn data(found: &DataStores) -> Data {
    match found {
        DataStores::NothingHosted => Data::NothingHosted,
        DataStores::Backup { backup, .. } => Data::To(backup.at.0),
        DataStores::Missing { .. } => Data::Missing,
        DataStores::NotKnown { .. } => Data::NotKnown,
        DataStores::NoPortal => panic!("the site has a portal"),
    }
}

#[tokio::test]
async fn of_200_sites_none_is_recoverable_with_a_planted_defect_and_none_without_one_is_called_less() {
    let mut dice = Dice(67);
    let mut counted = BTreeMap::<Verdict, usize>::new();
    let mut data_counted = [0_usize; 4];
    // Twenty sites at a time: the facts of all are in one file.
    for _ in 0..10 {
        let sites = Sites::new().await;
        let there = sites.app.folder("exported").join("there.agssite");
        std::fs::write(&there, "an export").unwrap();
        let there = there.display().to_string();
        let mut all = Vec::new();
        for number in 0..20 {
            let (site, parts) = sites.add(number).await;
            let is_checked = dice.below(8) > 0;
            let mut expected = if is_checked { Verdict::Time } else { Verdict::NotKnown };
            let mut oldest = i64::MAX;
            let mut planted = Vec::new();
            let chance = dice.among(&[100, 6, 4]);
            for part in &parts {
                let at = DAY * (100 + dice.below(50)) + dice.below(DAY);
                let mut exports = match dice.below(chance) {
                    0 => {
                        let defect = dice.among(&DEFECTS);
                        planted.push(defect);
                        expected = expected.max(defect.at_most(is_checked));
                        defect.exports(at, &there)
                    }
                    _ => {
                        oldest = oldest.min(at);
                        // What is older, and what was not verified since, changes nothing.
                        let file = Some(there.clone()).filter(|_| dice.below(2) == 0);
                        let mut exports = vec![Planted { path: file, ..verified(at) }];
                        if dice.below(2) == 0 {
                            exports.insert(0, Planted { unverified: None, ..verified(at + DAY) });
                        }
                        if dice.below(2) == 0 {
                            exports.insert(0, Planted { is_safety_backup: true, ..verified(at + 2 * DAY) });
                        }
                        if dice.below(2) == 0 {
                            exports.push(Planted { version: "11.2", ..verified(at - 60 * DAY) });
                        }
                        exports
                    }
                };
                exports.reverse();
                for export in exports {
                    sites.export(&site, part, export).await;
                }
            }
            let (is_same_server, hides_machine) = (dice.below(12) == 0, dice.below(12) == 0);
            if is_same_server || hides_machine {
                expected = expected.max(Verdict::NotKnown);
            }
            let [full, incremental, mode] =
                [0; 3].map(|_: i64| if dice.below(2) == 0 { 0 } else { START + DAY * dice.below(70) });
            let has_hosted = dice.below(4) > 0;
            let refusal = dice.among(&["", "", "", "403", "page", "cut", "{}"]);
            let hides_hosted = has_hosted && dice.below(5) == 0;
            let usable = [full, mode, if full > 0 && incremental >= full { incremental } else { 0 }]
                .into_iter()
                .max()
                .unwrap();
            let expected_data = match (is_checked, has_hosted) {
                (false, _) => Data::NotKnown,
                (true, false) => Data::NothingHosted,
                (true, true) if !refusal.is_empty() => Data::NotKnown,
                (true, true) if usable > 0 => Data::To(usable),
                (true, true) if hides_hosted => Data::NotKnown,
                (true, true) => Data::Missing,
            };
            {
                let mut now = sites.returned.lock().unwrap();
                *now = Returned { has_hosted, is_same_server, ..Returned::whole() };
                if hides_machine {
                    let path =
                        dice.among(&["/s1/admin/machines", "/s2/admin/machines", "/s2/admin/machines/GIS"]);
                    now.instead.insert(path, refused(dice.among(&["403", "page", "cut", "{}"])));
                }
                now.backups["fullBackupTimeStamp"] = json!(full);
                now.backups["incrementalBackupTimeStamp"] = json!(incremental);
                now.backups["backupModeTimeStamp"] = json!(mode);
                if !refusal.is_empty() {
                    now.instead.insert(BACKUPS, refused(refusal));
                }
                if hides_hosted {
                    now.instead.insert(HOSTED, refused("403"));
                }
            }
            if is_checked {
                sites.check(&site).await;
            }

            let found = sites.recoverable(&site).await;

            let what = format!(
                "site {number} with {planted:?}, checked: {is_checked}, one server: {is_same_server}, no machine: {hides_machine}: {found:#?}"
            );
            assert_eq!(verdict(&found.to), expected, "{what}");
            if let RecoverableTo::Time { at, .. } = found.to {
                assert_eq!(at.0, oldest, "{what}");
            }
            assert_eq!(data(&found.data_stores), expected_data, "{what}");
            assert_eq!(found.parts.len(), 3, "no part is left out");
            *counted.entry(expected).or_default() += 1;
            let place = match expected_data {
                Data::NothingHosted => 0,
                Data::To(_) => 1,
                Data::Missing => 2,
                Data::NotKnown => 3,
            };
            data_counted[place] += 1;
            all.push((site, found));
        }
        let Sites { app, .. } = &sites;
        let listed = app.steward.overviews().of_all_sites().await.unwrap();
        for (site, found) in all {
            let summary = listed.iter().find(|one| one.site == site).unwrap();
            assert_eq!(summary.recoverable, found, "the list of all sites shows the same");
        }
    }
    assert!(counted.len() == 3 && counted.values().all(|sites| *sites >= 20), "{counted:?}");
    assert!(data_counted.iter().all(|sites| *sites >= 5), "{data_counted:?}");
}

#[tokio::test]
async fn of_several_servers_whose_machines_were_never_checked_only_the_first_is_known_to_be_recoverable() {
    let sites = Sites::new().await;
    let (site, parts) = sites.add(1).await;
    for part in &parts {
        sites.export(&site, part, verified(200 * DAY)).await;
    }
    let states = async || {
        let found = sites.recoverable(&site).await;
        (verdict(&found.to), found.parts.into_iter().map(|part| part.state).collect::<Vec<_>>())
    };
    // As a sign-in does: it returns the versions, and nothing else was checked yet.
    for component in sites.app.sites().get(&site).unwrap().components() {
        sites.app.steward.context.access.ask_who(&component).await.unwrap();
    }

    let [good, not_known] = [PartRecovery::Verified, PartRecovery::MachineNotKnown];
    assert_eq!(states().await, (Verdict::NotKnown, vec![good.clone(), good.clone(), not_known.clone()]));

    sites.check(&site).await;
    assert_eq!(states().await, (Verdict::Time, vec![good.clone(), good.clone(), good.clone()]));

    for path in ["/s1/admin/machines", "/s2/admin/machines"] {
        *sites.returned.lock().unwrap() = Returned::whole();
        sites.returned.lock().unwrap().instead.insert(path, refused("403"));
        sites.check(&site).await;
        let expected = vec![good.clone(), good.clone(), not_known.clone()];
        assert_eq!(states().await, (Verdict::NotKnown, expected), "{path}");
    }
}

#[tokio::test]
async fn nothing_is_hosted_only_if_the_portal_names_a_saved_server_as_its_hosting_server_now() {
    let sites = Sites::new().await;
    // The first server is saved with the role of the hosting server.
    let site = good(&sites).await;
    let none = || {
        let mut none = Returned { has_hosted: false, ..Returned::whole() };
        none.backups["fullBackupTimeStamp"] = json!(0);
        none
    };
    let list = "/portal/sharing/rest/portals/self/servers";
    let empty = Reply::json(r#"{"servers":[]}"#);
    for (hosting, instead, expected) in [
        (0, None, Data::NothingHosted),
        (1, None, Data::NothingHosted),
        (2, None, Data::NotKnown),
        (0, Some(refused("403")), Data::NotKnown),
        (0, Some(empty), Data::NotKnown),
    ] {
        let mut now = Returned { hosting, ..none() };
        now.instead.extend(instead.map(|reply| (list, reply)));
        *sites.returned.lock().unwrap() = now;

        sites.check(&site).await;

        assert_eq!(data(&sites.recoverable(&site).await.data_stores), expected, "{hosting}");
    }
}

/// A site whose parts were exported on the first days, and that was checked.
async fn good(sites: &Sites) -> SiteId {
    let (site, parts) = sites.add(1).await;
    for (place, part) in (200..).zip(&parts) {
        sites.export(&site, part, verified(place * DAY)).await;
    }
    sites.check(&site).await;
    site
}

#[tokio::test]
async fn backups_that_the_portal_does_not_return_are_not_known_in_every_version_and_the_rest_stands() {
    let sites = Sites::new().await;
    let site = good(&sites).await;
    let to = sites.recoverable(&site).await.to;
    assert_eq!(to, RecoverableTo::Time { at: Millis(200 * DAY), expected_by: None });
    let mut replies: Vec<_> = REFUSALS.iter().map(|how| (*how, refused(how))).collect();
    replies.push(("a text", Reply::json(r#"{"fullBackupTimeStamp":"never"}"#)));
    replies.push(("in the future", Reply::json(r#"{"fullBackupTimeStamp":33333333333333}"#)));
    replies.push(("another object", Reply::json(r#"{"status":"success"}"#)));
    for version in ["11.0", "11.1", "11.3", "12.0"] {
        for (how, reply) in &replies {
            *sites.returned.lock().unwrap() = Returned::whole();
            sites.check(&site).await;
            assert_eq!(data(&sites.recoverable(&site).await.data_stores), Data::To(START), "{version} {how}");
            {
                let mut now = sites.returned.lock().unwrap();
                now.version = version;
                now.instead.insert(BACKUPS, reply.clone());
            }
            sites.check(&site).await;
            let found = sites.recoverable(&site).await;
            let DataStores::NotKnown { why: WhyNotKnown::Failed { reason } } = &found.data_stores else {
                panic!("{version} {how}: {found:#?}")
            };
            assert!(!reason.is_empty(), "{version} {how}");
            let fits = version == "11.3";
            assert_eq!(matches!(found.to, RecoverableTo::Time { .. }), fits, "{version} {how}: {found:#?}");
        }
    }
    *sites.returned.lock().unwrap() = Returned { version: "10.9", ..Returned::whole() };
    let before = sites.server.requests().len();
    sites.check(&site).await;
    let asked = sites.server.requests().split_off(before);
    assert!(!asked.iter().any(|request| request.path() == BACKUPS), "10.9 has no such resource");
    let found = sites.recoverable(&site).await.data_stores;
    assert_eq!(found, DataStores::NotKnown { why: WhyNotKnown::NotOffered });
}

#[tokio::test]
async fn a_portal_that_takes_longer_than_the_limit_for_its_backups_leaves_the_rest_as_it_is() {
    let sites = Sites::new().await;
    let site = good(&sites).await;
    sites.returned.lock().unwrap().instead.insert(BACKUPS, Reply::silence());
    let began = std::time::Instant::now();

    sites.check(&site).await;

    assert!(began.elapsed().as_secs() < 30);
    let found = sites.recoverable(&site).await;
    assert!(
        matches!(found.data_stores, DataStores::NotKnown { why: WhyNotKnown::Failed { .. } }),
        "{found:?}"
    );
    assert!(matches!(found.to, RecoverableTo::Time { .. }), "{found:?}");
}

#[tokio::test]
async fn the_documented_responses_of_each_version_are_read() {
    let sites = Sites::new().await;
    let site = good(&sites).await;
    let saved = sites.app.sites().get(&site).unwrap();
    sites.app.sites().put(Site { environment: Environment::Production, ..saved }).unwrap();
    let at = 1_750_000_000_000_i64;
    for (version, name, expected) in [
        ("11.0", "backups-11.0", Some((BackupKind::Full, at))),
        ("11.1", "backups-11.1", Some((BackupKind::Incremental, at))),
        ("12.0", "backups-12.0", Some((BackupKind::BackupMode, at))),
        ("11.3", "backups-none", None),
    ] {
        {
            let mut now = sites.returned.lock().unwrap();
            now.version = version;
            now.backups = serde_json::from_str(&wire(name)).unwrap();
        }
        sites.check(&site).await;
        let SiteOverview { recoverable, concerns, .. } = sites.shown(&site).await;
        let is_concern =
            concerns.iter().any(|concern| matches!(concern.about, ConcernAbout::NoDataBackup { .. }));
        assert_eq!(is_concern, expected.is_none(), "{version}: {concerns:?}");
        match (recoverable.data_stores, expected) {
            (DataStores::Backup { backup, checked_at: Some(_) }, Some(expected)) => {
                assert_eq!((backup.kind, backup.at.0), expected, "{version}");
            }
            (DataStores::Missing { checked_at: Some(_) }, None) => {}
            (found, _) => panic!("{version}: {found:?}"),
        }
    }
}

#[tokio::test]
async fn no_fact_that_is_taken_away_makes_a_line_better() {
    let sites = Sites::new().await;
    let site = good(&sites).await;
    for (has_hosted, backups) in [(true, true), (true, false), (false, true)] {
        let whole = || {
            let mut whole = Returned { has_hosted, ..Returned::whole() };
            if !backups {
                whole.backups["fullBackupTimeStamp"] = json!(0);
            }
            whole
        };
        *sites.returned.lock().unwrap() = whole();
        sites.check(&site).await;
        let before = sites.recoverable(&site).await;
        let is_open =
            |found: &Recoverability| matches!(data(&found.data_stores), Data::Missing | Data::NotKnown);
        for path in [
            BACKUPS,
            HOSTED,
            "/portal/sharing/rest/portals/self/servers",
            "/s1/admin/services",
            "/s2/admin/services",
            "/s1/admin/machines",
            "/s2/admin/machines/GIS",
            "/portal/sharing/rest/portals/self",
            "/portal/sharing/rest/generateToken",
            "/s1/admin/info",
        ] {
            for how in ["403", "page", "{}"] {
                *sites.returned.lock().unwrap() = whole();
                sites.check(&site).await;
                sites.returned.lock().unwrap().instead.insert(path, refused(how));
                sites.check(&site).await;
                let after = sites.recoverable(&site).await;
                assert!(verdict(&after.to) >= verdict(&before.to), "{path} {how}: {after:#?}");
                assert!(is_open(&after) || !is_open(&before), "{path} {how}: {after:#?}");
                if let (Data::To(was), Data::To(is)) = (data(&before.data_stores), data(&after.data_stores)) {
                    assert!(is <= was, "{path} {how}");
                }
            }
        }
    }
}

#[tokio::test]
async fn nothing_is_requested_for_it_while_an_import_of_the_site_runs() {
    let sites = Sites::new().await;
    let site = good(&sites).await;
    let context = &sites.app.steward.context;
    let portal = context.access.sites.at(&Target::portal(site.clone())).unwrap();
    let id = RunId("import".to_owned());
    let _import =
        context.runs.begin(id, &portal, OperationKey::ImportPortal, None, RunStep::Waiting).unwrap();
    let before = sites.server.requests().len();

    let busy = overview::check_site(context, &site).await;

    assert!(matches!(busy, Err(Problem::Busy { .. })), "{busy:?}");
    let asked = sites.server.requests().split_off(before);
    assert!(!asked.iter().any(|request| request.path() == BACKUPS));
}

async fn shown(app: &TestApp) -> SiteOverview {
    app.steward.overviews().of_site(&app.site).await.unwrap()
}

async fn check(app: &TestApp) {
    assert!(overview::check_site(&app.steward.context, &app.site).await.unwrap().is_empty());
}

async fn export_server(app: &TestApp) -> std::path::PathBuf {
    export_server_into(app, "exported").await
}

async fn export_server_into(app: &TestApp, folder: &str) -> std::path::PathBuf {
    let path = app.folder(folder).join("city.agssite");
    app.dialogs.will_choose(&path);
    app.export_server(ExportServerForm { place: ServerExportDestination::ThisComputer }).await.unwrap();
    path
}

#[tokio::test]
async fn the_practice_site_has_hosted_layers_and_a_backup_of_them_that_is_old() {
    for (release, is_reported) in
        [((10, 9), false), ((11, 0), true), ((11, 1), true), ((11, 3), true), ((12, 0), true)]
    {
        let app = TestApp::of_release(Release::new(release.0, release.1)).await;
        let before = shown(&app).await.recoverable.data_stores;
        assert!(matches!(before, DataStores::NotKnown { .. }), "{release:?}: {before:?}");
        check(&app).await;
        let found = shown(&app).await.recoverable.data_stores;
        match is_reported {
            true => {
                let DataStores::Backup { backup, .. } = found else { panic!("{release:?}: {found:?}") };
                let days = (Millis::now().0 - backup.at.0) / DAY;
                assert_eq!((backup.kind, days), (BackupKind::Full, 9), "{release:?}");
            }
            false => assert_eq!(found, DataStores::NotKnown { why: WhyNotKnown::NotOffered }),
        }
    }
    let app = TestApp::new().await;
    app.order("read_backups", "refused", &[]).await;
    check(&app).await;
    let found = shown(&app).await.recoverable.data_stores;
    assert!(matches!(found, DataStores::NotKnown { why: WhyNotKnown::Failed { .. } }), "{found:?}");
    check(&app).await;
    assert!(matches!(shown(&app).await.recoverable.data_stores, DataStores::Backup { .. }));
}

#[tokio::test]
async fn an_export_counts_until_a_check_does_not_find_its_file() {
    let app = TestApp::new().await;
    exported_portal(&app).await;
    assert!(!shown(&app).await.recoverable.has_verified(), "that of the portal was not read");
    let path = export_server(&app).await;
    assert!(shown(&app).await.recoverable.has_verified(), "the step of the guided tour");
    let server = async || {
        let parts = shown(&app).await.recoverable.parts;
        parts.into_iter().find(|part| part.server.is_some()).unwrap()
    };
    assert_eq!(server().await.state, PartRecovery::Verified, "the sign-in returned the version");

    check(&app).await;

    let part = server().await;
    assert_eq!(part.state, PartRecovery::Verified);
    let place = part.place.unwrap();
    assert_eq!(
        (place.kind, place.name.as_str()),
        (CopyKind::Folder, path.parent().unwrap().to_str().unwrap())
    );
    let overview = shown(&app).await;
    let portal = &overview.recoverable.parts[0];
    assert_eq!(
        (&portal.state, portal.place.as_ref().unwrap().kind),
        (&PartRecovery::NotVerified, CopyKind::Site)
    );
    assert_eq!(overview.recoverable.to, RecoverableTo::NotKnown, "the export of the portal was not read");

    std::fs::rename(&path, path.with_extension("moved")).unwrap();
    assert_eq!(server().await.state, PartRecovery::Verified, "no file is looked for without a check");
    check(&app).await;
    assert!(matches!(server().await.state, PartRecovery::FileMissing { .. }));
    assert_eq!(shown(&app).await.recoverable.to, RecoverableTo::No);
    let app = app.restarted();
    assert_eq!(shown(&app).await.recoverable.to, RecoverableTo::No);

    std::fs::rename(path.with_extension("moved"), &path).unwrap();
    check(&app).await;
    assert_eq!(shown(&app).await.recoverable.to, RecoverableTo::NotKnown);
}

#[tokio::test]
async fn an_export_that_was_written_over_counts_again_when_it_was_verified_again() {
    let app = TestApp::new().await;
    let path = export_server(&app).await;
    let state = async || {
        check(&app).await;
        let parts = shown(&app).await.recoverable.parts;
        parts.into_iter().find(|part| part.server.is_some()).unwrap().state
    };
    assert_eq!(state().await, PartRecovery::Verified);
    let whole = std::fs::read(&path).unwrap();
    let later = SystemTime::now() + Duration::from_secs(60);
    let write_over = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
    };

    write_over(&vec![b'x'; whole.len()]);
    assert!(matches!(state().await, PartRecovery::FileChanged { .. }));

    // Put back, it has its content and a later time, and is not read for the overview.
    write_over(&whole);
    assert!(matches!(state().await, PartRecovery::FileChanged { .. }));
    let record = RecordId(app.history().await.remove(0).id);
    let (context, site) = (&app.steward.context, &app.site);
    let verified = verify_recorded_export(
        context,
        &app.steward.dialogs,
        &app.steward.data_folder,
        site,
        app.run(),
        record,
    );
    verified.await.unwrap();
    assert_eq!(state().await, PartRecovery::Verified);
}

#[tokio::test]
async fn an_older_verified_export_counts_as_long_as_the_newest_is_not_there() {
    let app = TestApp::new().await;
    let server = async || {
        let overview = shown(&app).await;
        let part = overview.recoverable.parts.into_iter().find(|part| part.server.is_some()).unwrap();
        let facts = overview.components.into_iter().find(|one| one.server.is_some()).unwrap();
        (part.state, part.at, facts.exports.and_then(|exports| exports.verified))
    };
    let older = export_server_into(&app, "older").await;
    check(&app).await;
    let (_, at_first, _) = server().await;
    let newer = export_server_into(&app, "newer").await;
    check(&app).await;
    let (state, at_last, verified) = server().await;
    assert_eq!((state, verified), (PartRecovery::Verified, at_last));
    assert!(at_last > at_first);

    std::fs::remove_file(&newer).unwrap();
    check(&app).await;
    assert_eq!(server().await, (PartRecovery::Verified, at_first, at_first));

    std::fs::remove_file(&older).unwrap();
    check(&app).await;
    let (state, at, verified) = server().await;
    assert!(matches!(state, PartRecovery::FileMissing { .. }), "{state:?}");
    assert_eq!((at, verified), (at_last, None));
}

#[tokio::test]
async fn a_file_in_a_folder_that_is_away_is_not_known_and_not_missing() {
    let app = TestApp::new().await;
    let server = async || {
        let parts = shown(&app).await.recoverable.parts;
        parts.into_iter().find(|part| part.server.is_some()).unwrap()
    };
    let older = export_server_into(&app, "older").await;
    check(&app).await;
    let at_first = server().await.at;
    let newer = export_server_into(&app, "drive").await;
    let drive = newer.parent().unwrap();
    std::fs::rename(drive, drive.with_extension("away")).unwrap();

    check(&app).await;
    assert_eq!((server().await.state, server().await.at), (PartRecovery::Verified, at_first));

    std::fs::remove_file(&older).unwrap();
    check(&app).await;
    let part = server().await;
    assert!(matches!(part.state, PartRecovery::FileNotKnown { .. }), "{part:?}");
    assert!(part.at > at_first);

    std::fs::rename(drive.with_extension("away"), drive).unwrap();
    check(&app).await;
    assert_eq!(server().await.state, PartRecovery::Verified);
}

#[tokio::test]
async fn a_production_site_needs_attention_without_an_export_and_without_a_plan() {
    let app = TestApp::new().await;
    let about = async || {
        let concerns = shown(&app).await.concerns;
        concerns.into_iter().find_map(|concern| match concern.about {
            ConcernAbout::NotRecoverable { parts, has_plan } => Some((parts.len(), has_plan)),
            ConcernAbout::NoPlan { .. } => Some((0, false)),
            _ => None,
        })
    };
    assert_eq!(about().await, None, "not of a site for tests");
    let site = app.sites().get(&app.site).unwrap();
    let production = Site { environment: Environment::Production, ..site };
    app.sites().put(production).unwrap();

    assert_eq!(about().await, Some((2, false)));
    export_server(&app).await;
    assert_eq!(about().await, Some((1, false)), "the portal");
    exported_portal(&app).await;
    assert_eq!(about().await, Some((1, false)), "its export is not verified on this computer");
    let form = saved_plans::form(&app).await;
    let paused = PlanForm { is_enabled: false, ..form.clone() };
    let id = Some(saved_plans::save(&app, &paused).await.unwrap().id);
    assert_eq!(about().await, Some((1, false)), "a paused plan exports nothing");
    saved_plans::save(&app, &PlanForm { id, ..form }).await.unwrap();
    assert_eq!(about().await, None, "the plan says itself what it does not verify");
}

#[tokio::test]
async fn a_part_of_a_production_site_that_no_plan_exports_is_named() {
    let app = TestApp::new().await;
    let site = app.sites().get(&app.site).unwrap();
    app.sites().put(Site { environment: Environment::Production, ..site }).unwrap();
    let form = saved_plans::form(&app).await;
    let without_plan = async || {
        let concerns = shown(&app).await.concerns;
        concerns.into_iter().find_map(|concern| match concern.about {
            ConcernAbout::NoPlan { parts } => Some(parts),
            _ => None,
        })
    };
    assert_eq!(without_plan().await, None, "the parts without an export are told to be without a plan");
    export_server(&app).await;
    exported_portal(&app).await;
    let (portal, server): (Vec<_>, Vec<_>) =
        form.parts.iter().cloned().partition(|part| matches!(part, PlanPart::Portal { .. }));

    let of_server = PlanForm { parts: server, ..form.clone() };
    let id = Some(saved_plans::save(&app, &of_server).await.unwrap().id);
    assert_eq!(without_plan().await, Some(vec![None]), "the portal");

    let of_portal = PlanForm { id: id.clone(), parts: portal, ..form.clone() };
    saved_plans::save(&app, &of_portal).await.unwrap();
    assert_eq!(without_plan().await, Some(vec![app.server.server.clone()]));

    saved_plans::save(&app, &PlanForm { id, ..form }).await.unwrap();
    assert_eq!(without_plan().await, None);
}

#[tokio::test]
async fn each_place_of_an_export_is_named() {
    let app = TestApp::new().await;
    let record = async |server: &str, facts: Facts, parameters: Vec<(String, String)>| {
        let (site, server) = (app.site.0.clone(), server.to_owned());
        let operation =
            if server.is_empty() { OperationKey::ExportPortal } else { OperationKey::ExportServer };
        let write = app.steward.context.history.journal(move |journal| {
            let intent = Intent {
                site,
                server,
                operation: operation.name().to_owned(),
                started_at: Millis::now().0,
                parameters,
                ..Intent::default()
            };
            let id = journal.intend(&intent)?;
            let conclusion = Conclusion {
                outcome: Outcome::Succeeded,
                note: String::new(),
                facts: Some(facts),
                response: None,
                report: None,
                ended_at: Millis::now().0,
                elapsed: 1,
            };
            journal.conclude(&id, &conclusion)
        });
        write.await.unwrap();
        let places = shown(&app).await.recoverable.parts.into_iter().filter_map(|part| part.place);
        places.map(|place| (place.kind, place.name)).collect::<Vec<_>>()
    };
    let server = app.sites().at(&app.server).unwrap().recorded_server().to_owned();
    let path = |path: &str| Facts { path: Some(path.to_owned()), ..Facts::default() };
    let at = |kind, name: &str| (kind, name.to_owned());
    let upload = Facts { upload: Some("i7".to_owned()), ..Facts::default() };
    assert_eq!(record(&server, upload, Vec::new()).await, [at(CopyKind::Upload, "")]);
    let (share, folder) = ("//nas/gis", "/srv/gis");
    let found = record(&server, path(&format!("{share}/a.agssite")), Vec::new()).await;
    assert_eq!(found, [at(CopyKind::Share, share)]);
    let found = record(&server, path(&format!("{folder}/a.agssite")), Vec::new()).await;
    assert_eq!(found, [at(CopyKind::Folder, folder)]);
    let on_site = Facts { site_path: Some("/arcgis/backup".to_owned()), ..Facts::default() };
    let found = record("", on_site.clone(), Vec::new()).await;
    assert_eq!(found, [at(CopyKind::Site, "/arcgis/backup"), at(CopyKind::Folder, folder)]);
    let store = vec![("backupObjectStore".to_owned(), "gis-backup".to_owned())];
    let found = record("", on_site, store).await;
    assert_eq!(found, [at(CopyKind::Bucket, "gis-backup"), at(CopyKind::Folder, folder)]);
}
