//! Any answer, however odd, is an answer or a clear problem. The sites here are made up in memory.

use std::sync::LazyLock;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::Config;
use serde_json::{Value, json};
use steward_client::{ClientError, ServerType, fuzzing, listing};
use steward_vault::Secret;

use crate::decoders;

/// Answers that are right, one for each decoder; what is wrong is made from them.
pub(crate) const FIXTURES: [&str; 11] = [
    include_str!("../../../../../tests/fixtures/wire/export_portal/reply.json"),
    include_str!("../../../../../tests/fixtures/wire/export_portal/refusal.json"),
    include_str!("../../../../../tests/fixtures/wire/export_server/reply.json"),
    include_str!("../../../../../tests/fixtures/wire/import_server/reply.json"),
    include_str!("../../../../../tests/fixtures/wire/deactivate_webhooks/reply.json"),
    include_str!("../../../../../tests/fixtures/wire/find_items/reply.json"),
    include_str!("../../../../../tests/fixtures/wire/update_participant/reply.json"),
    include_str!("../../../../../tests/fixtures/wire/refresh_invitation/reply.json"),
    include_str!("../../../../../tests/fixtures/wire/import_portal/reply.json"),
    include_str!("listings.json"),
    include_str!("uploads.json"),
];

pub(crate) fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

pub(crate) fn read_by_all(status: u16, content_type: &str, body: &[u8]) -> Vec<decoders::Read> {
    let Some(endpoint) = fuzzing::answering(status, content_type, body.to_vec()) else { return Vec::new() };
    run(async {
        let mut read = decoders::operations(&endpoint).await;
        read.extend(decoders::listings(&endpoint).await);
        read.extend(decoders::sign_in(&endpoint).await);
        read.extend(decoders::grants(&endpoint).await);
        read.extend(decoders::downloads(&endpoint, "https://site.invalid/admin/uploads/i1").await);
        read.extend(decoders::uploads(&endpoint).await);
        read
    })
}

/// What holds of every answer.
fn check(status: u16, body: &[u8]) {
    for (decoder, read) in read_by_all(status, "application/json", body) {
        match read {
            Ok(_) => assert!((200..300).contains(&status), "{decoder} trusts HTTP {status}"),
            Err(error) => {
                assert!(
                    matches!(error, ClientError::Rejected { .. } | ClientError::Unreadable { .. }),
                    "{decoder}: {error:?}"
                );
                assert!(!format!("{error} {error:?}").contains("canary"), "{decoder}: {error:?}");
                if let ClientError::Unreadable { excerpt, raw, .. } = &error {
                    assert!(excerpt.chars().count() < 330, "{decoder}: {excerpt}");
                    for text in [Some(excerpt), raw.as_ref().map(|raw| &raw.body)].into_iter().flatten() {
                        assert!(!text.contains("canary"), "{decoder}: {text}");
                        assert!(text.len() <= 1024 * 1024);
                    }
                }
            }
        }
    }
}

fn statuses() -> impl Strategy<Value = u16> {
    prop_oneof![4 => Just(200_u16), 1 => select(vec![201, 204, 400, 401, 403, 404, 407, 500, 502, 503, 504])]
}

/// Names that mean something to some decoder.
fn names() -> impl Strategy<Value = String> {
    let known = "status success error code message messages details result source level service state machines \
                 reports location items rootItems folders services serviceName type webhooks active hookUrl itemID \
                 committed collaborations participants collaborationInvitations nextStart id portalInfo config \
                 expiration invitationString invitationRequest token expires access_token user username role \
                 enterpriseVersion owningSystemUrl fullVersion currentVersion \
                 databases onServerConnectionString name machine.overallhealth";
    let known: Vec<String> = known.split_whitespace().map(ToOwned::to_owned).collect();
    prop_oneof![9 => select(known), 1 => any::<String>()]
}

fn texts() -> impl Strategy<Value = String> {
    let known =
        ["success", "success with warnings", "error", "failed", "true", "false", "498", "1.7e12", "NaN", ""];
    prop_oneof![
        2 => select(known.map(ToOwned::to_owned).to_vec()),
        1 => any::<String>(),
        1 => Just(format!("a {} b", fuzzing::TOKEN)),
    ]
}

fn jsons() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        texts().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            btree_map(names(), inner, 0..6).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A right answer with some of its values replaced.
fn mutated() -> impl Strategy<Value = Value> {
    let change = (any::<Index>(), jsons());
    (select(FIXTURES.to_vec()), vec(change, 1..4)).prop_map(|(fixture, changes)| {
        let mut answer: Value = serde_json::from_str(fixture).unwrap();
        for (place, value) in changes {
            let all = places(&answer, String::new());
            if let Some(place) = answer.pointer_mut(&all[place.index(all.len())]) {
                *place = value;
            }
        }
        answer
    })
}

fn places(value: &Value, path: String) -> Vec<String> {
    let inside = |(name, value): (String, &Value)| {
        let name = name.replace('~', "~0").replace('/', "~1");
        places(value, format!("{path}/{name}"))
    };
    let mut all: Vec<String> = match value {
        Value::Array(list) => {
            list.iter().enumerate().map(|(at, value)| (at.to_string(), value)).flat_map(inside).collect()
        }
        Value::Object(map) => {
            map.iter().map(|(name, value)| (name.clone(), value)).flat_map(inside).collect()
        }
        _ => Vec::new(),
    };
    all.push(path);
    all
}

fn config() -> Config {
    Config { cases: 256, failure_persistence: None, ..Config::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes_are_an_answer_or_a_clear_problem(status in statuses(), body in vec(any::<u8>(), 0..400)) {
        check(status, &body);
    }

    #[test]
    fn any_json_is_an_answer_or_a_clear_problem(status in statuses(), body in jsons()) {
        check(status, body.to_string().as_bytes());
    }

    #[test]
    fn a_right_answer_with_wrong_values_is_an_answer_or_a_clear_problem(status in statuses(), body in mutated()) {
        check(status, body.to_string().as_bytes());
    }

    #[test]
    fn a_right_answer_that_is_cut_or_flipped_is_an_answer_or_a_clear_problem(
        fixture in select(FIXTURES.to_vec()),
        cut in any::<Index>(),
        flip in any::<(Index, u8)>(),
    ) {
        let mut body = fixture.as_bytes().to_vec();
        let at = flip.0.index(body.len());
        body[at] ^= flip.1;
        check(200, &body);
        body.truncate(cut.index(body.len()));
        check(200, &body);
    }

    #[test]
    fn any_address_of_a_stored_file_is_one_or_a_clear_problem(location in any::<String>()) {
        let endpoint = fuzzing::answering(200, "application/octet-stream", Vec::new()).unwrap();
        for (_, read) in run(decoders::downloads(&endpoint, &location)) {
            let is_clear = matches!(read, Ok(_) | Err(ClientError::Unreadable { .. }));
            prop_assert!(is_clear);
        }
    }

    #[test]
    fn any_bytes_as_a_certificate_are_refused(flips in vec(any::<(Index, u8)>(), 0..8), cut in any::<Index>()) {
        static CERTIFICATES: LazyLock<fuzzing::Certificates> =
            LazyLock::new(|| fuzzing::Certificates::new().unwrap());
        let mut der = crate::support::self_signed(&["site.invalid"], |_| ()).der().to_vec();
        for (at, flip) in flips {
            let at = at.index(der.len());
            der[at] ^= flip;
        }
        prop_assert!(CERTIFICATES.read(&der).is_some());
        der.truncate(cut.index(der.len()));
        prop_assert!(CERTIFICATES.read(&der).is_some());
    }

    #[test]
    fn any_bytes_as_a_clients_certificate_are_one_or_none(file in vec(any::<u8>(), 0..400)) {
        let _whether = fuzzing::identity(&file);
    }
}

fn error_of(decoder: &str, status: u16, body: &str) -> ClientError {
    let all = read_by_all(status, "text/html", body.as_bytes());
    all.into_iter().find(|(name, _)| *name == decoder).unwrap().1.unwrap_err()
}

fn answer_of(decoder: &str, body: &Value) -> String {
    let all = read_by_all(200, "application/json", body.to_string().as_bytes());
    all.into_iter().find(|(name, _)| *name == decoder).unwrap().1.unwrap()
}

#[test]
fn every_decoder_reads_a_right_answer_of_its_own() {
    let mut read = std::collections::BTreeSet::new();
    for fixture in FIXTURES {
        let all = read_by_all(200, "application/octet-stream", fixture.as_bytes());
        read.extend(all.into_iter().filter(|(_, read)| read.is_ok()).map(|(name, _)| name));
    }
    assert_eq!(read.len(), 45, "{read:?}");
}

#[test]
fn a_page_in_the_place_of_an_answer_is_kept_for_a_bug_report() {
    for status in [200, 401, 403, 407, 500, 502, 503, 504] {
        let page = format!("<html><title>no</title> {} {}", fuzzing::TOKEN, "x".repeat(1000));
        for decoder in ["export_portal", "refresh_invitation", "services", "generate_token", "federated_with"]
        {
            let error = error_of(decoder, status, &page);
            let ClientError::Unreadable { excerpt, raw: Some(raw), .. } = &error else { panic!("{error:?}") };
            assert!(
                excerpt.starts_with(&format!("HTTP {status}: <html><title>no</title> … xxx")),
                "{excerpt}"
            );
            assert_eq!((raw.status, raw.is_cut), (status, false));
            assert!(raw.body.starts_with("<html>") && !raw.body.contains(fuzzing::TOKEN));
        }
    }
}

#[test]
fn a_page_without_end_is_kept_to_a_mebibyte() {
    let endpoint = fuzzing::answering(502, "text/html", b"<html>".repeat(500_000)).unwrap();

    let error = run(steward_client::listing::uploads(&endpoint)).unwrap_err();

    let ClientError::Unreadable { raw: Some(raw), .. } = &error else { panic!("{error:?}") };
    assert!(raw.is_cut && raw.body.len() <= 1024 * 1024);
    assert!(format!("{error:?}").len() < 1000, "what is kept does not get into logs");
}

#[test]
fn an_empty_answer_is_unreadable() {
    for decoder in ["export_portal", "import_server", "refresh_invitation", "uploads", "describe_server"] {
        let error = error_of(decoder, 200, "");
        assert!(matches!(error, ClientError::Unreadable { .. }), "{decoder}: {error:?}");
        assert!(error.may_have_taken_effect());
    }
}

#[test]
fn a_secret_that_a_refusal_repeats_is_not_repeated_by_us() {
    let error = error_of(
        "generate_token",
        200,
        r#"{"error":{"message":"canary-password","details":"canary-token"}}"#,
    );
    assert!(!format!("{error:?}").contains("canary"), "{error:?}");
}

#[test]
fn a_token_in_the_address_of_a_file_is_not_shown() {
    let endpoint = fuzzing::answering(200, "application/json", Vec::new()).unwrap();
    for location in ["/backups?token=other", fuzzing::TOKEN] {
        let (_, read) = run(decoders::downloads(&endpoint, location)).remove(0);
        let shown = format!("{:?}", read.unwrap_err());
        assert!(!shown.contains("canary") && !shown.contains("other"), "{shown}");
    }
}

#[test]
fn an_error_object_of_the_site_is_found_whatever_its_status() {
    for status in [200, 400, 401, 403, 500] {
        let error =
            error_of("export_server", status, r#"{"error":{"code":"500","message":"m","details":"d"}}"#);
        let ClientError::Rejected { code, message, details } = error else { panic!("{error:?}") };
        assert_eq!((code, message.as_str(), details), (500, "m", vec!["d".to_owned()]));
    }
}

#[test]
fn numbers_are_read_when_they_are_written_as_texts() {
    let token = answer_of("generate_token", &json!({ "token": "t", "expires": "1767225600000" }));
    assert!(token.contains("expires_at: Some(1767225600000)"), "{token}");
    let body = json!({ "id": 7, "expiration": "1.7672256e12" }).to_string();
    let portal = fuzzing::answering(200, "application/json", body.into_bytes()).unwrap();
    let invitation = run(listing::invitation(&portal, "x", "x", "7")).unwrap();
    assert_eq!((&invitation.id[..], invitation.expiration), ("7", Some(1_767_225_600_000)), "{invitation:?}");
}

#[test]
fn a_data_item_alone_is_a_list_of_one() {
    let items = answer_of("find_items", &json!({ "items": { "path": "/fileShares/roads" }, "error": null }));
    assert!(items.starts_with('[') && items.contains("/fileShares/roads"), "{items}");
}

#[test]
fn data_items_in_an_odd_encoding_keep_their_places() {
    let answer = b"\xEF\xBB\xBF{\"items\": [{\"name\":\"M\xFCnchen\"}, {\"name\":\"roads\"}]}";
    let all = read_by_all(200, "application/json", answer);
    let (_, items) = all.into_iter().find(|(name, _)| *name == "find_items").unwrap();
    assert_eq!(items.unwrap(), format!("{:?}", ["{\"name\":\"M\u{fffd}nchen\"}", r#"{"name":"roads"}"#]));
}

#[test]
fn of_data_items_that_stand_there_twice_neither_count() {
    for lists in [r#""items":[{"a":1},{"a":2}],"items":[{"a":3}]"#, r#""items":[{"a":1}],"items":[]"#] {
        let error = error_of("find_items", 200, &format!("{{{lists}}}"));
        assert!(matches!(error, ClientError::Unreadable { .. }), "{lists}: {error:?}");
    }
}

#[test]
fn a_data_item_that_is_no_json_makes_the_answer_unreadable() {
    for items in [r#"[{"a":1},{"a":tru}]"#, r#"[{"a":[}]"#, "[{},]", "[{} {}]", "[{}"] {
        let error = error_of("find_items", 200, &format!("{{\"items\":{items}}}"));
        assert!(matches!(error, ClientError::Unreadable { .. }), "{items}: {error:?}");
    }
}

#[test]
fn a_refusal_beside_a_list_is_a_refusal() {
    let error =
        error_of("find_items", 200, r#"{"items":[],"status":"error","messages":["Not now."],"code":500}"#);
    let ClientError::Rejected { code, message, .. } = error else { panic!("{error:?}") };
    assert_eq!((code, message.as_str()), (500, "Not now."));
}

#[test]
fn a_list_that_is_null_is_not_an_empty_one() {
    for (decoder, body) in [
        ("find_items", r#"{"items":null}"#),
        ("data_roots", r#"{"rootItems":null}"#),
        ("participants", r#"{"collaborations":null}"#),
        ("invitations", r#"{"collaborations":null}"#),
        ("service_count", r#"{"folders":null,"services":[]}"#),
    ] {
        let error = error_of(decoder, 200, body);
        assert!(matches!(error, ClientError::Unreadable { .. }), "{decoder}: {error:?}");
    }
    let services = answer_of("services", &json!({ "folders": null, "services": null }));
    assert_eq!(services.matches("the response contains no list of").count(), 2, "{services}");
}

#[test]
fn where_no_list_came_nothing_is_said_to_be_gone_nor_counted() {
    for silent in [r#"{"items":null}"#, "{}", r#"{"status":"success"}"#] {
        let error = error_of("uploads", 200, silent);
        assert!(matches!(error, ClientError::Unreadable { .. }), "{silent}: {error:?}");
    }
    for silent in [r#"{"services":null}"#, "{}", r#"{"folders":[]}"#] {
        let error = error_of("service_count", 200, silent);
        assert!(matches!(error, ClientError::Unreadable { .. }), "{silent}: {error:?}");
    }
    for listing in ["participants", "invitations"] {
        let error = error_of(listing, 200, r#"{"status":"success"}"#);
        assert!(matches!(error, ClientError::Unreadable { .. }), "{listing}: {error:?}");
    }
}

#[test]
fn a_report_of_fifty_megabytes_is_read() {
    let message = json!({ "level": "INFO", "message": "x".repeat(1000) });
    let report =
        json!({ "status": "success", "result": [{ "source": "s", "messages": vec![message; 50_000] }] });
    let endpoint = fuzzing::answering(200, "application/json", report.to_string().into_bytes()).unwrap();

    let import = steward_client::operations::import_server::ImportServer {
        location: "x".to_owned(),
        server_type: ServerType::Gis,
        restart_web_server: None,
    };
    let reply = run(async { import.send(endpoint.permit_unchecked().await).await }).unwrap();

    assert_eq!(reply.result[0].messages.len(), 50_000);
}

#[test]
fn a_password_that_comes_back_as_other_programs_escape_it_is_not_shown() {
    for spelling in [
        "p%26s%3d%22w%c3%b6rd%27%2f%3e+%3d",
        "p%26s%3D%22w%C3%B6rd%27%2F%3E%20%3D",
        "p%26s%3d%22w%c3%b6rd%27%2f%3e%20%3d",
        r#"p&s=\"w\u00f6rd'/> ="#,
        r#"p&s=\"w\u00F6rd'\/> ="#,
        r#"p\u0026s=\"wörd'/\u003e ="#,
        r#"p\u0026s\u003d\"wörd\u0027/\u003e \u003d"#,
        r"p\u0026s=\u0022w\u00F6rd\u0027/\u003E =",
        "p&amp;s=&quot;wörd'/&gt; =",
        "p&amp;s=&quot;wörd&#39;/&gt; =",
        "p&amp;s=&quot;wörd&#x27;/&gt; =",
        "p&amp;s=&#34;wörd&#39;/&gt; =",
    ] {
        let page = format!("<p>Bad password {spelling}</p>");
        let endpoint = fuzzing::answering(500, "text/html", page.into_bytes()).unwrap();
        let password = Secret::new("p&s=\"wörd'/> =".to_owned());

        let asked = run(steward_client::generate_token(&endpoint, &["generateToken"], "sam", &password));

        let Err(ClientError::Unreadable { excerpt, .. }) = asked else { panic!("{asked:?}") };
        assert_eq!(excerpt, "HTTP 500: <p>Bad password …</p>", "{spelling}");
    }
}
