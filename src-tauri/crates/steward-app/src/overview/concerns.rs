//! What needs attention on a site, from the history, the deactivation log, and the last checks.
//!
//! [`Found::read`] reads it for all sites at once, and [`Found::of`] returns that of one, worst first.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;
use steward_core::access::checked_facts::find;
use steward_core::history::invitations::{self, SOON};
use steward_core::history::parameters::{COLLABORATION, COLLABORATION_NAME, GUEST_PORTAL, INVITATION};
use steward_core::history::record::History;
use steward_core::history::record_target::{is_entry_of, is_of};
use steward_core::history::{self, HistoryEntry};
use steward_core::model::checked::{CheckedInvitation, ComponentChecks};
use steward_core::model::deployment::Environment;
use steward_core::model::expiry::Expiry;
use steward_core::model::history_key::{HistoryKey, RUN_PLAN};
use steward_core::model::ids::{ServerId, SiteId};
use steward_core::model::numbers::{Millis, count};
use steward_core::model::operation::{Impact, Operation, OperationKey};
use steward_core::model::problem::Problem;
use steward_core::model::service_check::NotRunning;
use steward_core::model::site_proof::{ProofAbout, ProofLine, ProofState, SiteProofView, WhyOpen};
use steward_core::operations;
use steward_core::operations::refresh_invitation::unsaved_invitations::UnsavedInvitations;
use steward_core::sites::Site;
use steward_core::transfers::stored_file::given;
use steward_core::webhooks::deactivation_log::Compared;
use steward_journal::{Deactivation, DeactivationState, Filter, Intent, Outcome};
use steward_plans::plan::{BackupPlan, PlanId, runs_by_schedule};
use steward_plans::set::PartState;
use steward_plans::state::{NeedsYou, PlanState};

use crate::overview::components::{does_export, expected_by};
use crate::overview::expiries;
use crate::overview::recoverable::{
    DataStores, PartRecovery, Recoverability, RecoverablePart, RecoverableTo,
};

const HOUR: i64 = 60 * 60 * 1000;

/// Most services that are named; `count` has all of them.
const NAMED: usize = 10;

/// Something that needs attention.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Concern {
    /// Severity.
    pub tone: ConcernTone,
    /// Server; `null` for the portal or the whole site.
    pub server: Option<ServerId>,
    /// Time since when it needs attention, or time of expiration.
    pub at: Millis,
    /// What needs attention.
    pub about: ConcernAbout,
}

/// Severity of what needs attention, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ConcernTone {
    /// Something failed, does not run, or has expired.
    Failed,
    /// An outcome or a state is not known.
    Unknown,
    /// Something might fail, or be forgotten.
    Warnings,
}

/// What needs attention.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ConcernAbout {
    /// An operation failed, or its outcome is unknown.
    Record {
        /// History entry of the operation.
        entry: Box<HistoryEntry>,
        /// Number of earlier failures of the operation on the same component, about other subjects, for example other
        /// services.
        others: u32,
    },
    /// Services are set to run and do not.
    Services {
        /// Number of services.
        count: u32,
        /// The first of these services.
        services: Vec<NotRunning>,
        /// Time of the check.
        checked_at: Option<Millis>,
    },
    /// No user is signed in at a portal or server, although one is signed in at another component of the site.
    NotSignedIn {
        /// Time of the check.
        checked_at: Option<Millis>,
    },
    /// Webhooks are deactivated.
    Webhooks {
        /// Services of the entries of the deactivation log.
        services: Vec<String>,
        /// Names of the webhooks that are still to be reactivated, as far as they are known. A webhook of several
        /// entries is listed once.
        webhooks: Vec<String>,
        /// Whether the states are uncertain, because a deactivation received no response, or an import has an unknown
        /// outcome.
        is_uncertain: bool,
        /// Name of the user who deactivated webhooks last.
        by: String,
        /// Reason of that deactivation; may be empty.
        why: String,
        /// Time of the last comparison with the server; `null` if there was none.
        checked_at: Option<Millis>,
    },
    /// An invitation expires within a day, or has expired.
    Invitation {
        /// Name of the collaboration; may be empty.
        collaboration: String,
        /// URL of the invited portal; may be empty.
        guest: String,
        /// Time of expiration.
        expires_at: Millis,
        /// Time when the portal returned the invitation, or of its refresh.
        checked_at: Option<Millis>,
    },
    /// A backup plan requires an action of a user, or did not run.
    Plan {
        /// Plan.
        plan: PlanId,
        /// Name of the plan.
        name: String,
        /// State of the plan.
        state: PlanState,
    },
    /// Invitations were refreshed, and their files are not saved.
    UnsavedInvitations {
        /// Number of invitations.
        count: u32,
    },
    /// A license, certificate, or session expires within a week, or has expired.
    Expires {
        /// The license, certificate, or session, with its time of expiration.
        expiry: Box<Expiry>,
    },
    /// Parts of a production site cannot be restored from their exports.
    NotRecoverable {
        /// Those parts.
        parts: Vec<RecoverablePart>,
        /// Whether a backup plan exports the site.
        has_plan: bool,
    },
    /// No backup plan exports a production site, or these parts of it.
    NoPlan {
        /// Those parts; `null` for the portal.
        parts: Vec<Option<ServerId>>,
    },
    /// A production site has hosted layers, and its portal reports no backup of its data stores.
    NoDataBackup {
        /// Time of the check.
        checked_at: Option<Millis>,
    },
    /// The last check of the whole site found a part that is not as it should be.
    WholeSite {
        /// Lines with the worst state, except those that have a concern of their own: services, and missing sign-ins.
        lines: Vec<ProofAbout>,
    },
}

impl ConcernAbout {
    /// Returns the place among those of one tone: an operation of a user first.
    const fn rank(&self) -> u8 {
        match self {
            Self::Record { .. } => 0,
            Self::Services { .. } => 1,
            Self::WholeSite { .. } => 2,
            Self::NotSignedIn { .. } => 3,
            Self::Plan { .. } => 4,
            Self::Webhooks { .. } => 5,
            Self::Invitation { .. } => 6,
            Self::Expires { .. } => 7,
            Self::UnsavedInvitations { .. } => 8,
            Self::NotRecoverable { .. } => 9,
            Self::NoPlan { .. } => 10,
            Self::NoDataBackup { .. } => 11,
        }
    }
}

/// What needs attention on all sites, apart from what was checked.
pub(super) struct Found {
    /// Entries, each with the number of earlier ones about something else.
    unsolved: HashMap<SiteId, Vec<(HistoryEntry, u32)>>,
    deactivations: HashMap<SiteId, Vec<Deactivation>>,
    /// Last refresh of each invitation whose validity is not over for long.
    refreshed: HashMap<SiteId, Vec<Refreshed>>,
    unsaved: HashMap<SiteId, Vec<Millis>>,
}

/// A refreshed invitation.
struct Refreshed {
    at: Millis,
    invitation: CheckedInvitation,
    intent: Intent,
}

impl Found {
    /// Reads what the history and the files of the app have.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the history cannot be read.
    pub(super) async fn read(history: &History, unsaved: &UnsavedInvitations) -> Result<Self, Problem> {
        let now = Millis::now();
        let refreshes = invitations::refreshes(now);
        let imports = Filter {
            operation: Some(OperationKey::ImportPortal.name().to_owned()),
            outcomes: Vec::new(),
            ..refreshes.clone()
        };
        let (unsolved, deactivations, refreshes, imports) = history
            .journal(move |journal| {
                let changing = Operation::all().into_iter().filter(|one| one.impact != Impact::None);
                let changing: Vec<_> =
                    changing.map(|one| (one.key.name(), operations::subject(one.key))).collect();
                let unsolved = journal.unsolved(&changing)?;
                let deactivations = journal.open_deactivations()?;
                Ok((unsolved, deactivations, journal.records(&refreshes)?, journal.records(&imports)?))
            })
            .await?;
        let mut found = Self {
            unsolved: HashMap::new(),
            deactivations: HashMap::new(),
            refreshed: HashMap::new(),
            unsaved: unsaved.by_site(),
        };
        // Without runs of plans: their parts have records of their own, and their plans have a state.
        for one in unsolved.into_iter().filter(|one| one.record.intent.operation != RUN_PLAN) {
            let site = SiteId(one.record.intent.site.clone());
            if let Some(entry) = history::entry(history, one.record) {
                found.unsolved.entry(site).or_default().push((entry, one.others));
            }
        }
        for entry in deactivations {
            found.deactivations.entry(SiteId(entry.intent.site.clone())).or_default().push(entry);
        }
        for record in refreshes {
            let ended = record.ended_at.map(Millis).zip(invitations::expires_at(&record));
            // An invitation that expired more than an hour ago is known from a check only.
            let Some((at, expires_at)) = ended.filter(|(_, end)| end.0 > now.0 - HOUR) else { continue };
            // An import of the portal replaced its invitations since.
            let is_replaced = imports.iter().any(|import| {
                import.intent.site == record.intent.site
                    && import.outcome != Outcome::NotSent
                    && import.ended_at.is_none_or(|ended| ended >= at.0)
            });
            if is_replaced {
                continue;
            }
            let given = |name: &str| given(&record.intent.parameters, name).unwrap_or_default();
            let invitation = CheckedInvitation {
                collaboration_id: given(COLLABORATION),
                collaboration: given(COLLABORATION_NAME),
                invitation_id: given(INVITATION),
                guest: given(GUEST_PORTAL),
                expires_at,
            };
            let refreshed = Refreshed { at, invitation, intent: record.intent };
            found.refreshed.entry(SiteId(refreshed.intent.site.clone())).or_default().push(refreshed);
        }
        Ok(found)
    }

    /// Returns what needs attention on a site: the worst first, and the latest first within one kind.
    pub(super) fn of(
        &self,
        site: &Site,
        checks: &[ComponentChecks],
        plans: &[(BackupPlan, PlanState)],
        expiries: &[Expiry],
        recoverable: &Recoverability,
        proof: Option<&SiteProofView>,
    ) -> Vec<Concern> {
        let now = Millis::now();
        let mut concerns = self.records(site);
        concerns.extend(plans.iter().filter_map(of_plan));
        concerns.extend(checked(site, checks));
        concerns.extend(self.webhooks(site, checks));
        concerns.extend(self.invitations(site, checks, now));
        concerns.extend(expiries::concerning(expiries, plans, now).cloned().map(of_expiry));
        if let Some(unsaved) = self.unsaved.get(&site.id)
            && let Some(at) = unsaved.iter().copied().max()
        {
            let about = ConcernAbout::UnsavedInvitations { count: count(unsaved.len()) };
            concerns.push(Concern { tone: ConcernTone::Warnings, server: None, at, about });
        }
        let of_recoverability = of_recoverability(site, plans, recoverable).into_iter();
        concerns.extend(of_recoverability.map(|about| Concern {
            tone: ConcernTone::Warnings,
            server: None,
            at: now,
            about,
        }));
        concerns.extend(proof.and_then(of_proof));
        concerns.sort_by_key(|concern| (concern.tone, concern.about.rank(), std::cmp::Reverse(concern.at.0)));
        concerns
    }

    fn records(&self, site: &Site) -> Vec<Concern> {
        let unsolved = self.unsolved.get(&site.id).into_iter().flatten();
        let concern = |(entry, others): &(HistoryEntry, u32)| {
            let tone = match entry.outcome {
                Outcome::Failed => ConcernTone::Failed,
                _ => ConcernTone::Unknown,
            };
            let (server, at) = (entry.server.clone(), entry.started_at);
            let about = ConcernAbout::Record { entry: Box::new(entry.clone()), others: *others };
            Concern { tone, server, at, about }
        };
        unsolved.map(concern).filter(|concern| is_there(site, concern)).collect()
    }

    /// Returns the webhooks that are deactivated, those of one server together.
    fn webhooks(&self, site: &Site, checks: &[ComponentChecks]) -> Vec<Concern> {
        let compared = Compared::of(std::slice::from_ref(site), checks);
        let components = site.components();
        let is_saved = |entry: &&Deactivation| components.iter().any(|one| is_entry_of(one, entry));
        let mut by_server = BTreeMap::<Option<String>, Vec<&Deactivation>>::new();
        for entry in self.deactivations.get(&site.id).into_iter().flatten().filter(is_saved) {
            let server = entry.server.clone().filter(|server| !server.is_empty());
            by_server.entry(server).or_default().push(entry);
        }
        let concern = |(server, entries): (Option<String>, Vec<&Deactivation>)| {
            let server = server.map(ServerId);
            let component = components.iter().find(|one| one.target().server == server);
            let checked_at = component.and_then(|component| find(checks, component));
            let checked_at = checked_at.and_then(|checks| checks.reactivated.checked_at);
            let open: Vec<_> =
                entries.into_iter().filter(|entry| !compared.has_nothing_left(entry)).collect();
            let last = open.iter().max_by_key(|entry| entry.intent.deactivated_at)?;
            let at = Millis(last.intent.deactivated_at);
            // A comparison before the last deactivation does not show its state.
            let checked_at = checked_at.filter(|checked| *checked >= at);
            let known_at = checked_at.unwrap_or(at);
            let mut services: Vec<_> = open.iter().map(|entry| entry.intent.service.clone()).collect();
            services.sort_unstable();
            services.dedup();
            let mut seen = HashSet::new();
            let mut webhooks = Vec::new();
            for entry in &open {
                for one in compared.left(entry).into_iter().flatten() {
                    if seen.insert((&entry.intent.service, &one.id)) {
                        webhooks.push(one.name.clone());
                    }
                }
            }
            let about = ConcernAbout::Webhooks {
                services,
                webhooks,
                is_uncertain: open.iter().any(|entry| entry.state != DeactivationState::Deactivated)
                    || self.might_be_imported(site, server.as_ref(), known_at),
                by: last.intent.by.clone(),
                why: last.intent.why.clone(),
                checked_at,
            };
            Some(Concern { tone: ConcernTone::Warnings, server, at, about })
        };
        by_server.into_iter().filter_map(concern).collect()
    }

    /// Returns whether an import, which can change webhooks, might have been processed by a server since then.
    fn might_be_imported(&self, site: &Site, server: Option<&ServerId>, since: Millis) -> bool {
        let is_import = |entry: &HistoryEntry| {
            matches!(entry.operation, HistoryKey::Operation(OperationKey::ImportServer))
                && entry.outcome == Outcome::Unknown
                && entry.server.as_ref() == server
                // Without an end, the program ended before the response: it might have been processed at any time.
                && entry.ended_at.is_none_or(|ended| ended > since)
        };
        self.unsolved.get(&site.id).into_iter().flatten().any(|(entry, _)| is_import(entry))
    }

    /// Returns the invitations that expire soon or have expired: as the portal returned them, or as they were refreshed
    /// since.
    fn invitations(&self, site: &Site, checks: &[ComponentChecks], now: Millis) -> Vec<Concern> {
        let components = site.components();
        let portal = components.iter().find(|one| one.server().is_none());
        let checked = portal.and_then(|portal| find(checks, portal));
        let checked = checked.map(|checks| checks.invitations.clone()).unwrap_or_default();
        let mut all = BTreeMap::new();
        let key = |one: &CheckedInvitation| (one.collaboration_id.clone(), one.invitation_id.clone());
        for one in checked.value.into_iter().flatten() {
            all.insert(key(&one), (one, checked.checked_at));
        }
        // The newest first: an earlier refresh of the same invitation is obsolete.
        for Refreshed { at, invitation, intent } in self.refreshed.get(&site.id).into_iter().flatten().rev() {
            let is_here = portal.is_some_and(|portal| is_of(portal, intent));
            if is_here && checked.checked_at.is_none_or(|checked| *at > checked) {
                all.insert(key(invitation), (invitation.clone(), Some(*at)));
            }
        }
        let soon = all.into_values().filter(|(one, _)| one.expires_at.0 - SOON <= now.0);
        soon.map(|(one, checked_at)| {
            let is_expired = one.expires_at <= now;
            Concern {
                tone: if is_expired { ConcernTone::Failed } else { ConcernTone::Warnings },
                server: None,
                at: one.expires_at,
                about: ConcernAbout::Invitation {
                    collaboration: one.collaboration,
                    guest: one.guest,
                    expires_at: one.expires_at,
                    checked_at,
                },
            }
        })
        .collect()
    }
}

/// Returns whether the server of a concern is still part of the site: what was sent to another one can neither be
/// repeated nor taken back.
fn is_there(site: &Site, concern: &Concern) -> bool {
    concern.server.as_ref().is_none_or(|server| site.servers.iter().any(|one| one.id == *server))
}

/// Returns what needs attention of a plan; `None` if nothing does.
fn of_plan((plan, state): &(BackupPlan, PlanState)) -> Option<Concern> {
    let (at, server, tone) = match state {
        PlanState::Paused | PlanState::New | PlanState::Verified { .. } => return None,
        PlanState::DidNotRun { since } => (since, None, ConcernTone::Failed),
        PlanState::NeedsYou { since, reason } => match reason {
            NeedsYou::NoSet { .. } | NeedsYou::NotAccepted { .. } | NeedsYou::NoSite => {
                (since, None, ConcernTone::Failed)
            }
            NeedsYou::SignIn { server } => (since, server.clone(), ConcernTone::Failed),
            NeedsYou::SessionEnds { end } => (since, end.server.clone(), ConcernTone::Warnings),
            NeedsYou::Small { server, .. } => (since, server.clone(), ConcernTone::Warnings),
            NeedsYou::NotRemoved { .. } => (since, None, ConcernTone::Warnings),
            NeedsYou::Rehearse { server, .. } => (since, server.clone(), ConcernTone::Warnings),
            NeedsYou::Part { server, state, .. } => {
                let tone = match state {
                    PartState::Unknown | PartState::Waiting | PartState::Running => ConcernTone::Unknown,
                    PartState::Skipped { .. } => ConcernTone::Warnings,
                    PartState::VerifiedHere
                    | PartState::OnSite { .. }
                    | PartState::Unrecognized { .. }
                    | PartState::Failed { .. } => ConcernTone::Failed,
                };
                (since, server.clone(), tone)
            }
        },
    };
    let about = ConcernAbout::Plan { plan: plan.id.clone(), name: plan.name.clone(), state: state.clone() };
    Some(Concern { tone, server, at: *at, about })
}

/// Returns what a production site lacks to be recoverable: verified exports, or else a plan that makes them, and a
/// backup of its data stores.
fn of_recoverability(
    site: &Site,
    plans: &[(BackupPlan, PlanState)],
    recoverable: &Recoverability,
) -> Vec<ConcernAbout> {
    if site.environment != Environment::Production || recoverable.to == RecoverableTo::NotOffered {
        return Vec::new();
    }
    // Where a plan exports the part, the state of the plan shows that the file is not verified on this computer.
    let is_open = |part: &RecoverablePart| {
        part.is_lost()
            || part.state == PartRecovery::NotVerified
                && expected_by(plans, part.server.as_ref(), part.at).is_none()
    };
    let parts: Vec<_> = recoverable.parts.iter().filter(|part| is_open(part)).cloned().collect();
    let has_plan = plans.iter().any(|(plan, _)| runs_by_schedule(plan));
    let has_no_plan =
        |part: &&RecoverablePart| !plans.iter().any(|(plan, _)| does_export(plan, part.server.as_ref()));
    let without_plan = recoverable.parts.iter().filter(has_no_plan).map(|part| part.server.clone());
    let without_plan: Vec<_> = without_plan.collect();
    // Parts that are lost are told to be without a plan if there is none.
    let is_told = !has_plan && !parts.is_empty();
    let of_plans =
        (!without_plan.is_empty() && !is_told).then_some(ConcernAbout::NoPlan { parts: without_plan });
    let of_exports = (!parts.is_empty()).then_some(ConcernAbout::NotRecoverable { parts, has_plan });
    let of_data = match recoverable.data_stores {
        DataStores::Missing { checked_at } => Some(ConcernAbout::NoDataBackup { checked_at }),
        _ => None,
    };
    of_exports.into_iter().chain(of_plans).chain(of_data).collect()
}

/// Returns what the last check of the whole site found; `None` if nothing needs attention but services and sign-ins,
/// which are told by themselves.
fn of_proof(view: &SiteProofView) -> Option<Concern> {
    let proof = view.proof.as_ref()?;
    let is_told = |line: &&ProofLine| {
        line.about == ProofAbout::Services && line.state == ProofState::Wrong
            || line.open.iter().all(|part| part.why == WhyOpen::SignIn) && !line.open.is_empty()
    };
    let open = || proof.lines.iter().filter(|line| line.state != ProofState::Done && !is_told(line));
    let state = open().map(|line| line.state).max()?;
    let tone = match state {
        ProofState::Done => return None,
        ProofState::NotYet => ConcernTone::Warnings,
        ProofState::NotKnown => ConcernTone::Unknown,
        ProofState::Wrong => ConcernTone::Failed,
    };
    let lines = open().filter(|line| line.state == state).map(|line| line.about).collect();
    Some(Concern { tone, server: None, at: proof.checked_at, about: ConcernAbout::WholeSite { lines } })
}

fn of_expiry(expiry: Expiry) -> Concern {
    let tone = if expiry.is_over { ConcernTone::Failed } else { ConcernTone::Warnings };
    let (server, at) = (expiry.server.clone(), expiry.at);
    Concern { tone, server, at, about: ConcernAbout::Expires { expiry: Box::new(expiry) } }
}

/// Returns the services that do not run, and the components where no user is signed in, by the last checks.
fn checked(site: &Site, checks: &[ComponentChecks]) -> Vec<Concern> {
    let components = site.components();
    let checks: Vec<_> = components.iter().filter_map(|component| find(checks, component)).collect();
    let signed_in = |checks: &&&ComponentChecks| {
        checks.session.value.as_ref().is_some_and(|session| session.username.is_some())
    };
    let is_signed_in = checks.iter().filter(signed_in).count() > 0;
    let mut concerns = Vec::new();
    for checks in checks {
        let mut concern = |at, about| {
            let server = checks.target.server.clone();
            concerns.push(Concern { tone: ConcernTone::Failed, server, at, about });
        };
        let mut do_not_run = |at, count, not_running: &[NotRunning]| {
            if !not_running.is_empty() {
                let services = not_running.iter().take(NAMED).cloned().collect();
                concern(at, ConcernAbout::Services { count, services, checked_at: Some(at) });
            }
        };
        if let Some(services) = &checks.services.value {
            do_not_run(services.checked_at, services.failed(), &services.not_running);
            if let Some(earlier) = &services.earlier {
                do_not_run(earlier.checked_at, count(earlier.not_running.len()), &earlier.not_running);
            }
        }
        if let Some(session) = &checks.session.value
            && session.username.is_none()
            && is_signed_in
        {
            concern(session.since, ConcernAbout::NotSignedIn { checked_at: checks.session.checked_at });
        }
    }
    concerns
}
