//! What a site returns is limited: the whole response, and each text in it. At each limit, one that is as long is read, and
//! one that is longer is not, or is cut.

use serde_json::{Map, Value, json};
use steward_client::operations::export_server::ExportServer;
use steward_client::operations::import_server::{ImportReply, ImportServer};
use steward_client::webhooks::ServiceWebhooks;
use steward_client::{ClientError, Endpoint, ServerType, discovery, fuzzing, listing};

use crate::answers::{FIXTURES, read_by_all, run};

const MEBIBYTE: usize = 1024 * 1024;

/// Longest text that is shown, and longest that a request uses, in bytes.
const SHOWN: usize = 8 * 1024;
const USED: usize = 4 * 1024;

fn answering(answer: &Value) -> Endpoint {
    fuzzing::answering(200, "application/json", answer.to_string().into_bytes()).unwrap()
}

/// A response that every decoder reads, with spaces up to this length.
fn right_for_all(length: usize) -> Vec<u8> {
    let all = FIXTURES.into_iter().rev().filter_map(|fixture| {
        serde_json::from_str::<Map<String, Value>>(fixture)
            .ok()
            .filter(|fields| !fields.contains_key("error"))
    });
    let mut fields: Map<String, Value> = all.flatten().collect();
    // Not every response may tell of a warning, or of another participant.
    fields.insert("status".to_owned(), "success".into());
    fields.retain(|name, _| name != "collaborationId" && name != "portalId");
    let mut body = Value::Object(fields).to_string().into_bytes();
    body.resize(length, b' ');
    body
}

/// Each decoder, with whether it reads the response; the text of the error if it does not.
fn read_at(length: usize) -> Vec<(&'static str, Result<(), String>)> {
    let read = read_by_all(200, "application/octet-stream", &right_for_all(length));
    let told = |error| match error {
        ClientError::Unreadable { excerpt, .. } => excerpt,
        other => panic!("{other:?}"),
    };
    read.into_iter().map(|(name, read)| (name, read.map(drop).map_err(told))).collect()
}

#[test]
fn tokens_and_descriptions_have_a_mebibyte_and_lists_and_reports_more() {
    let at_limit = read_at(MEBIBYTE);
    assert!(at_limit.iter().all(|(name, read)| read.is_ok() || *name == "resume"), "{at_limit:?}");

    let above = read_at(MEBIBYTE + 1);

    let too_long: Vec<_> = above
        .into_iter()
        .filter(|(name, _)| *name != "resume")
        .filter_map(|(name, read)| Some((name, read.err()?)))
        .collect();
    for (name, told) in &too_long {
        // What is too long for an invitation might be part of one, which is a secret.
        let shown = if *name == "refresh_invitation" { "" } else { ": HTTP 200: {" };
        assert!(told.starts_with(&format!("more than 1048576 bytes{shown}")), "{name}: {told}");
        assert!(*name != "refresh_invitation" || !told.contains("HTTP"), "{told}");
    }
    let names: Vec<_> = too_long.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names,
        [
            "refresh_invitation",
            "data_roots",
            "invitation",
            "server_licenses",
            "portal_licenses",
            "machine_certificate",
            "portal_certificate",
            "time_zone",
            "vendor_backups",
            "validate_item",
            "validate_machine",
            "generate_token",
            "federated_with",
            "describe_portal",
            "describe_server",
            "exchange_for_server",
            "sign_in_with_token",
            "refresh",
            "exchange_refresh_token",
            "revoke",
            "upload_part",
            "upload_whole",
            "item",
            "allowed_extensions",
        ]
    );
}

#[test]
fn an_error_may_be_as_long_as_the_response_in_whose_place_it_is() {
    let error = |length: usize| {
        let mut body = br#"{"error":{"code":400,"message":"m","details":[]}}"#.to_vec();
        body.resize(length, b' ');
        fuzzing::answering(400, "application/json", body).unwrap()
    };
    let description =
        async |length: usize| steward_client::describe_server(&error(length)).await.unwrap_err();
    let file = async |length: usize| {
        let location = "https://site.invalid/admin/uploads/i1";
        error(length).download_stored(location, steward_client::STALLED).await.err().unwrap()
    };
    run(async {
        assert!(matches!(description(MEBIBYTE).await, ClientError::Rejected { .. }));
        assert!(matches!(file(MEBIBYTE).await, ClientError::Rejected { .. }));
        for error in [description(MEBIBYTE + 1).await, file(MEBIBYTE + 1).await] {
            assert!(matches!(error, ClientError::Unreadable { .. }), "{error:?}");
        }
    });
}

#[test]
fn a_longer_page_than_a_description_is_not_of_a_site() {
    let found = |length: usize| {
        let server = "https://server.invalid/server";
        let mut body = json!({ "servers": { "url": server, "adminUrl": server }, "currentVersion": 11.3 })
            .to_string()
            .into_bytes();
        body.resize(length, b' ');
        let portal = fuzzing::answering(200, "application/json", body).unwrap();
        run(discovery::find_servers(&portal)).unwrap().traces[0].outcome.clone()
    };
    assert!(
        matches!(
            found(MEBIBYTE),
            discovery::ProbeOutcome::Redirected { .. } | discovery::ProbeOutcome::Answered { .. }
        ),
        "{:?}",
        found(MEBIBYTE)
    );
    assert_eq!(found(MEBIBYTE + 1), discovery::ProbeOutcome::SomethingElse { status: 200 });
}

#[test]
fn an_identifier_that_is_too_long_is_not_cut_and_the_rest_of_the_list_is_there() {
    let (fits, long) = ("i".repeat(USED), "i".repeat(USED + 1));
    let expected = [fits.clone(), String::new(), "last".to_owned()];
    let all = |entry: &dyn Fn(&str) -> Value| Value::from([&*fits, &*long, "last"].map(entry).to_vec());

    let roots = answering(&json!({ "rootItems": [fits, long, "last"] }));
    assert_eq!(run(listing::data_roots(&roots)).unwrap(), expected);
    let uploads = answering(&json!({ "items": all(&|id| json!({ "itemID": id, "itemName": "a" })) }));
    assert_eq!(
        run(listing::uploads(&uploads)).unwrap().into_iter().map(|one| one.id).collect::<Vec<_>>(),
        expected
    );
    let services = answering(
        &json!({ "folders": [], "services": all(&|name| json!({ "serviceName": name, "type": "GPServer" })), "webhooks": null }),
    );
    assert_eq!(
        run(listing::services(&services)).unwrap().into_iter().map(|one| one.name).collect::<Vec<_>>(),
        expected
    );
    let participants = answering(
        &json!({ "collaborations": [{ "id": "c" }], "participants": all(&|id| json!({ "portalInfo": { "id": id } })) }),
    );
    assert_eq!(
        run(listing::participants(&participants, "x"))
            .unwrap()
            .into_iter()
            .map(|one| one.portal_id)
            .collect::<Vec<_>>(),
        expected
    );
    let invitations = answering(
        &json!({ "collaborations": [{ "id": "c" }], "collaborationInvitations": all(&|id| json!({ "id": id })) }),
    );
    assert_eq!(
        run(listing::invitations(&invitations, "x"))
            .unwrap()
            .into_iter()
            .map(|one| one.id)
            .collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn of_a_list_with_a_name_that_is_too_long_the_others_are_read_and_the_one_is_counted() {
    let read = |length: usize| {
        let name = "n".repeat(length);
        let entry = json!({ "serviceName": name, "type": "MapServer" });
        let other = json!({ "serviceName": "other", "type": "MapServer" });
        let machines = json!([{ "machineName": name }, { "machineName": "other" }]);
        run(async {
            let services = [entry, other];
            let server = answering(
                &json!({ "folders": [], "services": services, "reports": services, "machines": machines }),
            );
            let list = listing::ServiceList::read(&server).await.unwrap();
            let states = listing::service_states(&server, &list, listing::AT_ONCE).await.unwrap();
            let (names, unlisted) = listing::service_names(&server).await.unwrap();
            let (machines, gap) = listing::machines(&server).await.unwrap();
            [
                (states.services.len(), states.unreadable.iter().map(|one| one.count).sum()),
                (names.len(), unlisted.len()),
                (machines.len(), usize::from(gap.is_some())),
            ]
        })
    };
    assert_eq!(read(USED), [(2, 0); 3]);
    assert_eq!(read(USED + 1), [(1, 1); 3]);
}

#[test]
fn of_a_folder_whose_name_is_too_long_nothing_is_requested() {
    let server = |length: usize| {
        answering(
            &json!({ "folders": ["n".repeat(length)], "services": [], "reports": [], "webhooks": null }),
        )
    };
    let list = |length: usize| run(listing::ServiceList::read(&server(length))).unwrap();
    let (fits, long) = (list(USED), list(USED + 1));

    assert_eq!((fits.folders().count(), fits.count().unwrap()), (1, 0));
    assert!(run(listing::services_in(&server(USED), &fits)).unwrap().is_empty());
    let states = run(listing::service_states(&server(USED + 1), &long, listing::AT_ONCE)).unwrap();
    assert!(long.count().is_err());
    assert_eq!(states.unlisted.iter().map(|one| &*one.folder).collect::<Vec<_>>(), ["…"]);
    let shown = run(listing::services_in(&server(USED + 1), &long)).unwrap();
    assert_eq!(shown.iter().map(|service| &*service.name).collect::<Vec<_>>(), [""]);
}

#[test]
fn a_participant_whose_contact_is_too_long_for_an_update_has_no_identifier() {
    for field in ["contactFirstname", "contactLastname", "contactEmailAddress"] {
        for (length, id) in [(USED, "i"), (USED + 1, "")] {
            let participant = json!({ "portalInfo": { "id": "i" }, "config": { field: "x".repeat(length) } });
            let portal =
                answering(&json!({ "collaborations": [{ "id": "c" }], "participants": [participant] }));
            assert_eq!(
                run(listing::participants(&portal, "x")).unwrap()[0].portal_id,
                id,
                "{field} {length}"
            );
        }
    }
}

#[test]
fn of_a_collaboration_whose_identifier_is_too_long_nothing_is_requested() {
    let portal = |length: usize| {
        let participants = json!([{ "portalInfo": { "id": "i" } }]);
        answering(
            &json!({ "collaborations": [{ "id": "c".repeat(length), "name": "Roads" }], "participants": participants, "collaborationInvitations": [{ "id": "i" }] }),
        )
    };
    for (length, id) in [(USED, "i"), (USED + 1, "")] {
        let participants = run(listing::participants(&portal(length), "x")).unwrap();
        let invitations = run(listing::invitations(&portal(length), "x")).unwrap();
        assert_eq!((&*participants[0].portal_id, &*participants[0].collaboration_name), (id, "Roads"));
        assert_eq!((&*invitations[0].id, &*invitations[0].collaboration_name), (id, "Roads"));
    }
}

#[test]
fn a_webhook_with_a_text_that_is_too_long_for_an_edit_has_no_identifier() {
    let (fits, long) = ("x".repeat(USED), "x".repeat(USED + 1));
    let schedule = |length: usize| json!({ "a": "x".repeat(length - 8) });
    let readable = |field: &str, value: Value| {
        let mut webhook =
            json!({ "id": "1", "name": "N", "hookUrl": "https://hooks.example.org/h", "active": true });
        webhook[field] = value;
        let server = answering(&json!({ "webhooks": [{ "id": "0" }, webhook] }));
        let webhooks = run(ServiceWebhooks::at("a.FeatureServer").list(&server)).unwrap();
        assert_eq!((webhooks.len(), &*webhooks[0].id), (2, "0"));
        !webhooks[1].id.is_empty()
    };
    for field in ["id", "name", "hookUrl", "contentType", "payloadFormat", "changeTypes", "signatureKey"] {
        assert!(readable(field, json!(fits)), "{field}");
        assert!(!readable(field, json!(long)), "{field}");
    }
    assert!(readable("changeTypes", json!(["a", &fits[2..]])));
    assert!(!readable("changeTypes", json!(["a", &fits[1..]])));
    assert!(readable("scheduleInfo", schedule(USED)));
    assert!(!readable("scheduleInfo", schedule(USED + 1)));
}

#[test]
fn a_token_and_the_location_of_an_export_are_whole_or_missing() {
    let token = |length: usize| {
        let site = answering(&json!({ "token": "t".repeat(length) }));
        let password = steward_vault::Secret::new("p".to_owned());
        run(steward_client::generate_token(&site, &["generateToken"], "sam", &password)).is_ok()
    };
    assert!(token(48 * 1024) && !token(48 * 1024 + 1));
    let location = |length: usize| {
        let site = answering(&json!({ "status": "success", "location": "l".repeat(length) }));
        let export = ExportServer { location: String::new() };
        run(async { export.send(site.permit_unchecked().await).await }).map(|reply| reply.location.len())
    };
    assert_eq!(location(USED).unwrap(), USED);
    assert!(matches!(location(USED + 1), Err(ClientError::Unreadable { .. })));
}

fn imported(answer: &Value) -> ImportReply {
    let import =
        ImportServer { location: "x".to_owned(), server_type: ServerType::Gis, restart_web_server: None };
    run(async { import.send(answering(answer).permit_unchecked().await).await }).unwrap()
}

#[test]
fn the_messages_of_a_report_are_cut_one_by_one_and_not_in_number() {
    let (fits, long) = ("x".repeat(SHOWN), "x".repeat(SHOWN + 1));
    let cut = format!("{}… [8144 / 8193 bytes]", "x".repeat(8144));
    let start = |text: &str| json!({ "service": text, "state": text, "message": text, "machines": [{ "machine": text, "state": text, "reports": [{ "state": text, "message": text }] }] });
    let message = |text: &str| json!({ "level": text, "message": text, "details": start(text) });
    let messages = [vec![message(&fits), message(&long)], vec![json!(long); 500]].concat();

    let reply =
        imported(&json!({ "status": "success", "result": [{ "source": long, "messages": messages }] }));

    let source = &reply.result[0];
    assert_eq!((source.source.as_str(), source.messages.len()), (&*cut, 502));
    for (message, text) in source.messages.iter().zip([&fits, &cut]) {
        let start = message.details.as_ref().unwrap();
        let machine = &start.machines[0];
        let report = &machine.reports[0];
        let texts = [
            &message.level,
            &message.message,
            &start.service,
            &start.state,
            &start.message,
            &machine.machine,
            &machine.state,
            &report.state,
            &report.message,
        ];
        assert!(texts.iter().all(|one| *one == text), "{}", text.len());
    }
    assert!(source.messages[2..].iter().all(|message| message.message == cut));
}

#[test]
fn warnings_of_an_export_are_cut_one_by_one() {
    let site = answering(
        &json!({ "status": "success", "location": "/a", "messages": ["x".repeat(SHOWN + 1), "short"] }),
    );
    let export = ExportServer { location: String::new() };
    let reply = run(async { export.send(site.permit_unchecked().await).await }).unwrap();
    assert!(reply.messages[0].ends_with("… [8144 / 8193 bytes]"));
    assert_eq!(reply.messages[1], "short");
}

#[test]
fn fifty_megabytes_in_an_error_are_a_short_error() {
    let text = "x".repeat(50_000_000);
    let error = json!({ "error": { "code": 500, "message": text, "details": [text] } });
    let export = ExportServer { location: String::new() };
    let site = answering(&error);

    let error = run(async { export.send(site.permit_unchecked().await).await }).unwrap_err();

    let ClientError::Rejected { code: 500, message, details } = &error else { panic!() };
    for text in [message, &details[0]] {
        assert!(text.len() <= SHOWN && text.ends_with("… [8144 / 50000000 bytes]"));
    }
}

#[test]
fn an_entry_with_a_field_that_occurs_twice_is_listed_with_the_only_one_of_its_values() {
    let twice = r#"{"itemID":"1","itemID":"2"},{"itemID":"2","itemID":"2"}"#;
    let body = format!(r#"{{"items":[{twice},{{"itemID":"3"}}]}}"#).into_bytes();
    let server = fuzzing::answering(200, "application/json", body).unwrap();
    let ids: Vec<_> = run(listing::uploads(&server)).unwrap().into_iter().map(|upload| upload.id).collect();
    assert_eq!(ids, ["", "2", "3"]);
}
