//! Collects the facts for the [acceptance list](super::acceptance) of a plan. Sends nothing: sessions are judged by the
//! keyring, and versions by the last check. A trial file is written to the folder of the plan, and removed.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use steward_client::{OperationKey, Version};
use steward_core::access::Access;
use steward_core::access::checked_facts::find;
use steward_core::access::token_expiry::took_before;
use steward_core::files::can_write_in;
use steward_core::model::checked::{CheckedSession, ComponentChecks};
use steward_core::model::ids::{ServerId, SiteId, Target, TokenFor};
use steward_core::model::keyring_state::KeyringState;
use steward_core::model::numbers::{Bytes, Millis};
use steward_core::model::problem::{self, Problem};
use steward_core::model::unavailable_reason::UnavailableReason;
use steward_core::settings::policy::Policy;
use steward_core::site_context::SiteContext;
use steward_core::sites::availability::{SiteFacts, availability};
use steward_core::sites::{Site, TargetSite};

use super::acceptance::{AcceptanceFacts, FolderFacts, PartFacts, judge};
use super::acceptance_line::{AcceptanceLine, FolderFault, PlanSession};
use super::drive::{LOOK, within};
use super::mark::{self, Marked};
use super::plan::{BackupPlan, PlanPart, runs_by_schedule};
use super::plan_folder;
use super::set::Verdict;

/// Names of folders that other programs synchronize, or their beginning, in lower case.
const SYNCHRONIZED: [&str; 5] = ["onedrive", "dropbox", "icloud", "mobile documents", "cloudstorage"];

/// Returns the acceptance list of a plan as if it was enabled. `sets_in` is as of [`mark::is_missing`].
///
/// # Errors
/// [`Problem::Unexpected`] if its site is not saved.
pub(crate) async fn when_enabled(
    context: &SiteContext,
    policy: &Policy,
    plan: &BackupPlan,
    sets_in: Option<&Marked>,
) -> Result<Vec<AcceptanceLine>, Problem> {
    let enabled = BackupPlan { is_enabled: true, ..plan.clone() };
    let interval = || plan.schedule.longest_interval().unwrap_or_default();
    let unattended = runs_by_schedule(&enabled).then(interval);
    Ok(judge(&collect(context, policy, plan, (sets_in, unattended)).await?))
}

/// Returns the facts of a plan whose run begins now. `sets_in` is as of [`mark::is_missing`].
///
/// # Errors
/// [`Problem::Unexpected`] if its site is not saved.
pub(crate) async fn before_run(
    context: &SiteContext,
    policy: &Policy,
    plan: &BackupPlan,
    sets_in: Option<&Marked>,
) -> Result<AcceptanceFacts, Problem> {
    let unattended = runs_by_schedule(plan).then_some(SignedDuration::ZERO);
    collect(context, policy, plan, (sets_in, unattended)).await
}

async fn collect(
    context: &SiteContext,
    policy: &Policy,
    plan: &BackupPlan,
    (sets_in, unattended): (Option<&Marked>, Option<SignedDuration>),
) -> Result<AcceptanceFacts, Problem> {
    let site = context.access.sites.get(&plan.site)?;
    Ok(AcceptanceFacts {
        now: Timestamp::now(),
        unattended,
        parts: parts(context, plan).await,
        folder: folder_facts(policy, plan, sets_in).await,
        is_read_only: site.read_only,
        keeps_portal_files: plan.parts.iter().any(|part| matches!(part, PlanPart::Portal { .. })),
        keeps_uploads: !plan.delete_stored && plan.servers().next().is_some(),
    })
}

/// Returns what is known of the parts of a plan. Servers that are no longer saved are left out: the form, or the run,
/// reports them.
pub(crate) async fn parts(context: &SiteContext, plan: &BackupPlan) -> Vec<PartFacts> {
    let mut sessions =
        Sessions { access: &context.access, checks: context.access.checked.all(), failed: None };
    let mut parts = Vec::new();
    for part in &plan.parts {
        let target = Target { site: plan.site.clone(), server: part.server().cloned() };
        if let Ok(component) = context.access.sites.at(&target) {
            parts.push(part_facts(context, &mut sessions, &component).await);
        }
    }
    parts
}

async fn part_facts(context: &SiteContext, sessions: &mut Sessions<'_>, component: &TargetSite) -> PartFacts {
    let (signs_in_at, session) = sessions.of(component).await;
    let version = find(&sessions.checks, component).and_then(|checks| checks.version.value.as_deref());
    let version = version.and_then(Version::parse);
    let (export, known) = match component.server() {
        None => (OperationKey::ExportPortal, SiteFacts { portal_version: version, ..SiteFacts::default() }),
        Some(_) => {
            (OperationKey::ExportServer, SiteFacts { server_version: version, ..SiteFacts::default() })
        }
    };
    let of_export = availability(component, &known).into_iter().filter(|one| one.operation == export);
    PartFacts {
        server: component.target().server,
        signs_in_at,
        session,
        version,
        // The privileges of the user are judged by the site during the run.
        unavailable: of_export
            .flat_map(|one| one.reasons)
            .find(|reason| !matches!(reason, UnavailableReason::Role { .. })),
        longest: took_before(&context.history, component, export).await,
    }
}

/// Sessions of a site, as stored in the keyring.
struct Sessions<'a> {
    access: &'a Access,
    checks: Vec<ComponentChecks>,
    /// State of a keyring that could not be read. It is not read again, because each attempt might show a dialog.
    failed: Option<KeyringState>,
}

impl Sessions<'_> {
    /// Returns the session of a component, and where it begins: at a server, or at the portal for `None`.
    async fn of(&mut self, component: &TargetSite) -> (Option<ServerId>, PlanSession) {
        let server = component.target().server.filter(|_| !component.has_own_administration());
        if server.is_none() {
            return (None, self.stored(component, &TokenFor::Portal).await);
        }
        let own = self.stored(component, &component.token()).await;
        if own != PlanSession::SignedOut || component.portal.is_none() {
            return (server, own);
        }
        match self.stored(component, &TokenFor::Portal).await {
            PlanSession::Password | PlanSession::RefreshToken { .. } if self.is_not_federated(component) => {
                (server, PlanSession::SignedOut)
            }
            PlanSession::Password | PlanSession::RefreshToken { .. } if !self.was_reached(component) => {
                (None, PlanSession::NotChecked)
            }
            of_portal => (None, of_portal),
        }
    }

    async fn stored(&mut self, site: &Site, whose: &TokenFor) -> PlanSession {
        if let Some(keyring) = self.failed {
            return PlanSession::Keyring { keyring };
        }
        let sessions = &self.access.sessions;
        let read = async {
            let stored = sessions.stored(site, whose).await?;
            let Some(token) = stored.filter(|_| !self.was_rejected(&site.id, whose)) else {
                return Ok(PlanSession::SignedOut);
            };
            Ok(match token.refresh {
                Some(refresh) => PlanSession::RefreshToken { ends: refresh.read().expires_at.map(Millis) },
                None if sessions.has_password(site, whose).await? => PlanSession::Password,
                None => PlanSession::BareToken { ends: token.expires_at.map(Millis) },
            })
        };
        read.await.unwrap_or_else(|problem: Problem| {
            let keyring =
                if let Problem::Keyring { state, .. } = problem { state } else { KeyringState::Failed };
            self.failed = Some(keyring);
            PlanSession::Keyring { keyring }
        })
    }

    /// Returns whether the last check found that a stored token is no longer accepted. A sign-in counts as a check.
    fn was_rejected(&self, site: &SiteId, whose: &TokenFor) -> bool {
        let server = match whose {
            TokenFor::Portal => None,
            TokenFor::Server(server) => Some(server.clone()),
        };
        let session = self.checked(&Target { site: site.clone(), server });
        session.is_some_and(|session| session.username.is_none())
    }

    /// Returns the session of a component at its last check, also if its address was changed since.
    fn checked(&self, target: &Target) -> Option<&CheckedSession> {
        self.checks.iter().find(|checks| checks.target == *target)?.session.value.as_ref()
    }

    /// Returns whether the session of the portal was enough for a server at its last check.
    fn was_reached(&self, server: &TargetSite) -> bool {
        let session = find(&self.checks, server).and_then(|checks| checks.session.value.as_ref());
        session.is_some_and(|session| session.username.is_some())
    }

    /// Returns whether the session of the portal was not enough for a server at its last check, provided that the
    /// current user of the portal was already signed in then.
    fn is_not_federated(&self, server: &TargetSite) -> bool {
        let Some(checked) = find(&self.checks, server).map(|checks| &checks.session) else { return false };
        let is_out = checked.value.as_ref().is_some_and(|session| session.username.is_none());
        let at_portal = self.checked(&Target::portal(server.id.clone()));
        is_out && at_portal.is_some_and(|portal| checked.checked_at.is_some_and(|at| portal.since <= at))
    }
}

async fn folder_facts(policy: &Policy, plan: &BackupPlan, sets_in: Option<&Marked>) -> FolderFacts {
    let mut facts = FolderFacts { fault: None, free: None, last_set: None, synchronized: None };
    if plan.folder.as_os_str().is_empty() {
        return FolderFacts { fault: Some(FolderFault::NotChosen), ..facts };
    }
    let (folder, marked, sets_in) = (plan.folder.clone(), plan.clone(), sets_in.cloned());
    let policy = policy.clone();
    let looked = within(LOOK, &plan.folder, move || {
        // A folder that is not there cannot be resolved, so that the policy would not allow it.
        if !policy.allows_set_folder(&folder) && folder.exists() {
            return Err(FolderFault::NotAllowed);
        }
        let is_another = mark::is_missing(&marked, sets_in.as_ref());
        let real = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        let synchronized = [&real, &folder].into_iter().find_map(|path| synchronized(path));
        let free = fs4::available_space(&folder).ok().map(Bytes);
        Ok((can_write_in(&folder), free, synchronized, is_another))
    });
    let (written, free, synchronized, is_another) = match looked.await {
        Ok(Ok(looked)) => looked,
        Ok(Err(fault)) => return FolderFacts { fault: Some(fault), ..facts },
        Err(problem) => {
            let fault = Some(FolderFault::NotWritable { message: problem::as_text(&problem) });
            return FolderFacts { fault, ..facts };
        }
    };
    (facts.free, facts.synchronized) = (free, synchronized);
    facts.fault = written.err().map(|error| match error.kind() {
        std::io::ErrorKind::NotFound => FolderFault::Missing,
        _ => FolderFault::NotWritable { message: error.to_string() },
    });
    if facts.fault.is_none() && is_another {
        facts.fault = Some(FolderFault::NotMarked);
    }
    if facts.fault.is_none()
        && let Ok(folder) = plan_folder::read(plan).await
    {
        let last = folder.sets.iter().find(|stored| stored.set.verdict() == Verdict::AsExpected);
        let last = last.map(|stored| stored.set.size());
        // Without a set as expected, the largest one shows how much room the next one needs at least.
        let largest = || folder.sets.iter().map(|stored| stored.set.size().0).max().map(Bytes);
        facts.last_set = last.or_else(largest);
    }
    facts
}

/// Returns the name of the folder in a path that another program synchronizes.
fn synchronized(path: &Path) -> Option<String> {
    let mut names = path.components().map(|part| part.as_os_str().to_string_lossy());
    let is_synchronized = |name: &str| SYNCHRONIZED.iter().any(|one| name.to_lowercase().starts_with(one));
    names.find(|name| is_synchronized(name)).map(std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_another_program_synchronizes_is_known_by_its_name() {
        for (path, expected) in [
            ("/home/sam/OneDrive/backups", Some("OneDrive")),
            ("/home/sam/OneDrive - City of Y/backups", Some("OneDrive - City of Y")),
            ("/Users/sam/Library/CloudStorage/GoogleDrive-x/backups", Some("CloudStorage")),
            ("/Users/sam/Library/Mobile Documents/com~apple~CloudDocs", Some("Mobile Documents")),
            ("/home/sam/iCloudDrive", Some("iCloudDrive")),
            ("/home/sam/Dropbox (City)/gis", Some("Dropbox (City)")),
            ("/srv/backups/nightly", None),
            ("/srv/my-dropbox-notes", None),
        ] {
            assert_eq!(synchronized(Path::new(path)).as_deref(), expected, "{path}");
        }
    }
}
