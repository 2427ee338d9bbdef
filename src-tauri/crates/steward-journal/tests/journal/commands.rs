#![cfg(unix)]
//! The commands are given to a real shell, in which curl is replaced by a function that prints its arguments.

use std::process::Command;

use proptest::prelude::*;
use steward_journal::{Intent, Journal, StoredRecord, StoredRequest, command_export};

use crate::{intent, pairs, text};

const TOKEN: &str = "the token's \"value\" $HOME `id`";

fn record(requests: Vec<StoredRequest>) -> StoredRecord {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
    let id = journal.intend(&Intent { requests, ..intent() }).unwrap();
    journal.whole(&id).unwrap().record
}

fn output(command: &mut Command) -> String {
    let output = command.env("TOKEN", TOKEN).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The arguments that curl would be given.
fn given_to_curl(record: &StoredRecord) -> Vec<String> {
    let script = format!(
        "curl() {{ for one in \"$@\"; do printf '%s\\0' \"$one\"; done; }}\n{}",
        command_export::as_curl(record)
    );
    let printed = output(Command::new("sh").args(["-c", &script]));
    printed.split_terminator('\0').map(str::to_owned).collect()
}

#[test]
fn a_command_of_the_shell_reads_as_a_person_would_write_it() {
    assert_eq!(
        command_export::as_curl(&record(intent().requests)),
        "curl --globoff --request 'POST' --url 'https://gis.example.org/server/admin/importSite' \\\n  \
         --data-urlencode 'location=/backups/a.agssite' \\\n  \
         --data-urlencode 'f=json' \\\n  \
         --data-urlencode 'token='\"$TOKEN\""
    );
}

#[test]
fn a_secret_that_is_no_token_is_a_variable_of_its_own() {
    let mut requests = intent().requests;
    requests[0].form = pairs(&[("backupObjectStoreConnectionStr", "secret"), ("2-secret", "secret")]);
    let record = record(requests);

    let shell = command_export::as_curl(&record);

    assert!(
        shell.contains("'backupObjectStoreConnectionStr='\"$BACKUPOBJECTSTORECONNECTIONSTR\""),
        "{shell}"
    );
    assert!(shell.contains("'2-secret='\"$FIELD_2_SECRET\""), "{shell}");
}

#[test]
fn every_request_of_an_operation_is_in_the_command() {
    let one = intent().requests.remove(0);
    let record = record(vec![one.clone(), StoredRequest { address: text("https://other.example/x"), ..one }]);

    assert_eq!(given_to_curl(&record).iter().filter(|argument| *argument == "--url").count(), 2);
}

/// Anything a person or a site may have written, but no named secret, which would be masked.
fn hostile() -> impl Strategy<Value = String> {
    let letters = prop_oneof![
        Just('\''),
        Just('"'),
        Just('\\'),
        Just('$'),
        Just('`'),
        Just('\n'),
        Just('!'),
        Just('%'),
        Just('@'),
        Just('&'),
        Just('\u{1f409}'),
        Just('ü'),
        Just('\u{2028}'),
        any::<char>(),
    ];
    proptest::collection::vec(letters, 0..40).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_shell_hands_curl_exactly_what_was_sent(name in hostile(), value in hostile()) {
        let mut requests = intent().requests;
        requests[0].form = vec![(name, value), (text("token"), text("secret"))];
        let record = record(requests);
        let (name, value) = &record.intent.requests[0].form[0];

        let arguments = given_to_curl(&record);

        let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let plain = !value.contains('\0');
        let expected = if plain { value.clone() } else { encoded(value) };
        prop_assert_eq!(&arguments[5], if plain { "--data-urlencode" } else { "--data-raw" });
        prop_assert_eq!(&arguments[6], &format!("{}={expected}", encoded(name)));
        prop_assert_eq!(&arguments[8], &format!("token={TOKEN}"));
    }
}
