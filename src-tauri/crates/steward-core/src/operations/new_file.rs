//! Whether an export wrote a new file.

use steward_client::operations::ExportReply;
use steward_journal::Facts;

use crate::execution::Execution;
use crate::history::note::Note;
use crate::model::export_outcome::facts_at;
use crate::transfers::earlier_file::names_earlier;

/// Warning of an export whose response names no file: nothing shows that one was written.
const NO_FILE: &str = "the response names no file";

/// Warning of an export whose response names a file from before: nothing shows that another one was written.
const EARLIER_FILE: &str = "the response names the file of an earlier export";

/// Adds a warning to the reply of an export that names no file, or an earlier one. Returns whether the file is an earlier one,
/// and the facts and the note of the record. `was_there` is whether the site listed the file before the export.
pub(super) async fn look_for_new_file(
    execution: &Execution<'_>,
    reply: &mut ExportReply,
    was_there: bool,
) -> (bool, Facts, Note) {
    if reply.location.is_empty() {
        reply.messages.push(NO_FILE.to_owned());
    }
    let own = execution.record_id();
    let is_known = names_earlier(execution.context, &execution.site, &reply.location, own.as_ref()).await;
    let is_known = is_known.inspect_err(|problem| tracing::warn!(?problem, "earlier exports are not known"));
    let is_earlier = was_there || is_known.unwrap_or_default();
    let (mut facts, mut note) = (facts_at(&reply.location), Note::written(&reply.location));
    if is_earlier {
        facts = Facts { earlier_file: Some(reply.location.clone()), ..Facts::default() };
        reply.messages.push(EARLIER_FILE.to_owned());
        note = note.and(EARLIER_FILE.to_owned());
    }
    (is_earlier, facts, note)
}
