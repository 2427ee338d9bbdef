//! What expires on a site: read by its check, listed in its overview, and told by the channels of its plans.

use std::path::Path;

use practice_site::Release;
use steward_app::overview::{self, ConcernAbout, ConcernTone, SiteOverview, SiteSummary};
use steward_client::Version;
use steward_client::listing::{self, Licenses};
use steward_core::access::checked_facts::CheckedFacts;
use steward_core::files::data_folder::CHECKED_FACTS;
use steward_core::listings;
use steward_core::model::expiry::{Expiring, Expiry, ExpiryGapReason, ExpiryPart};
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::{Problem, as_text};
use steward_core::runs::RunStep;
use steward_core::settings::policy::{PlansRule, Policy};
use steward_core::sites::Site;
use steward_testkit::{Fault, LogCertificates, LogReceiver};

use crate::alerts::{due_plan_with, json, receiver, slack, start, webhook};
use crate::incomplete_lists::site;
use crate::really_back::hasten;
use crate::refresh_invitation::{form, invitation};
use crate::test_app::TestApp;

const RELEASES: [Release; 9] = [
    Release::new(10, 4),
    Release::new(10, 5),
    Release::new(10, 6),
    Release::new(10, 7),
    Release::new(10, 8),
    Release::new(11, 0),
    Release::new(11, 1),
    Release::new(11, 3),
    Release::new(12, 0),
];

async fn shown(app: &TestApp) -> SiteOverview {
    app.steward.overviews().of_site(&app.site).await.unwrap()
}

async fn listed(app: &TestApp) -> SiteSummary {
    app.steward.overviews().of_all_sites().await.unwrap().remove(0)
}

async fn check(app: &TestApp) -> usize {
    overview::check_site(&app.steward.context, &app.site).await.unwrap().len()
}

/// What needs attention because it expires.
fn concerns(overview: &SiteOverview) -> Vec<&Expiry> {
    let mut found = Vec::new();
    for concern in &overview.concerns {
        if let ConcernAbout::Expires { expiry } = &concern.about {
            found.push(&**expiry);
        }
    }
    found
}

/// What is only listed, without the invitations, which the practice site always has.
fn others(overview: &SiteOverview) -> Vec<&Expiry> {
    overview.expires.iter().filter(|one| !matches!(one.what, Expiring::Invitation { .. })).collect()
}

/// What is not known, by whether it is that of a server.
fn gaps(overview: &SiteOverview) -> Vec<(bool, ExpiryPart)> {
    overview.expiry_gaps.iter().map(|gap| (gap.server.is_some(), gap.part)).collect()
}

#[tokio::test]
async fn a_site_that_was_never_checked_is_not_called_one_where_nothing_expires() {
    let app = TestApp::new().await;
    let overview = shown(&app).await;
    assert!(others(&overview).is_empty() && concerns(&overview).is_empty());
    assert!(overview.expiry_gaps.iter().all(|gap| gap.why == ExpiryGapReason::NotChecked));
    assert_eq!((overview.expiry_gaps.len(), listed(&app).await.expiry_gaps), (6, 2));

    assert_eq!(check(&app).await, 0);
    let overview = shown(&app).await;
    assert_eq!(overview.expiry_gaps, []);
    assert!(others(&overview).is_empty() && concerns(&overview).is_empty(), "{overview:?}");
    assert_eq!(listed(&app).await.expiry_gaps, 0);
}

#[tokio::test]
async fn a_license_that_expires_in_five_days_needs_attention_until_a_check_finds_it_renewed() {
    let app = TestApp::new().await;
    app.order("read_licenses", "licenseExpiresSoon", &[]).await;
    check(&app).await;
    let overview = shown(&app).await;
    let [license] = &concerns(&overview)[..] else { panic!("{overview:?}") };
    assert!(matches!(&license.what, Expiring::License { names } if !names.is_empty()), "{license:?}");
    // The portal, which returns no time zone, is read first.
    assert_eq!((license.server.is_some(), license.days, license.plan_for.is_some()), (false, 5, true));
    let concern =
        overview.concerns.iter().find(|one| matches!(one.about, ConcernAbout::Expires { .. })).unwrap();
    assert_eq!(concern.tone, ConcernTone::Warnings);
    assert!(others(&overview).is_empty(), "a row of what needs attention instead");
    let is_license = |one: &&Expiry| matches!(one.what, Expiring::License { .. });
    assert_eq!(listed(&app).await.expires.iter().filter(is_license).count(), 1);

    let app = app.restarted();
    assert_eq!(concerns(&shown(&app).await).len(), 1, "without a request");
    check(&app).await;
    assert_eq!(concerns(&shown(&app).await).len(), 0);
}

#[tokio::test]
async fn a_machine_with_another_certificate_than_the_site_presents_is_listed() {
    for release in [Release::new(10, 9), Release::new(11, 1)] {
        let app = TestApp::of_release(release).await;
        app.order("read_certificates", "otherCertificate", &[]).await;
        check(&app).await;
        let overview = shown(&app).await;
        let [certificate] = others(&overview)[..] else { panic!("{overview:?}") };
        let is_of_portal = matches!(&certificate.what, Expiring::Machine { machine, alias, .. } if machine.is_empty() && alias == "practice-site");
        assert!(is_of_portal, "{certificate:?}");
        assert_eq!((certificate.days, certificate.plan_for.as_deref()), (20, None));
        assert_eq!(overview.expiry_gaps, []);
    }
}

/// The machine of the practice site, with an administration URL.
fn machine_at(admin_url: &str) -> Fault {
    let machine =
        r#"{"machineName":"GIS1.EXAMPLE.ORG","webServerCertificateAlias":"practice-site","adminURL":""#;
    answer("200 OK", &format!(r#"{machine}{admin_url}"}}"#))
}

#[tokio::test]
async fn a_machine_whose_port_presents_another_certificate_than_it_has_is_one_entry_that_says_so() {
    let app = TestApp::new().await;
    // Issued by an authority that nobody trusts, for a port that requires a client certificate.
    let made = LogCertificates::make(&app.folder("certificates")).unwrap();
    let port = LogReceiver::start(made.config()).await.unwrap();
    let host = format!("127.0.0.1:{}", port.port());
    let way = format!("https://{host}/arcgis/admin");
    let _way = app.with_fault("/admin/machines/GIS1.EXAMPLE.ORG?", machine_at(&way)).await;
    for _ in 0..2 {
        app.order("read_certificates", "otherCertificate", &[]).await;
    }
    check(&app).await;
    let overview = shown(&app).await;
    let found: Vec<_> = others(&overview).into_iter().filter(|one| one.server.is_some()).collect();
    let [certificate] = &found[..] else { panic!("{overview:?}") };
    let Expiring::Machine { machine, differs: Some(differs), .. } = &certificate.what else {
        panic!("{certificate:?}")
    };
    assert_eq!((machine.as_str(), &differs.host), ("GIS1.EXAMPLE.ORG", &host));
    assert_eq!((certificate.at, certificate.days), (differs.own_until, 20));
    assert!(differs.presented_until.0 > differs.own_until.0, "{differs:?}");
    assert_eq!(overview.expiry_gaps, []);
    assert_eq!(port.messages(), Vec::<String>::new(), "nothing is sent there");
}

#[tokio::test]
async fn an_administration_port_that_a_firewall_closes_is_named_and_hides_nothing_else() {
    let app = TestApp::new().await;
    let closed = machine_at("https://127.0.0.1:1/arcgis/admin");
    let _way = app.with_fault("/admin/machines/GIS1.EXAMPLE.ORG?", closed).await;
    for _ in 0..2 {
        app.order("read_certificates", "otherCertificate", &[]).await;
    }
    assert_eq!(check(&app).await, 0, "no failure");
    let overview = shown(&app).await;
    assert_eq!(gaps(&overview), [(true, ExpiryPart::PresentedCertificates)]);
    let why = &overview.expiry_gaps[0].why;
    assert!(
        matches!(why, ExpiryGapReason::Failed { reason } if reason.starts_with("127.0.0.1:1: ")),
        "{why:?}"
    );
    let found: Vec<_> = others(&overview).into_iter().filter(|one| one.server.is_some()).collect();
    assert!(
        matches!(&found[..], [Expiry { what: Expiring::Machine { differs: None, .. }, .. }]),
        "{found:?}"
    );
    assert_eq!(listed(&app).await.expiry_gaps, 0, "usual behind a firewall");
}

#[tokio::test]
async fn every_release_returns_its_licenses() {
    for release in RELEASES {
        let app = TestApp::of_release(release).await;
        app.order("read_licenses", "licenseExpiresSoon", &[]).await;
        check(&app).await;
        let overview = shown(&app).await;
        assert_eq!(overview.expiry_gaps, [], "{release:?}");
        assert_eq!(concerns(&overview).len(), 1, "{release:?}: {overview:?}");
    }
}

/// An answer with a body.
fn answer(status: &str, body: &str) -> Fault {
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\n");
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

/// Bodies as vendor documentation shows them, by version, with what expires and whether something is not known.
/// A response of a real deployment.
pub(crate) fn wire(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/wire/deployments");
    std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap()
}

#[tokio::test]
async fn the_documented_responses_of_each_version_are_read() {
    let at = 1_792_555_200_000_i64;
    let without = r#"{"features":[{"name":"a","canExpire":true,"expiration":null},{"name":"b","expiration":1792555200000}]}"#;
    let server = site(&[("admin/system/licenses", without)]).await;
    let Licenses { expiring: licenses, gap, .. } = listing::server_licenses(&server.server()).await.unwrap();
    assert_eq!((licenses.len(), gap.is_some()), (1, true));

    // Each of them has both names, and the last ones cannot be read.
    let unreadable =
        r#"{"features":[{"name":"a","id":"b","canExpire":true,"expiration":1792555200000},7,null]}"#;
    let server = site(&[("admin/system/licenses", unreadable)]).await;
    let Licenses { expiring: licenses, gap, .. } = listing::server_licenses(&server.server()).await.unwrap();
    assert_eq!((licenses.len(), licenses[0].name.as_str()), (1, "a"));
    assert!(gap.unwrap().to_string().starts_with("2 licenses"));
    let of_nobody = site(&[("portaladmin/license", r#"{"userTypes":[]}"#)]).await;
    let nothing = listing::portal_licenses(&of_nobody.server(), Version::parse("11.3")).await;
    assert!(nothing.is_err(), "{nothing:?}");

    let (user_types, next) = (wire("portal-license-11.3"), wire("portal-future-license"));
    for (future, count) in [(Some(next), 1), (None, 2)] {
        let bodies = [
            ("portaladmin/license", Some(&user_types)),
            ("portaladmin/license/getfuturelicense", future.as_ref()),
        ];
        let bodies: Vec<_> =
            bodies.into_iter().filter_map(|(path, body)| Some((path, body?.as_str()))).collect();
        let portal = site(&bodies).await;
        let version = Version::parse("11.3");
        let Licenses { expiring: licenses, gap, .. } =
            listing::portal_licenses(&portal.server(), version).await.unwrap();
        assert_eq!((licenses.len(), gap), (count, None));
    }

    for (name, is_exact) in [("11.1", true), ("utc", true), ("10.9.1", false), ("10.4", false)] {
        let (machine, store, certificate) =
            (wire("machine"), wire("portal-certificates"), wire(&format!("certificate-{name}")));
        let server = site(&[
            ("admin/machines/gis1", &machine),
            ("admin/machines/gis1/sslcertificates/own", &certificate),
            ("portaladmin/security/sslcertificates", &store),
            ("portaladmin/security/sslcertificates/own", &certificate),
        ])
        .await;
        let read = listing::machine_certificate(&server.server(), "GIS1").await.unwrap();
        assert!(read.admin_url.as_ref().is_some_and(|url| url.port() == Some(6443)));
        let of_portal = listing::portal_certificate(&server.server()).await.unwrap();
        for read in [read, of_portal] {
            assert_eq!(
                (read.expires_at, read.is_exact, read.alias.as_str()),
                (at, is_exact, "own"),
                "{name}"
            );
        }
    }

    let zones = [("America/Los_Angeles", Some("America/Los_Angeles")), ("", None), ("Pacific Time", None)];
    for (given, expected) in zones {
        let info =
            format!(r#"{{"currentversion":"10.8","timezone":{{"windowsid":"x","olsonid":"{given}"}}}}"#);
        let server = site(&[("admin/info", &info)]).await;
        assert_eq!(listing::time_zone(&server.server()).await.unwrap().as_deref(), expected);
    }
}

/// A fault, with its bytes as text.
fn named(fault: &Fault) -> String {
    match fault {
        Fault::Instead(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        fault => format!("{fault:?}"),
    }
}

/// Number of facts of the part that a gap is about.
fn found_of(overview: &SiteOverview, (is_server, part): (bool, ExpiryPart)) -> usize {
    let is_of = |one: &&Expiry| {
        let is_part = match part {
            ExpiryPart::Licenses => matches!(one.what, Expiring::License { .. }),
            _ => matches!(one.what, Expiring::Machine { .. }),
        };
        is_part && one.server.is_some() == is_server
    };
    concerns(overview).into_iter().chain(&overview.expires).filter(is_of).count()
}

#[tokio::test]
async fn each_resource_that_is_not_returned_is_a_gap_in_each_version_and_the_earlier_facts_stay_with_all_others()
 {
    let rejected = |code: u16| {
        format!(
            r#"{{"error":{{"code":{code},"message":"Not for you.","details":[]}},"status":"error","messages":["Not for you."],"code":{code}}}"#
        )
    };
    let usual = [
        answer("200 OK", &rejected(403)),
        answer("200 OK", &rejected(404)),
        answer("200 OK", &rejected(500)),
        answer("200 OK", "<html>maintenance</html>"),
        answer("200 OK", ""),
        Fault::CutAfter(150),
        // Slower than a reading waits.
        Fault::Silence,
    ];
    let more = [
        answer("404 Not Found", ""),
        answer("502 Bad Gateway", "<html><h1>Bad Gateway</h1></html>"),
        answer("200 OK", "{}"),
        answer("200 OK", "[]"),
        Fault::Reset,
    ];
    for release in RELEASES {
        let mut app = TestApp::of_release(release).await;
        let has_user_types = release >= Release::new(10, 7);
        for (path, gap) in [
            (
                if has_user_types { "/portaladmin/license?" } else { "/portaladmin/system/licenses?" },
                (false, ExpiryPart::Licenses),
            ),
            ("/portaladmin/security/sslCertificates?", (false, ExpiryPart::MachineCertificates)),
            (
                "/portaladmin/security/sslCertificates/practice-site?",
                (false, ExpiryPart::MachineCertificates),
            ),
            ("/server/admin/system/licenses?", (true, ExpiryPart::Licenses)),
            ("/admin/machines?", (true, ExpiryPart::MachineCertificates)),
            ("/admin/machines/GIS1.EXAMPLE.ORG?", (true, ExpiryPart::MachineCertificates)),
            ("/sslcertificates/practice-site?", (true, ExpiryPart::MachineCertificates)),
        ] {
            // The first check is not affected.
            let way = app.with_fault(path, Fault::Reset).await.sparing(1);
            for _ in 0..2 {
                app.order("read_licenses", "licenseExpiresSoon", &[]).await;
                app.order("read_certificates", "otherCertificate", &[]).await;
            }
            check(&app).await;
            let before = shown(&app).await;
            assert_eq!((concerns(&before).len(), others(&before).len()), (2, 2), "{before:?}");
            assert_eq!(before.expiry_gaps, [], "{release}");
            let more = more.iter().filter(|_| release == Release::default());
            for fault in usual.iter().chain(more).cloned() {
                let what = format!("{release} {path} {}", named(&fault));
                let slow_before = way.met();
                let is_slow = matches!(fault, Fault::Silence);
                way.change_to(fault);
                tokio::select! {
                    _ = check(&app) => {}
                    never = hasten(|| if is_slow { way.met() - slow_before } else { 0 }) => match never {},
                }
                let overview = shown(&app).await;
                assert_eq!(gaps(&overview), [gap], "{what}");
                let why = &overview.expiry_gaps[0].why;
                assert!(
                    matches!(why, ExpiryGapReason::Failed { reason } if !reason.is_empty()),
                    "{what}: {why:?}"
                );
                assert_eq!(listed(&app).await.expiry_gaps, 1, "{what}");
                assert!(found_of(&overview, gap) >= 1, "{what}: its earlier fact");
            }
            app = app.without_fault(way);
        }
        check(&app).await;
        assert_eq!(shown(&app).await.expiry_gaps, []);
    }
}

#[tokio::test]
async fn what_the_account_cannot_read_is_not_known_and_no_failure_of_the_check() {
    let app = TestApp::signed_out().await;
    app.sign_in("publisher").await.unwrap();
    check(&app).await;
    let overview = shown(&app).await;
    let parts = [ExpiryPart::Licenses, ExpiryPart::MachineCertificates];
    for (is_server, part) in [false, true].into_iter().flat_map(|server| parts.map(|part| (server, part))) {
        assert!(gaps(&overview).contains(&(is_server, part)), "{overview:?}");
    }
}

#[tokio::test]
async fn invitations_that_a_portal_refuses_are_not_known_with_its_reason() {
    let app = TestApp::new().await;
    check(&app).await;
    let listed = listings::invitations(&app.steward.context.access, &app.site).await.unwrap();
    let ours = listed.iter().find(|one| one.hosted_elsewhere.is_none()).unwrap();
    let one = format!("/collaborations/{}/invitations?", ours.collaboration_id);
    let no = r#"{"error":{"code":403,"message":"No invitations for you.","details":[]}}"#;
    for (path, of) in [("/collaborations?", ""), (&*one, &*ours.collaboration_name)] {
        let _way = app.with_fault(path, answer("200 OK", no)).await;

        let failed = overview::check_site(&app.steward.context, &app.site).await.unwrap();

        assert_eq!(failed.len(), 1, "{path}: {failed:?}");
        assert!(failed[0].server.is_none(), "{path}");
        let told = as_text(&failed[0].problem);
        assert!(told.contains("No invitations for you."), "{path}: {told}");
        let overview = shown(&app).await;
        assert_eq!(gaps(&overview), [(false, ExpiryPart::Invitations)], "{path}");
        let ExpiryGapReason::Failed { reason } = &overview.expiry_gaps[0].why else { panic!("{overview:?}") };
        assert!(reason.contains("No invitations for you.") && reason.starts_with(of), "{path}: {reason}");
        app.go_through(app.practice_address());
    }
    check(&app).await;
    assert_eq!(shown(&app).await.expiry_gaps, []);
}

#[tokio::test]
async fn nothing_is_read_of_what_expires_while_an_import_runs() {
    let app = TestApp::new().await;
    let server = app.sites().at(&app.server).unwrap();
    let runs = &app.steward.context.runs;
    let run = runs.begin(app.run(), &server, OperationKey::ImportServer, None, RunStep::Waiting).unwrap();
    let busy = overview::check_site(&app.steward.context, &app.site).await.err();
    assert!(matches!(busy, Some(Problem::Busy { .. })), "{busy:?}");
    assert!(shown(&app).await.expiry_gaps.iter().any(|gap| gap.why == ExpiryGapReason::NotChecked));
    drop(run);
    check(&app).await;
    assert_eq!(shown(&app).await.expiry_gaps, []);
}

#[tokio::test]
async fn a_refreshed_invitation_expires_when_the_portal_says_so_without_another_check() {
    let app = TestApp::new().await;
    check(&app).await;
    let last = |summary: SiteSummary| {
        let is_invitation = |one: &Expiry| matches!(one.what, Expiring::Invitation { .. });
        let ends = summary.expires.into_iter().filter(is_invitation).map(|one| one.at);
        ends.max().unwrap()
    };
    let before = last(listed(&app).await);
    app.refresh_invitation(form(&invitation(&app).await)).await.unwrap();
    let after = last(listed(&app).await);
    assert!(after > before, "{before:?} {after:?}");
}

#[tokio::test]
async fn what_expires_is_told_once_by_the_channels_of_the_plans_of_its_site_and_not_again_after_a_restart() {
    let app = TestApp::new().await;
    let own = receiver("200 OK", "").await;
    let chat = receiver("200 OK", "ok").await;
    due_plan_with(&app, vec![webhook(format!("{}/hook", own.origin())), slack(chat.origin())]).await;
    app.order("read_licenses", "licenseExpiresSoon", &[]).await;
    check(&app).await;

    for _ in 0..2 {
        let (_, shown) = start(&app, Policy::default()).await;
        let told = shown.iter().filter(|(title, _)| title.contains("expires on")).count();
        assert!(told <= 1, "{shown:?}");
    }

    let told: Vec<_> = own.requests().iter().map(|request| json(request).0).collect();
    let told: Vec<_> = told.iter().filter(|body| body["event"] == "site.expires").collect();
    let [body] = &told[..] else { panic!("once: {told:?}") };
    assert_eq!(body["site"]["name"], "City GIS");
    let expires = body["expires"].as_array().unwrap();
    let texts: Vec<_> = expires.iter().map(|one| one["text"].as_str().unwrap()).collect();
    // Those of the invitations come first.
    let at = texts.iter().position(|text| text.starts_with("License of")).unwrap();
    assert!(texts[at].contains("expires on") && texts[at].contains("plan for"), "{texts:?}");
    let stops = "Users might not be able to sign in when it expires";
    assert_eq!(expires[at]["stops"], stops);
    let posted: Vec<_> = chat.requests().iter().map(|request| json(request).0["text"].to_string()).collect();
    assert!(posted.iter().any(|text| text.contains(&format!("{}. {stops}", texts[at]))), "{posted:?}");
    assert!(texts.iter().all(|text| !text.contains("https://")), "{texts:?}");
    assert!(body["title"].as_str().unwrap().starts_with("City GIS"), "{body}");
}

#[tokio::test]
async fn what_expires_while_the_organization_forbids_plans_is_told_once_it_allows_them() {
    let app = TestApp::new().await;
    let own = receiver("200 OK", "").await;
    due_plan_with(&app, vec![webhook(format!("{}/hook", own.origin()))]).await;
    app.order("read_licenses", "licenseExpiresSoon", &[]).await;
    check(&app).await;
    let told = || own.requests().iter().filter(|one| json(one).0["event"] == "site.expires").count();
    start(&app, Policy { plans: Some(PlansRule::Forbidden), ..Policy::default() }).await;
    assert_eq!(told(), 0);
    start(&app, Policy::default()).await;
    assert_eq!(told(), 1);
}

#[tokio::test]
async fn facts_of_what_expires_are_kept_where_the_checked_facts_are_and_those_of_before_are_read() {
    let app = TestApp::new().await;
    check(&app).await;
    let file = app.steward.data_folder.join(CHECKED_FACTS);
    let mut kept: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    for checks in kept["content"].as_array_mut().unwrap() {
        assert!(checks["expiries"]["licenses"]["checked"]["checkedAt"].is_number(), "{checks}");
        checks.as_object_mut().unwrap().remove("expiries");
    }
    std::fs::write(&file, kept.to_string()).unwrap();
    let read = CheckedFacts::open_read_only(file).all();
    assert_eq!(read.len(), 2);
    assert!(
        read.iter().all(|checks| checks.version.value.is_some() && checks.expiries == Default::default())
    );
}

#[tokio::test]
async fn the_certificates_of_this_computer_are_read_with_the_site_and_a_file_that_is_gone_is_not_known() {
    let app = TestApp::new().await;
    let made = LogCertificates::make(&app.folder("certificates")).unwrap();
    let site = app.sites().get(&app.site).unwrap();
    let (ca_certificate, client_certificate) = (Some(made.authority.clone()), Some(made.client.clone()));
    app.sites().put(Site { ca_certificate, client_certificate, ..site }).unwrap();
    app.steward.context.access.forget_known(&app.site);

    check(&app).await;

    let own = |app: &TestApp| {
        let all = app.steward.context.access.checked.all();
        let found = all.into_iter().find(|checks| checks.expiries.own_certificates.checked.value.is_some());
        found.unwrap().expiries.own_certificates
    };
    let facts = own(&app);
    let kinds: Vec<_> = facts.checked.value.iter().flatten().map(|one| one.is_client).collect();
    assert_eq!(kinds, [false, true], "{facts:?}");
    assert!(facts.checked.value.iter().flatten().all(|one| one.subject.starts_with("CN=")), "{facts:?}");
    assert_eq!(shown(&app).await.expiry_gaps, []);

    std::fs::remove_file(&made.client).unwrap();
    check(&app).await;
    assert_eq!(gaps(&shown(&app).await), [(false, ExpiryPart::OwnCertificates)]);
    assert_eq!(own(&app).checked.value, facts.checked.value);
}
