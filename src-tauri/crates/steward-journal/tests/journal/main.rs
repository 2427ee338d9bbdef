//! The journal as its callers use it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod audit_package;
mod checked;
mod commands;
mod damage;
mod formats;
mod killed;
mod opened;
mod search;
mod secrets;
mod tables;
mod trail;

use steward_journal::audit_package::PageWords;
use steward_journal::tables::Description;
use steward_journal::{Conclusion, Intent, Outcome, StoredRecord, StoredRequest, StoredResponse};

/// A language whose words are their own names.
const NAMES: PageWords<'_> = PageWords { language: "en", say: &|name| name.to_owned(), describe: &described };

/// Describes an entry by its operation only.
fn described(record: &StoredRecord) -> Description {
    Description { operation: record.intent.operation.clone(), summary: String::new() }
}

fn text(text: &str) -> String {
    text.to_owned()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| (text(name), text(value))).collect()
}

fn intent() -> Intent {
    Intent {
        site: text("5f0c7a52"),
        server: "s1".to_owned(),
        server_name: text("gisapp01"),
        site_name: text("City GIS"),
        environment: text("production"),
        site_version: text("11.1"),
        operation: text("import_server"),
        username: text("gisadmin"),
        program_version: text("0.1.0"),
        parameters: pairs(&[("location", "/backups/a.agssite")]),
        requests: vec![StoredRequest {
            method: text("POST"),
            address: text("https://gis.example.org/server/admin/importSite"),
            form: pairs(&[("location", "/backups/a.agssite"), ("f", "json"), ("token", "***")]),
        }],
        started_at: 1_767_700_000_000,
        ..Intent::default()
    }
}

fn report(content: &impl serde::Serialize) -> steward_journal::Report {
    steward_journal::Report::of(content).unwrap()
}

fn conclusion() -> Conclusion {
    Conclusion {
        outcome: Outcome::Warnings,
        note: text("/backups/a.agssite"),
        facts: None,
        response: Some(StoredResponse {
            text: text(r#"{"status":"success","result":[]}"#),
            truncated: false,
        }),
        report: Some(report(
            &serde_json::json!({"status": "success", "message": "<b>Zoning</b> could not start"}),
        )),
        ended_at: 1_767_703_600_000,
        elapsed: 3_600_000,
    }
}
