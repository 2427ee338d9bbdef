//! Memory that an import report needs: at most four times its size, while it is written and while it is read. A tree of it
//! would need up to 64 times.
//!
//! A binary of its own, with one test, because the allocator counts everything that the process allocates.

use peak_alloc::PeakAlloc;
use serde::{Deserialize, Serialize};
use steward_journal::{Conclusion, Intent, Journal, Outcome, Report, StoredResponse};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Services of the report, whose number does not change the factor.
const SERVICES: usize = 5_000;

/// Message of a report, with the fields of those of an import.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    level: String,
    message: String,
    service: String,
    machine_states: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct Messages {
    messages: Vec<Message>,
}

fn message(number: usize) -> Message {
    let service = format!("Folder{}/Service{number}.MapServer", number % 100);
    Message {
        level: "WARNING".to_owned(),
        message: format!("Could not start service {service}. The data of the service cannot be opened."),
        service,
        machine_states: vec![("SRV1.EXAMPLE.ORG".to_owned(), "FAILED".to_owned())],
    }
}

/// Fails if `work` needs more than four times `size` beyond what is held when it begins.
fn within<R>(what: &str, size: usize, work: impl FnOnce() -> R) -> R {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = work();
    let needed = ALLOCATOR.peak_usage() - before;
    println!("{what}: {needed} bytes for {size}");
    assert!(needed <= 4 * size, "{what}: {needed} bytes for {size}");
    result
}

#[test]
fn a_report_needs_at_most_four_times_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
    let id = journal.intend(&Intent::default()).unwrap();
    let report = Messages { messages: (0..SERVICES).map(message).collect() };
    let body = serde_json::to_string(&report).unwrap();
    let size = body.len();
    let conclusion = |report, response| Conclusion {
        outcome: Outcome::Warnings,
        note: String::new(),
        facts: None,
        response,
        report,
        ended_at: 2,
        elapsed: 1,
    };

    within("a report that is written", size, || {
        let report = Report::of(&report).unwrap();
        journal.conclude(&id, &conclusion(Some(report), None)).unwrap();
    });
    within("a response that is written", size, || {
        let response = StoredResponse { text: body.clone(), truncated: false };
        journal.conclude(&id, &conclusion(None, Some(response))).unwrap();
    });
    drop((report, body));
    let read = within("a report that is read", size, || {
        journal.report(&id).unwrap().unwrap().read::<Messages>().unwrap()
    });
    assert_eq!(read.messages.len(), SERVICES);
    drop(read);
    within("a later check that is added", size, || {
        let check = Report::of(&message(0)).unwrap();
        journal.set_in_report(&id, "$.later", &check).unwrap();
    });
}
