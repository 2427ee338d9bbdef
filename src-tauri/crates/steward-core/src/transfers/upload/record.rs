//! What an upload leaves in the history: a file on a server's disk is a change like any other.

use std::time::Instant;

use steward_journal::{Conclusion, Intent, Outcome};

use super::{Fault, UploadEnd};
use crate::host::Host;
use crate::model::numbers::Millis;
use crate::model::problem::Problem;
use crate::sites::Site;

/// A record that waits for its outcome.
pub(super) struct Begun<'a> {
    host: &'a Host,
    record: String,
    began: Instant,
}

/// Writes down what is about to be done. It is on disk when this returns.
pub(super) async fn begin<'a>(
    host: &'a Host,
    site: &Site,
    act: &str,
    parameters: Vec<(String, String)>,
) -> Result<Begun<'a>, Problem> {
    let intent = intent(host, site, act, parameters);
    let record = host.journal(move |journal| journal.intend(&intent)).await?;
    Ok(Begun { host, record, began: Instant::now() })
}

fn intent(host: &Host, site: &Site, act: &str, parameters: Vec<(String, String)>) -> Intent {
    let known = host.remembered(site);
    Intent {
        site: site.id.0.clone(),
        site_name: site.name.clone(),
        site_kind: site.kind.name().to_owned(),
        site_version: known.server_version.map(|version| version.to_string()).unwrap_or_default(),
        operation: act.to_owned(),
        username: known.username,
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        parameters,
        // A file is no field of a form: there is no command that would send it again.
        requests: Vec::new(),
        started_at: Millis::now().0,
    }
}

impl Begun<'_> {
    /// Writes down what came of it. The file is where it is: a disk that refuses now is no reason to say otherwise.
    pub(super) async fn conclude(self, outcome: Outcome, note: String) {
        let elapsed = i64::try_from(self.began.elapsed().as_millis()).unwrap_or(i64::MAX);
        let ended_at = Millis::now().0;
        let conclusion = Conclusion { outcome, note, answer: None, report: None, ended_at, elapsed };
        let record = self.record;
        let written = self.host.journal(move |journal| journal.conclude(&record, &conclusion)).await;
        if let Err(problem) = written {
            tracing::error!(?problem, "the outcome of an upload could not be written to the history");
        }
    }

    /// The same, from how it ended and whether anything of it was handed to the network.
    pub(super) async fn end(self, end: &UploadEnd, why: Option<&Fault>, was_sent: bool) {
        let why = why.map(ToString::to_string).unwrap_or_default();
        let (outcome, note) = match end {
            UploadEnd::Uploaded { item, name, .. } => (Outcome::Succeeded, format!("{name} ({})", item.0)),
            UploadEnd::Stopped { .. } if !was_sent => (Outcome::NotSent, why),
            UploadEnd::Stopped { .. } | UploadEnd::Failed { .. } | UploadEnd::Dismissed => {
                (Outcome::Failed, why)
            }
            UploadEnd::Unknown { .. } => (Outcome::Unknown, why),
        };
        self.conclude(outcome, note).await;
    }
}
