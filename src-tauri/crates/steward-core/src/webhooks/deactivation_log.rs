//! The deactivation log: deactivated services, and which of their webhooks were active before.
//!
//! [`entries`] lists the entries, [`compare`] compares them with the site, and [`resolve`] marks one as resolved.
//! `Compared::left` alone decides which webhooks an entry still has to reactivate: pages, buttons and notes ask it.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::future::Future;
use std::mem;

use serde::{Deserialize, Serialize};
use steward_client::webhooks::{ServiceWebhook, ServiceWebhooks};
use steward_journal::{DeactivatedWebhook, Deactivation, DeactivationState, Journal, NewDeactivation};

use crate::access::Access;
use crate::access::checked_facts::find;
use crate::execution::Execution;
use crate::history::record::History;
use crate::history::record_target::{in_all_sites, is_entry_of};
use crate::model::checked::{ActiveAgain, Checked, ComponentChecks, LoggedWebhook};
use crate::model::ids::{RecordId, ServerId, SiteId, Target};
use crate::model::numbers::{Millis, count};
use crate::model::operation::Component;
use crate::model::problem::{PreconditionFailure, Problem};
use crate::site_context::SiteContext;
use crate::sites::{Site, TargetSite};

/// Identifier of an entry of the deactivation log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct DeactivationId(pub String);

/// An entry of the deactivation log, as shown in the window.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeactivationView {
    /// Identifier of the entry.
    pub id: DeactivationId,
    /// Site of the service.
    pub site: SiteId,
    /// Server of the service; `null` if the history does not name it.
    pub server: Option<ServerId>,
    /// Record of the deactivation.
    pub record: RecordId,
    /// Path of the service.
    pub service: String,
    /// Time since which the webhooks are inactive: that of the deactivation, or of the undo of an import that made them
    /// inactive again.
    pub deactivated_at: Millis,
    /// Name of the user who deactivated them at that time.
    pub by: String,
    /// Reason; may be empty.
    pub why: String,
    /// Whether the response to the deactivation was received.
    pub known: bool,
    /// Names of the webhooks that were active; `null` if the site did not return them.
    pub active: Option<Vec<String>>,
    /// Identifiers of these webhooks, in the same order.
    pub active_ids: Option<Vec<String>>,
    /// Those of these webhooks that are still to be reactivated, by the last comparison with the server and later
    /// reactivations; `null` if the site did not return the active webhooks.
    pub left: Option<Vec<LoggedWebhook>>,
    /// Names of the webhooks of an open entry that are active on the server, by the same comparison. If its webhooks
    /// are not known, names of all active webhooks of the service.
    pub active_again: Vec<String>,
    /// Time of the reminder; `null` for none.
    pub remind_at: Option<Millis>,
    /// Time of the reactivation, or when it was marked as resolved; `null` if the entry is open.
    pub resolved_at: Option<Millis>,
    /// Name of the user who reactivated or resolved it; `null` if the entry is open.
    pub restored_by: Option<String>,
    /// Whether a user marked it as resolved, without a request.
    pub by_hand: bool,
}

/// A server of a site, and what the last comparison with it showed.
type Comparison = (TargetSite, Checked<Vec<ActiveAgain>>);

/// Webhooks of open entries that the last comparison with each server found active, by the identifier of the entry.
pub struct Compared(HashMap<String, Vec<LoggedWebhook>>);

impl Compared {
    /// Returns the last comparisons with the servers of `sites`.
    pub fn of(sites: &[Site], checks: &[ComponentChecks]) -> Self {
        let components: Vec<_> = sites.iter().flat_map(Site::components).collect();
        let checks = components.iter().filter_map(|component| find(checks, component));
        let again = checks.filter_map(|checks| checks.reactivated.value.as_ref()).flatten();
        Self(again.map(|one| (one.entry.clone(), one.webhooks.clone())).collect())
    }

    /// Returns the last comparisons with the servers of all saved sites.
    fn known(access: &Access) -> Self {
        Self::of(&access.sites.all(), &access.checked.all())
    }

    /// Returns the webhooks of an entry that are active on the site.
    fn active(&self, entry: &Deactivation) -> &[LoggedWebhook] {
        self.0.get(&entry.id).map_or(&[], Vec::as_slice)
    }

    /// Returns the webhooks that an entry still has to reactivate; `None` if its webhooks are not known.
    pub fn left<'a>(&self, entry: &'a Deactivation) -> Option<Vec<&'a DeactivatedWebhook>> {
        let was_active = entry.intent.active.as_ref()?;
        let now = self.active(entry);
        let is_left = |one: &&DeactivatedWebhook| {
            entry.resolved_at.is_none() && now.iter().all(|again| again.id != one.id)
        };
        Some(was_active.iter().filter(is_left).collect())
    }

    /// Returns whether an entry has nothing to reactivate: all of its webhooks are active on the site, or none was before.
    pub fn has_nothing_left(&self, entry: &Deactivation) -> bool {
        self.left(entry).is_some_and(|left| left.is_empty())
    }
}

/// Returns the entries of a site, or of all sites, newest first: those of servers that are saved, at the URL of then.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn entries(context: &SiteContext, site: Option<&SiteId>) -> Result<Vec<DeactivationView>, Problem> {
    let site = site.map(|site| site.0.clone());
    let entries = context.history.journal(move |journal| journal.deactivations(site.as_deref())).await?;
    let compared = Compared::known(&context.access);
    let saved: Vec<_> = context.access.sites.all().iter().flat_map(Site::components).collect();
    let entries = entries.into_iter().filter(|entry| saved.iter().any(|one| is_entry_of(one, entry)));
    Ok(entries.map(|entry| view(entry, &compared)).collect())
}

/// Returns the number of webhooks that the open entries of a deactivation still have to reactivate, when the first was
/// deactivated, and whether the site confirmed each; `None` if there is none, or the log cannot be read.
pub(crate) async fn left_of(context: &SiteContext, record: &RecordId) -> Option<(u32, Millis, bool)> {
    let entries = context.history.journal(|journal| journal.deactivations(None)).await.ok()?;
    let open = entries.iter().filter(|entry| entry.intent.record == record.0 && entry.resolved_at.is_none());
    let open: Vec<_> = open.collect();
    let compared = Compared::known(&context.access);
    let left = open.iter().filter_map(|entry| compared.left(entry)).map(|left| left.len()).sum();
    let since = open.iter().map(|entry| entry.intent.deactivated_at).min()?;
    let are_confirmed = open.iter().all(|entry| entry.state == DeactivationState::Deactivated);
    (left > 0).then(|| (count(left), Millis(since), are_confirmed))
}

/// Notes which webhooks of an entry a reactivation found or made active, so that each page counts those that are left.
pub(super) fn note_active(
    context: &SiteContext,
    site: &TargetSite,
    entry: &str,
    webhooks: Vec<LoggedWebhook>,
) {
    if webhooks.is_empty() {
        return;
    }
    context.access.note_checked(site, |checks| {
        let again = checks.reactivated.value.get_or_insert_default();
        let before = again.iter().position(|one| one.entry == entry).map(|at| again.remove(at).webhooks);
        let before = before.unwrap_or_default().into_iter();
        let before = before.filter(|old| webhooks.iter().all(|new| new.id != old.id)).collect::<Vec<_>>();
        let webhooks = before.into_iter().chain(webhooks).collect();
        again.push(ActiveAgain { entry: entry.to_owned(), webhooks });
    });
}

/// Writes the intent of the deactivation, and adds a service with its active webhooks to the log, on disk. Returns the
/// identifier of the entry.
pub(crate) async fn intend(
    history: &History,
    execution: &Execution<'_>,
    service: &str,
    why: &str,
    active: Option<Vec<ServiceWebhook>>,
) -> Result<String, Problem> {
    execution.record().await?;
    let active = active.filter(|webhooks| is_known(webhooks)).map(|webhooks| {
        let active = webhooks.into_iter().filter(|webhook| webhook.active == Some(true));
        active
            .map(|webhook| DeactivatedWebhook {
                origin: webhook.receiver,
                id: webhook.id,
                name: webhook.name,
            })
            .collect()
    });
    let deactivation = NewDeactivation {
        record: execution.record_id().map(|record| record.0).unwrap_or_default(),
        site: execution.site.id.0.clone(),
        service: service.to_owned(),
        deactivated_at: Millis::now().0,
        by: execution.known.username_at(Component::Server).to_owned(),
        why: why.to_owned(),
        active,
    };
    history.must_record(move |journal| journal.begin_deactivation(&deactivation)).await
}

/// Returns whether it is known which webhooks are active: each has a state, and an identifier of its own. Otherwise,
/// another webhook could be activated in place of one.
pub(super) fn is_known(webhooks: &[ServiceWebhook]) -> bool {
    let mut ids = HashSet::from([""]);
    webhooks.iter().all(|webhook| webhook.active.is_some() && ids.insert(&webhook.id))
}

/// Marks an entry as deactivated, after the response of the site.
pub(crate) async fn answered(history: &History, entry: String) {
    history.write_until_done(move |journal| journal.confirm_deactivation(&entry)).await;
}

/// Removes an entry, after the site rejected the request.
pub(crate) async fn rejected(history: &History, entry: String) {
    history.write_until_done(move |journal| journal.discard_deactivation(&entry)).await;
}

/// Opens the closed entries of a deactivation again, on disk, before a request that makes their webhooks inactive once more: from
/// now on, and by its user. Returns them as they were.
pub(crate) async fn reopen(
    execution: &Execution<'_>,
    record: &RecordId,
) -> Result<Vec<Deactivation>, Problem> {
    let (context, record) = (execution.context, record.0.clone());
    let (by, at) = (execution.known.username_at(Component::Server).to_owned(), Millis::now().0);
    let closed = context.history.must_record(move |journal| {
        // Another saved site of the server can have deactivated them.
        let mut closed = journal.deactivations(None)?;
        closed.retain(|entry| entry.intent.record == record && entry.resolved_at.is_some());
        closed.iter().try_for_each(|entry| journal.reopen_deactivation(&entry.id, &by, at))?;
        Ok(closed)
    });
    closed.await
}

/// Forgets what the last comparison with a server showed, before an import, which replaces its webhooks. Returns it, for each site
/// that the server is saved in.
pub(crate) fn forget_comparison(access: &Access, server: &TargetSite) -> Vec<Comparison> {
    let forget = |server: TargetSite| {
        let mut before = Checked::default();
        access.note_checked(&server, |checks| before = mem::take(&mut checks.reactivated));
        (server, before)
    };
    in_all_sites(&access.sites, server).into_iter().map(forget).collect()
}

/// Stores comparisons again that [`forget_comparison`] removed, after the request had no effect.
pub(crate) fn restore_comparison(access: &Access, before: Vec<Comparison>) {
    for (server, before) in before {
        access.note_checked(&server, |checks| checks.reactivated = before);
    }
}

/// Compares the open entries of all sites that a server is saved in, as [`compare`] does.
pub(crate) async fn compare_in_all_sites(context: &SiteContext, server: &TargetSite) {
    for server in in_all_sites(&context.access.sites, server) {
        if let Err(problem) = compare(context, &server.target()).await {
            tracing::warn!(?problem, "the deactivation log is not compared after an import");
        }
    }
}

/// Closes entries again that [`reopen`] opened, after the request had no effect.
pub(crate) async fn close_again(history: &History, closed: Vec<Deactivation>) {
    let write =
        move |journal: &Journal| closed.iter().try_for_each(|entry| journal.close_deactivation_again(entry));
    history.write_until_done(write).await;
}

/// Closes those entries again that [`reopen`] opened and whose webhooks the comparison after the import found active.
pub(crate) async fn close_those_active(context: &SiteContext, reopened: Vec<Deactivation>) {
    let compared = Compared::known(&context.access);
    let is_active = |entry: &Deactivation| {
        compared.has_nothing_left(&Deactivation { resolved_at: None, ..entry.clone() })
    };
    let active: Vec<_> = reopened.into_iter().filter(is_active).collect();
    if !active.is_empty() {
        close_again(&context.history, active).await;
    }
}

/// Marks the last entry of a record as unknown, after a missing response.
pub(crate) async fn lost(history: &History, record: Option<RecordId>) {
    let Some(record) = record else { return };
    write_after_response(history.journal(move |journal| journal.mark_deactivation_unknown(&record.0))).await;
}

/// Writes to the log after a response. A failure is only logged: it must not hide the response, and the entry remains
/// unchanged. Returns whether it was written.
pub(super) async fn write_after_response(writing: impl Future<Output = Result<(), Problem>>) -> bool {
    let written = writing.await;
    if let Err(problem) = &written {
        tracing::error!(?problem, "cannot write the deactivation log");
    }
    written.is_ok()
}

/// Compares the open entries of a site with one of its servers, and returns the log as [`entries`] does. Webhooks that are
/// active were activated on the server, or by an import. Of a service whose webhooks are not listed, nothing is known.
///
/// # Errors
/// - [`Problem::Unexpected`] if the site is not saved, or the journal cannot be read.
/// - Those of [`Access::server`](crate::access::Access::server).
pub async fn compare(context: &SiteContext, target: &Target) -> Result<Vec<DeactivationView>, Problem> {
    let saved = context.access.sites.at(target)?;
    let compared = compare_entries(context, &saved).await;
    context.access.note_checked(&saved, |checks| match &compared {
        Ok(found) => checks.reactivated.returned(Some(found.clone())),
        Err(_) => checks.reactivated.failed(),
    });
    compared?;
    entries(context, Some(&saved.id)).await
}

async fn compare_entries(context: &SiteContext, saved: &TargetSite) -> Result<Vec<ActiveAgain>, Problem> {
    let id = saved.id.0.clone();
    let entries = context.history.journal(move |journal| journal.deactivations(Some(&id))).await?;
    let is_here = |entry: &Deactivation| entry.resolved_at.is_none() && is_entry_of(saved, entry);
    let open: Vec<_> = entries.into_iter().filter(is_here).collect();
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let server = context.access.server(saved).await?;
    let services: BTreeSet<_> = open.iter().map(|entry| entry.intent.service.clone()).collect();
    let mut listed = HashMap::new();
    for service in services {
        // One after the other: this is a part of the check of a site, which reads two components at once.
        if let Ok(webhooks) = ServiceWebhooks::at(&service).list(&server).await {
            listed.insert(service, webhooks);
        }
    }
    let mut found = Vec::new();
    for entry in &open {
        let Some(now) = listed.get(&entry.intent.service) else { continue };
        let is_meant = |webhook: &&ServiceWebhook| match &entry.intent.active {
            Some(active) => active.iter().any(|one| one.id == webhook.id),
            None => true,
        };
        let active = now.iter().filter(|webhook| webhook.active == Some(true)).filter(is_meant);
        let logged =
            |webhook: &ServiceWebhook| LoggedWebhook { id: webhook.id.clone(), name: webhook.name.clone() };
        let webhooks: Vec<_> = active.map(logged).collect();
        if !webhooks.is_empty() {
            found.push(ActiveAgain { entry: entry.id.clone(), webhooks });
        }
    }
    Ok(found)
}

/// Sets the time of the reminder for an entry; `None` for none.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be written.
pub async fn remind(history: &History, entry: DeactivationId, at: Option<Millis>) -> Result<(), Problem> {
    history.journal(move |journal| journal.set_deactivation_reminder(&entry.0, at.map(|at| at.0))).await
}

/// Marks an entry as resolved: its webhooks were activated on the server, or stay deactivated. Nothing is sent.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the entry is closed.
/// - [`Problem::Unexpected`] if the entry belongs to another site, the site is not saved, or the journal cannot be
///   written.
pub async fn resolve(context: &SiteContext, site: &SiteId, entry: DeactivationId) -> Result<(), Problem> {
    let site = &context.access.sites.get(site)?;
    // First: the keyring might wait for the user, and the entry be closed meanwhile.
    let by = context.access.signed_in_user(site).await;
    let id = entry.0.clone();
    let deactivation = context.history.journal(move |journal| journal.deactivation(&id)).await?;
    if deactivation.resolved_at.is_some() {
        return Err(Problem::precondition_failed(PreconditionFailure::RestoredAlready));
    }
    if deactivation.intent.site != site.id.0 {
        let message = format!("{} was not deactivated on this site", deactivation.intent.service);
        return Err(Problem::Unexpected { message });
    }
    let at = Millis::now().0;
    context.history.journal(move |journal| journal.resolve_deactivation(&entry.0, &by, at)).await
}

fn view(entry: Deactivation, compared: &Compared) -> DeactivationView {
    let logged = |one: &DeactivatedWebhook| LoggedWebhook { id: one.id.clone(), name: one.name.clone() };
    let left = compared.left(&entry).map(|left| left.into_iter().map(logged).collect());
    let active_again = match entry.resolved_at {
        None => compared.active(&entry).iter().map(|webhook| webhook.name.clone()).collect(),
        Some(_) => Vec::new(),
    };
    let intent = entry.intent;
    let active_ids =
        intent.active.as_ref().map(|active| active.iter().map(|webhook| webhook.id.clone()).collect());
    DeactivationView {
        id: DeactivationId(entry.id),
        record: RecordId(intent.record),
        site: SiteId(intent.site),
        server: entry.server.filter(|server| !server.is_empty()).map(ServerId),
        service: intent.service,
        deactivated_at: Millis(intent.deactivated_at),
        by: intent.by,
        why: intent.why,
        known: matches!(entry.state, DeactivationState::Deactivated | DeactivationState::ResolvedByHand),
        by_hand: entry.state == DeactivationState::ResolvedByHand,
        active: intent.active.map(|active| active.into_iter().map(|webhook| webhook.name).collect()),
        active_ids,
        left,
        active_again,
        remind_at: entry.remind_at.map(Millis),
        resolved_at: entry.resolved_at.map(Millis),
        restored_by: entry.resolved_by,
    }
}
