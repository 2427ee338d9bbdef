//! Outcome check of a request without a response.
//!
//! [`check`] reads the current state of the site and suggests an outcome, and [`resolve`] stores the outcome that the
//! user sets. No request of a check has an effect. What an operation leaves is in its own `outcome.rs`.

use std::sync::Arc;

use serde::Serialize;
use steward_client::Endpoint;
use steward_journal::{Outcome, OutcomeResolution};

use crate::files::selected_paths::SelectedPaths;
use crate::history::record::History;
use crate::history::record_target::{must_be_of, target_of};
use crate::model::history_key::{HistoryAction, HistoryKey};
use crate::model::ids::{RecordId, SiteId};
use crate::model::numbers::Millis;
use crate::model::problem::{FieldError, PreconditionFailure, Problem};
use crate::operations;
use crate::operations::refresh_invitation::unsaved_invitations::UnsavedInvitations;
use crate::outcome_facts::CheckedRequest;
use crate::outcome_facts::webhooks::are_active;
pub use crate::outcome_facts::{CheckFact, Suggestion};
use crate::runs;
use crate::site_context::SiteContext;
use crate::transfers::upload;

/// Result of an outcome check.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OutcomeCheck {
    /// Facts, in display order.
    pub facts: Vec<CheckFact>,
    /// Outcome that the facts suggest.
    pub suggestion: Suggestion,
}

/// An outcome that a user set, as shown in the window.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OutcomeResolutionView {
    /// Reason; may be empty.
    pub note: String,
    /// Name of the user.
    pub by: String,
    /// Time when it was set.
    pub at: Millis,
}

/// Checks the outcome of a record.
///
/// A site that does not respond is a fact, not an error.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the site no longer has the server of the record, or its URL was changed.
/// - [`Problem::SignIn`] if there is no valid session.
/// - [`Problem::Unexpected`] if the journal cannot be read, there is no such record, or its site is not saved.
/// - Those of [`Access::portal`](crate::access::Access::portal) or [`Access::server`](crate::access::Access::server).
pub async fn check(
    context: &SiteContext,
    unsaved: &Arc<UnsavedInvitations>,
    selected: &SelectedPaths,
    record: &RecordId,
) -> Result<OutcomeCheck, Problem> {
    let id = record.0.clone();
    let whole = context.history.journal(move |journal| journal.record(&id)).await?;
    let site = context.access.sites.at(&target_of(&whole.intent))?;
    must_be_of(&site, &whole.intent)?;
    let mut facts = Vec::new();
    let running = context.history.is_open(record)
        || context.history.is_in_runner(&whole)
        || context.runs.all().into_iter().any(|run| run.site == site.id);
    if whole.outcome == Outcome::Sent && running {
        facts.push(CheckFact::StillWaiting);
    }
    let request = CheckedRequest { context, selected, site: &site, record, intent: &whole.intent };
    let suggestion = match answers(&request, &mut facts).await? {
        None => Suggestion::Unclear,
        Some(endpoint) => by_operation(&request, unsaved, &endpoint, &mut facts).await,
    };
    // While the app is waiting, a missing trace does not mean that the request failed.
    let suggestion = match suggestion {
        Suggestion::NotDone if facts.contains(&CheckFact::StillWaiting) => Suggestion::Unclear,
        other => other,
    };
    Ok(OutcomeCheck { facts, suggestion })
}

/// Stores the outcome that a user sets for a record without a response. The record itself does not change. `Unknown`
/// settles it too, and can be replaced later.
///
/// # Errors
/// - [`Problem::Form`] if the outcome is neither a final one nor `Unknown`.
/// - [`Problem::Busy`] if the operation is still running.
/// - [`Problem::PreconditionFailed`] with `StillWaiting` if another action of the record has not ended.
/// - [`Problem::Unexpected`] if the journal cannot be read or written.
pub async fn resolve(
    context: &SiteContext,
    record: RecordId,
    outcome: Outcome,
    note: &str,
) -> Result<(), Problem> {
    if !outcome.has_response() && outcome != Outcome::Unknown {
        return Err(Problem::form("outcome", FieldError::Required));
    }
    let id = record.0.clone();
    let whole = context.history.journal(move |journal| journal.record(&id)).await?;
    let site = SiteId(whole.intent.site.clone());
    if whole.outcome == Outcome::Sent
        && let Some(run) = context.runs.all().into_iter().find(|run| run.site == site)
    {
        return Err(runs::busy(&run));
    }
    // An action without a run, for example a sign-in, or an export of the runner.
    if context.history.is_open(&record) || context.history.is_in_runner(&whole) {
        return Err(Problem::precondition_failed(PreconditionFailure::StillWaiting));
    }
    let by = match context.access.sites.get(&site) {
        Ok(site) => context.access.signed_in_user(&site).await,
        Err(_) => String::new(),
    };
    let resolution = OutcomeResolution { outcome, note: note.trim().to_owned(), by, at: Millis::now().0 };
    context.history.journal(move |journal| journal.set_outcome(&record.0, &resolution)).await
}

/// Returns the outcome that a user set for a record; `None` if there is none.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn resolution(
    history: &History,
    record: RecordId,
) -> Result<Option<OutcomeResolutionView>, Problem> {
    let settled = history.journal(move |journal| journal.outcome_resolution(&record.0)).await?;
    Ok(settled.map(|settled| OutcomeResolutionView {
        note: settled.note,
        by: settled.by,
        at: Millis(settled.at),
    }))
}

/// Checks whether the site responds, and returns the endpoint for further requests.
async fn answers(
    request: &CheckedRequest<'_>,
    facts: &mut Vec<CheckFact>,
) -> Result<Option<Endpoint>, Problem> {
    let access = &request.context.access;
    let is_portal = request.site.server().is_none();
    let endpoint =
        if is_portal { access.portal(request.site).await? } else { access.server(request.site).await? };
    match access.ask_who(request.site).await {
        Ok(known) => {
            let version = if is_portal { known.portal_version } else { known.server_version };
            facts.push(CheckFact::SiteAnswers { version: version.map(|version| version.to_string()) });
            Ok(Some(endpoint))
        }
        // The user can sign in and repeat the check.
        Err(problem @ Problem::SignIn { .. }) => Err(problem),
        Err(problem) => {
            facts.push(CheckFact::SiteSilent { problem });
            Ok(None)
        }
    }
}

/// Looks for what the operation or action of the record leaves.
async fn by_operation(
    request: &CheckedRequest<'_>,
    unsaved: &Arc<UnsavedInvitations>,
    endpoint: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Suggestion {
    let seen = match HistoryKey::named(&request.intent.operation) {
        Some(HistoryKey::Operation(key)) => {
            operations::check_outcome(key, request, unsaved, endpoint, facts).await
        }
        Some(HistoryKey::Act(HistoryAction::ReactivateWebhooks)) => {
            are_active(request, endpoint, facts).await
        }
        Some(HistoryKey::Act(HistoryAction::DeactivateWebhook)) => {
            are_active(request, endpoint, facts).await.map(Suggestion::opposite)
        }
        Some(HistoryKey::Act(HistoryAction::Upload)) => upload::check_outcome(request, endpoint, facts).await,
        Some(HistoryKey::Act(HistoryAction::DeleteUpload | HistoryAction::DiscardUpload)) => {
            upload::check_deletion(request, endpoint, facts).await
        }
        _ => Ok(Suggestion::Unclear),
    };
    seen.unwrap_or_else(|error| {
        facts.push(CheckFact::NotSeen { problem: Problem::from_client(&error, &request.site.id) });
        Suggestion::Unclear
    })
}
