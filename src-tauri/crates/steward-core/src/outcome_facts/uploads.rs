//! Uploads that a request may have left on a server.

use std::path::PathBuf;

use jiff::Timestamp;
use steward_client::listing::{self, StoredUpload};
use steward_client::{ClientError, Endpoint, STALLED, uploads};

use super::{CheckFact, CheckedRequest, Suggestion, files};
use crate::history::parameters;
use crate::model::history_key::UPLOAD;
use crate::model::operation::OperationKey;

/// Lists newer uploads by the clock of the server, which sets their dates. `is_ours` decides by what the server lists, unless
/// another entry of the history has the upload. If the length is known, it decides too: another user can upload a file of the
/// same name.
pub(crate) async fn check(
    request: &CheckedRequest<'_>,
    server: &Endpoint,
    is_ours: impl Fn(&StoredUpload) -> bool,
    length: Option<u64>,
    facts: &mut Vec<CheckFact>,
) -> Result<Suggestion, ClientError> {
    let began = request.began_by_their_clock(server).await;
    let storing = [OperationKey::ExportServer.name(), UPLOAD];
    let of_others = request.of_others(&storing, |facts| facts.upload.clone()).await;
    let before = facts.len();
    let mut ours = 0;
    for upload in listing::all_uploads(server).await? {
        let is_of_another = of_others.as_ref().is_none_or(|others| others.contains(&upload.id));
        let is_listed_as_ours = is_ours(&upload) && !is_of_another;
        let is_complete = upload.is_committed();
        let (name, date) = (upload.name, upload.date);
        match moment(&date) {
            Some(came) if came >= began && !is_complete => {
                facts.push(CheckFact::IncompleteUpload { name, date });
            }
            Some(came) if came >= began => {
                let is_ours = is_listed_as_ours && has_length(server, &upload.id, length).await;
                ours += usize::from(is_ours);
                facts.push(CheckFact::NewUpload { name, date });
            }
            Some(_) => {}
            None if !is_complete => {}
            None => facts.push(CheckFact::UploadOfUnknownAge { name, date }),
        }
    }
    let destination = request.given(parameters::DESTINATION);
    if !destination.is_empty() {
        facts.push(files::file(&PathBuf::from(destination)).await);
    }
    let is_upload = |fact: &CheckFact| {
        matches!(
            fact,
            CheckFact::NewUpload { .. }
                | CheckFact::IncompleteUpload { .. }
                | CheckFact::UploadOfUnknownAge { .. }
        )
    };
    if !facts[before..].iter().any(is_upload) {
        facts.push(CheckFact::NoNewUpload);
    }
    Ok(Suggestion::done_if(ours == 1))
}

/// Returns whether an upload has this length, unless it is not known or the server does not return one.
async fn has_length(server: &Endpoint, id: &str, length: Option<u64>) -> bool {
    let Some(length) = length else { return true };
    uploads::length(server, id, STALLED).await.is_none_or(|stored| stored == length)
}

/// Parses a date of a server: milliseconds since 1970, a timestamp with its zone, or the format of Java dates in UTC.
fn moment(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(millis) = text.parse() {
        return Some(millis);
    }
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(moment.as_millisecond());
    }
    let text = text.replacen(" GMT ", " UTC ", 1);
    let date = jiff::civil::DateTime::strptime("%a %b %d %H:%M:%S UTC %Y", &text).ok()?;
    Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dates_of_servers_are_read_and_an_odd_one_is_of_no_age() {
        assert_eq!(moment("1764000000000"), Some(1_764_000_000_000));
        assert_eq!(moment("Mon Nov 24 16:00:00 UTC 2025"), Some(1_764_000_000_000));
        assert_eq!(moment("Mon Nov 24 16:00:00 GMT 2025"), Some(1_764_000_000_000));
        assert_eq!(moment("2025-11-24T16:00:00Z"), Some(1_764_000_000_000));
        assert_eq!(moment("Mon Nov 24 16:00:00 MEZ 2025"), None);
        assert_eq!(moment("yesterday"), None);
    }
}
