//! Lists that a site returns in part: what it returns is shown, and what it does not return is named.

use std::collections::HashMap;

use steward_client::ClientError;
use steward_client::listing::{self, Gap, ServiceList};
use steward_core::inventory::service_check::prove;
use steward_core::inventory::{Inventory, InventoryPart, InventoryService};
use steward_core::listings::invitations;
use steward_core::model::run_result::RunResult;
use steward_core::operations::find_items::FindItemsForm;
use steward_journal::Outcome;
use steward_testkit::Fault;

use crate::odd_sites::json;
use crate::scripted::{Scripted, Then};
use crate::test_app::TestApp;

const FORBIDDEN: &str = r#"{"error":{"code":403,"message":"You do not have permissions.","details":[]}}"#;
const NOT_FOUND: &str = r#"{"status":"error","messages":["Folder not found."],"code":404}"#;

/// A site that returns these bodies by path, in small letters and without the query, and an error for other paths.
pub(crate) async fn site(bodies: &[(&str, &str)]) -> Scripted {
    let bodies: HashMap<String, String> =
        bodies.iter().map(|(path, body)| ((*path).to_owned(), (*body).to_owned())).collect();
    Scripted::new(move |_, head| {
        let path = head.split_whitespace().nth(1).unwrap().split('?').next().unwrap();
        let body = bodies.get(path.trim_start_matches("/server/")).map_or(NOT_FOUND, String::as_str);
        (json(body), Then::Close)
    })
    .await
}

const ROOT: &str =
    r#"{"folders":["parcels","water"],"services":[{"serviceName":"zoning","type":"MapServer"}]}"#;
const PARCELS: &str =
    r#"{"services":[{"serviceName":"a","type":"MapServer"},{"serviceName":"b","type":"GPServer"}]}"#;

#[tokio::test]
async fn services_are_those_of_the_list_and_a_state_that_the_report_lacks_is_not_known() {
    let started = r#"{"configuredState":"STARTED","realTimeState":"STARTED"}"#;
    let reported = |name: &str, kind: &str, status: &str| {
        format!(r#"{{"serviceName":"{name}","type":"{kind}","status":{status}}}"#)
    };
    let a = reported("a", "MapServer", started);
    for (report, b) in [
        // All of them, in any case of the letters.
        (format!(r#"{{"reports":[{a},{}]}}"#, reported("B", "gpserver", started)), "STARTED"),
        // One is missing, has no state, or cannot be read.
        (format!(r#"{{"reports":[{a}]}}"#), ""),
        (format!(r#"{{"reports":[{a},{}]}}"#, reported("b", "GPServer", "null")), ""),
        (format!(r#"{{"reports":[{a},{{"serviceName":"b","type":"GPServer"}}]}}"#), ""),
        (format!(r#"{{"reports":[{a},"b"]}}"#), ""),
        // The report of another folder, with a service of the same name and another type.
        (format!(r#"{{"reports":[{a},{}]}}"#, reported("b", "MapServer", started)), ""),
    ] {
        let server = site(&[
            ("admin/services", r#"{"folders":["parcels"],"services":[]}"#),
            ("admin/services/report", r#"{"reports":[]}"#),
            ("admin/services/parcels", PARCELS),
            ("admin/services/parcels/report", &report),
        ])
        .await;
        let list = ServiceList::read(&server.server()).await.unwrap();

        let found = listing::service_states(&server.server(), &list, listing::AT_ONCE).await.unwrap();

        let states: Vec<_> =
            found.services.iter().map(|one| (one.name.as_str(), one.real_time.as_str())).collect();
        assert_eq!(states, [("a", "STARTED"), ("b", b)], "{report}");
    }
}

#[tokio::test]
async fn a_service_without_a_report_is_requested_by_itself() {
    let server = site(&[
        ("admin/services", r#"{"folders":["parcels"],"services":[]}"#),
        ("admin/services/parcels", PARCELS),
        ("admin/services/parcels/report", r#"{"reports":[]}"#),
        (
            "admin/services/parcels/a.mapserver/status",
            r#"{"configuredState":"STARTED","realTimeState":"FAILED"}"#,
        ),
    ])
    .await;
    let list = ServiceList::read(&server.server()).await.unwrap();

    let found = listing::service_states(&server.server(), &list, listing::AT_ONCE).await.unwrap();

    let states: Vec<_> =
        found.services.iter().map(|one| (one.name.as_str(), one.real_time.as_str())).collect();
    assert_eq!(states, [("a", "FAILED"), ("b", "")]);
}

#[tokio::test]
async fn a_folder_that_is_not_returned_is_named_and_the_others_are_listed() {
    for water in [NOT_FOUND, FORBIDDEN, "<html>", "{}", r#"{"services":null}"#] {
        let server = site(&[
            ("admin/services", ROOT),
            ("admin/services/parcels", PARCELS),
            ("admin/services/water", water),
            ("admin/data/items", r#"{"rootItems":["/fileShares","/objectStores"]}"#),
            ("admin/data/finditems", FORBIDDEN),
        ])
        .await;

        let services = listing::services(&server.server()).await.unwrap();
        let inventory = Inventory::take(&server.server(), String::new()).await;

        let gaps: Vec<_> =
            services.iter().filter(|one| one.gap.is_some()).map(|one| one.folder.as_str()).collect();
        // The settings of the map services are not returned either.
        assert_eq!(gaps, ["", "parcels", "water"], "{water}: {services:?}");
        assert!(services.iter().any(|one| one.folder == "parcels" && one.name == "b" && one.gap.is_none()));
        let paths: Vec<_> = inventory.services.iter().map(|one| one.path.as_str()).collect();
        assert_eq!(paths, ["zoning.MapServer", "parcels/a.MapServer", "parcels/b.GPServer"], "{water}");
        let of = |part| {
            let missing = inventory.missing.iter().filter(move |one| one.part == part);
            missing.map(|one| one.of.as_deref().unwrap_or("all")).collect::<Vec<_>>()
        };
        assert_eq!(of(InventoryPart::Services), ["water"], "{water}");
        assert_eq!(of(InventoryPart::DataItems), ["/fileShares", "/objectStores"]);
        assert!(!inventory.has(InventoryPart::Services));
    }
}

#[tokio::test]
async fn a_root_folder_without_a_list_is_named_too() {
    let server =
        site(&[("admin/services", r#"{"folders":["parcels"]}"#), ("admin/services/parcels", PARCELS)]).await;

    let inventory = Inventory::take(&server.server(), String::new()).await;

    assert_eq!(inventory.services.len(), 2);
    assert_eq!(inventory.missing[0].of.as_deref(), Some("/"));
}

#[tokio::test]
async fn folders_that_are_not_listed_are_not_taken_for_none() {
    let zoning = r#"[{"serviceName":"zoning","type":"MapServer"}]"#;
    for root in [format!(r#"{{"services":{zoning}}}"#), format!(r#"{{"folders":null,"services":{zoning}}}"#)]
    {
        let server = site(&[("admin/services", &root), ("admin/machines", r#"{"machines":null}"#)]).await;

        let inventory = Inventory::take(&server.server(), String::new()).await;
        let check = prove(&server.server(), &inventory, None).await.check.unwrap();
        let with_webhooks = listing::services(&server.server()).await.unwrap();

        assert_eq!((check.services, check.unlisted), (1, vec!["…".to_owned()]), "{root}");
        let missing = |part| inventory.missing.iter().filter(|one| one.part == part).count();
        assert_eq!([missing(InventoryPart::Services), missing(InventoryPart::Machines)], [1, 1], "{root}");
        assert!(with_webhooks.iter().any(|one| one.folder == "…" && one.gap.is_some()), "{with_webhooks:?}");
    }
}

const TWO: &str =
    r#"{"collaborations":[{"id":"hosted","name":"Flood"},{"id":"guest","name":"Map"}],"nextStart":-1}"#;
const ONE_PARTICIPANT: &str = r#"{"participants":[{"portalInfo":{"id":"p1","name":"Harbor"},"collaborationRole":"Host"}],"nextStart":-1}"#;
const ONE_INVITATION: &str =
    r#"{"collaborationInvitations":[{"id":"i1","guestPortalUrl":"https://g.example.org"}]}"#;

fn rejected(reason: &str) -> Gap {
    Gap::NotListed { reason: reason.to_owned() }
}

#[tokio::test]
async fn a_collaboration_that_is_not_returned_is_named_and_the_others_are_listed() {
    let base = "sharing/rest/portals/p/collaborations";
    let [hosted, guest] = ["hosted", "guest"].map(|id| format!("{base}/{id}"));
    for refused in [
        FORBIDDEN,
        "{}",
        "<html>",
        NOT_FOUND,
        r#"{"participants":null,"collaborationInvitations":null}"#,
        r#"{"participants":[],"collaborationInvitations":[],"warnings":["1 entry is hidden"]}"#,
    ] {
        let portal = site(&[
            (base, TWO),
            (&format!("{hosted}/participants"), ONE_PARTICIPANT),
            (&format!("{hosted}/invitations"), ONE_INVITATION),
            (&format!("{guest}/participants"), refused),
            (&format!("{guest}/invitations"), refused),
        ])
        .await;

        let participants = listing::participants(&portal.server(), "p").await.unwrap();
        let invitations = listing::invitations(&portal.server(), "p").await.unwrap();

        let told: Vec<_> =
            participants.iter().map(|one| (one.portal_id.as_str(), one.gap.is_some())).collect();
        assert_eq!(told, [("p1", false), ("", true)], "{refused}");
        assert_eq!(participants[1].collaboration_name, "Map");
        let told: Vec<_> = invitations.iter().map(|one| (one.id.as_str(), one.gap.is_some())).collect();
        assert_eq!(told, [("i1", false), ("", true)], "{refused}");
        if refused == FORBIDDEN {
            let why = "the site rejected the request (403): You do not have permissions.";
            assert_eq!(participants[1].gap, Some(rejected(why)));
        }
    }
}

#[tokio::test]
async fn a_user_who_may_see_no_collaboration_is_told_the_reason_of_the_site() {
    let base = "sharing/rest/portals/p/collaborations";
    let portal = site(&[
        (base, TWO),
        (&format!("{base}/hosted/participants"), FORBIDDEN),
        (&format!("{base}/guest/participants"), FORBIDDEN),
    ])
    .await;

    let error = listing::participants(&portal.server(), "p").await.unwrap_err();

    assert!(matches!(error, ClientError::Rejected { code: 403, .. }), "{error:?}");
}

#[tokio::test]
async fn a_list_that_ends_early_says_how_many_of_how_many_were_returned() {
    let base = "sharing/rest/portals/p/collaborations";
    let elements = |count: usize| {
        (0..count)
            .map(|number| format!(r#"{{"portalInfo":{{"id":"p{number}"}}}}"#))
            .collect::<Vec<_>>()
            .join(",")
    };
    let list = |count: usize, more: &str| format!(r#"{{"participants":[{}]{more}}}"#, elements(count));
    for (participants, gap) in [
        (list(25, r#","total":40"#), Some(Gap::Cut { listed: 25, total: 40 })),
        (list(25, r#","total":"40","nextStart":-1"#), Some(Gap::Cut { listed: 25, total: 40 })),
        (list(0, r#","total":3"#), Some(Gap::Cut { listed: 0, total: 3 })),
        (list(25, r#","total":25"#), None),
        (list(25, r#","total":-1"#), None),
        (list(25, ""), None),
    ] {
        let one = r#"{"collaborations":[{"id":"hosted","name":"Flood"}]}"#;
        let portal = site(&[(base, one), (&format!("{base}/hosted/participants"), &participants)]).await;

        let found = listing::participants(&portal.server(), "p").await.unwrap();

        assert_eq!(found.iter().find_map(|one| one.gap.clone()), gap, "{participants}");
    }
    let cut = r#"{"collaborations":[{"id":"hosted","name":"Flood"}],"total":2}"#;
    let portal = site(&[(base, cut), (&format!("{base}/hosted/participants"), ONE_PARTICIPANT)]).await;
    let found = listing::participants(&portal.server(), "p").await.unwrap();
    assert_eq!(found[1].gap, Some(Gap::Cut { listed: 1, total: 2 }));
    assert_eq!(found[1].collaboration_name, "");
}

#[tokio::test]
async fn an_element_that_cannot_be_read_is_listed_without_an_identifier() {
    let base = "sharing/rest/portals/p/collaborations";
    for element in [
        r#"{"portalInfo":null,"status":"active"}"#,
        r#"{"status":"active"}"#,
        "null",
        "5",
        r#"{"portalInfo":7}"#,
    ] {
        let one = r#"{"collaborations":[{"id":"hosted","name":"Flood"}]}"#;
        let list = format!(r#"{{"participants":[{element}]}}"#);
        let portal = site(&[(base, one), (&format!("{base}/hosted/participants"), &list)]).await;

        let found = listing::participants(&portal.server(), "p").await.unwrap();

        assert_eq!(found.len(), 1, "{element}");
        assert_eq!((found[0].portal_id.as_str(), &found[0].gap), ("", &None), "{element}");
    }
}

#[tokio::test]
async fn webhooks_that_end_early_are_not_known() {
    for (webhooks, is_known) in [
        (r#"{"webhooks":[{"id":"1","name":"one"}],"total":2}"#, false),
        (r#"{"webhooks":[{"id":"1","name":"one"}],"total":1}"#, true),
        (r#"{"webhooks":[{"id":"1","name":"one"}]}"#, true),
    ] {
        let server = site(&[
            ("admin/services", r#"{"services":[{"serviceName":"buffer","type":"GPServer"}]}"#),
            ("admin/services/buffer.gpserver/webhooks", webhooks),
        ])
        .await;

        let services = listing::services(&server.server()).await.unwrap();

        assert_eq!(services[0].webhooks.is_some(), is_known, "{webhooks}");
    }
}

#[tokio::test]
async fn a_secret_in_the_reason_of_a_site_is_not_kept() {
    let refused =
        r#"{"error":{"code":403,"message":"Denied for user gis, password=canary-7391.","details":[]}}"#;
    let server = site(&[
        ("admin/services", ROOT),
        ("admin/services/parcels", refused),
        ("admin/data/items", r#"{"rootItems":["/fileShares"]}"#),
        ("admin/data/finditems", refused),
        ("admin/machines", refused),
    ])
    .await;

    let inventory = Inventory::take(&server.server(), String::new()).await;

    let reasons: Vec<_> = inventory.missing.iter().map(|one| one.reason.as_str()).collect();
    assert!(
        reasons.iter().filter(|reason| reason.contains("Denied for user gis")).count() == 3,
        "{reasons:?}"
    );
    assert!(reasons.iter().all(|reason| !reason.contains("canary")), "{reasons:?}");
}

#[tokio::test]
async fn a_service_without_a_usable_name_is_counted_and_the_others_are_listed_and_judged() {
    let long = "n".repeat(4097);
    for unreadable in [
        format!(r#"{{"serviceName":"{long}","type":"MapServer"}}"#),
        r#"{"type":"MapServer"}"#.to_owned(),
        "null".to_owned(),
        "5".to_owned(),
    ] {
        let parcels = format!(r#"{{"services":[{unreadable},{{"serviceName":"a","type":"MapServer"}}]}}"#);
        let server = site(&[
            (
                "admin/services",
                r#"{"folders":["parcels"],"services":[{"serviceName":"r","type":"MapServer"}]}"#,
            ),
            ("admin/services/parcels", &parcels),
            (
                "admin/services/parcels/a.mapserver/status",
                r#"{"configuredState":"STARTED","realTimeState":"FAILED"}"#,
            ),
        ])
        .await;
        let before = Inventory { format: 1, ..Inventory::default() };
        let path = |path: &str| InventoryService {
            path: path.to_owned(),
            configured: String::new(),
            real_time: String::new(),
        };
        let export = Inventory {
            services: vec![path("parcels/b.MapServer"), path("lost.MapServer")],
            ..before.clone()
        };

        let inventory = Inventory::take(&server.server(), String::new()).await;
        let with_webhooks = listing::services(&server.server()).await.unwrap();
        let proof = prove(&server.server(), &before, Some(&export)).await;

        let paths: Vec<_> = inventory.services.iter().map(|one| one.path.as_str()).collect();
        assert_eq!(paths, ["r.MapServer", "parcels/a.MapServer"]);
        let services = inventory.missing.iter().filter(|one| one.part == InventoryPart::Services);
        let services: Vec<_> = services.map(|one| (one.of.as_deref(), one.reason.as_str())).collect();
        assert_eq!(services, [(Some("parcels"), "1 entry has no name that can be used")]);
        let check = proof.check.unwrap();
        assert_eq!((check.services, check.should_run, check.unknown), (3, 1, 2));
        assert_eq!(check.not_running[0].service, "parcels/a.MapServer");
        let unreadable = with_webhooks.iter().any(|one| one.folder == "parcels" && one.gap.is_some());
        assert!(unreadable, "{with_webhooks:?}");
        // It can be one of this folder.
        assert_eq!(proof.lost.unwrap(), ["lost.MapServer"]);
    }
}

#[tokio::test]
async fn a_folder_whose_name_is_too_long_does_not_hide_the_states_of_the_others() {
    let root = format!(r#"{{"folders":["{}","parcels"],"services":[]}}"#, "n".repeat(4097));
    let server = site(&[("admin/services", &root), ("admin/services/parcels", PARCELS)]).await;

    let inventory = Inventory::take(&server.server(), String::new()).await;

    assert_eq!(inventory.services.len(), 2);
    let services = inventory.missing.iter().find(|one| one.part == InventoryPart::Services).unwrap();
    assert_eq!(
        (services.of.as_deref(), services.reason.as_str()),
        (Some("…"), "the name of the folder is too long")
    );
}

#[tokio::test]
async fn uploads_and_machines_that_cannot_be_read_are_listed_or_counted() {
    let long = "n".repeat(4097);
    for (entry, name) in [
        (r#"{"itemName":"lost.agssite"}"#.to_owned(), "lost.agssite"),
        (format!(r#"{{"itemID":"{long}","itemName":"long.agssite"}}"#), "long.agssite"),
        ("null".to_owned(), ""),
        ("5".to_owned(), ""),
        ("[]".to_owned(), ""),
    ] {
        let list = format!(r#"{{"items":[{entry},{{"itemID":"i1","itemName":"a.agssite"}}]}}"#);
        let machine = entry.replace("itemID", "machineName");
        let machines = format!(r#"{{"machines":[{machine},{{"machineName":"gis1"}}]}}"#);
        let server = site(&[("admin/uploads", &list), ("admin/machines", &machines)]).await;

        let uploads = listing::uploads(&server.server()).await.unwrap();
        let inventory = Inventory::take(&server.server(), String::new()).await;

        let told: Vec<_> = uploads.iter().map(|one| (one.id.as_str(), one.name.as_str())).collect();
        assert_eq!(told, [("", name), ("i1", "a.agssite")], "{entry}");
        assert_eq!(
            (inventory.uploads, inventory.machines),
            (vec!["a.agssite".to_owned()], vec!["gis1".to_owned()])
        );
        let named = |part| inventory.missing.iter().filter(|one| one.part == part).count();
        assert_eq!([named(InventoryPart::Uploads), named(InventoryPart::Machines)], [1, 1], "{entry}");
    }
}

#[tokio::test]
async fn a_search_that_returns_a_part_of_all_items_says_how_many_of_how_many() {
    let app = TestApp::new().await;
    let cut = |listed, total| Some(Gap::Cut { listed, total });
    let goes_on = Some(rejected("the list goes on after the returned elements"));
    for (more, gap) in [
        (r#","total":40"#, cut(2, 40)),
        (r#","total":"40","nextStart":-1"#, cut(2, 40)),
        (r#","nextStart":3,"total":40"#, cut(2, 40)),
        (r#","nextStart":3"#, goes_on.clone()),
        (r#","exceededTransferLimit":true"#, goes_on),
        (r#","total":2"#, None),
        (r#","total":2,"nextStart":-1"#, None),
        (r#","total":null,"exceededTransferLimit":false"#, None),
        (
            r#","warnings":["2 stores could not be read","slow"],"errors":[]"#,
            Some(rejected("2 stores could not be read; slow")),
        ),
        ("", None),
    ] {
        for item in
            [r#"{"path":"/a","total":9},{"path":"/b"}"#, r#"{"path":"/a"},{"path":"/b","nextStart":7}"#]
        {
            let body = format!(r#"{{"items":[{item}]{more}}}"#);
            let _way = app.with_fault("/findItems", Fault::Instead(json(&body))).await;
            let form = FindItemsForm { ancestor_path: "/".to_owned(), ..FindItemsForm::default() };

            let ended = app.find_items(form).await.unwrap();

            let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
            assert_eq!((report.search.total, report.search.gap), (2, gap.clone()), "{body}");
            let expected = if gap.is_some() { Outcome::Warnings } else { Outcome::Succeeded };
            assert_eq!(app.steward.context.runs.ended().last().unwrap().outcome, expected, "{body}");
        }
    }
}

#[tokio::test]
async fn data_store_items_in_part_are_named_in_an_inventory() {
    let server = site(&[
        ("admin/data/items", r#"{"rootItems":["/fileShares"]}"#),
        ("admin/data/finditems", r#"{"items":[{"path":"/fileShares/a"}],"total":3}"#),
    ])
    .await;

    let inventory = Inventory::take(&server.server(), String::new()).await;

    let items = inventory.missing.iter().find(|one| one.part == InventoryPart::DataItems).unwrap();
    assert_eq!((items.of.as_deref(), items.reason.as_str()), (Some("/fileShares"), "1 of 3 were returned"));
    assert_eq!(inventory.data_items.len(), 1);
}

#[tokio::test]
async fn pages_after_the_one_with_a_participant_are_not_requested_for_it() {
    let page = r#"{"participants":[{"portalInfo":{"id":"p1","name":"Harbor"}}],"nextStart":101}"#;
    let portal = site(&[("sharing/rest/portals/p/collaborations/hosted/participants", page)]).await;

    let found = listing::participant(&portal.server(), "p", "hosted", "p1").await.unwrap();

    assert_eq!(found.map(|found| found.portal_name).as_deref(), Some("Harbor"));
    assert_eq!(portal.asked().len(), 1);
    assert!(listing::participant(&portal.server(), "p", "hosted", "p2").await.unwrap().is_none());
    assert_eq!(portal.asked().len(), 3, "both pages");
}

/// The invitations of the portal that the last check returned, and whether it returned all.
async fn checked_invitations(app: &TestApp) -> (usize, bool) {
    let _ = invitations(&app.steward.context.access, &app.site).await.unwrap();
    let checks = app.steward.context.access.checked.all();
    let portal = checks.into_iter().find(|checks| checks.target.server.is_none()).unwrap();
    (portal.invitations.value.unwrap().len(), portal.invitations.failed_at.is_none())
}

#[tokio::test]
async fn what_a_portal_keeps_of_the_invitations_of_another_one_is_not_missed() {
    let app = TestApp::new().await;
    let listed = invitations(&app.steward.context.access, &app.site).await.unwrap();
    let of = |is_elsewhere: bool| {
        let mut found = listed.iter().filter(|one| one.hosted_elsewhere.is_some() == is_elsewhere);
        found.next().unwrap().collaboration_id.clone()
    };
    for (collaboration, is_complete) in [(of(true), true), (of(false), false)] {
        let path = format!("/collaborations/{collaboration}/invitations?");
        let _way = app.with_fault(&path, Fault::Instead(json(FORBIDDEN))).await;

        assert_eq!(checked_invitations(&app).await.1, is_complete, "{collaboration}");
    }
}

#[tokio::test]
async fn invitations_beyond_those_that_are_kept_are_not_taken_for_settled() {
    let app = TestApp::new().await;
    let many: Vec<_> =
        (0..1_001).map(|id| format!(r#"{{"id":"i{id}","expiration":{}}}"#, i64::MAX - id)).collect();
    let body = format!(r#"{{"collaborationInvitations":[{}],"nextStart":-1}}"#, many.join(","));
    let _way = app.with_fault("/invitations?", Fault::Instead(json(&body))).await;
    let listed = invitations(&app.steward.context.access, &app.site).await.unwrap();
    let hosted = listed.iter().filter(|one| one.hosted_elsewhere.is_none()).count();
    assert!(hosted > 1_000, "{hosted} are more than are kept");

    assert_eq!(checked_invitations(&app).await, (1_000, false));
}
