//! Events of the audit trail.

use serde::{Deserialize, Serialize};

/// Event, with what its body tells. Each is written where it happens; `tests/operations/audit_trail.rs` lists them.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum Event {
    /// The chain began.
    #[serde(rename = "chain.began")]
    ChainBegan {
        /// Random identifier of the history.
        history_id: String,
    },
    /// Entries were verified, and no new break was found.
    #[serde(rename = "chain.verified")]
    ChainVerified {
        /// First entry that was verified.
        from: i64,
        /// Last entry that was verified.
        through: i64,
        /// SHA-256 of the last one.
        head: String,
        /// SHA-256 of what the indexes of the trail have up to that one: the next start looks whether they still have it.
        indexes_sha256: String,
    },
    /// The chain does not hold. A new segment begins.
    #[serde(rename = "chain.broken")]
    ChainBroken {
        /// Place of the break.
        #[serde(flatten)]
        place: super::Break,
        /// Number of further places that the last verification found without an event of their own; `None` if there are none.
        #[serde(skip_serializing_if = "Option::is_none")]
        further: Option<usize>,
    },
    /// The app kept the head of an entry that the chain does not have: the history is an older copy, or another one.
    #[serde(rename = "chain.rolled-back")]
    ChainRolledBack {
        /// Where the head was kept: `forwarded`, or `dailyCopy`.
        kept_in: String,
        /// Random identifier of the history of the entry.
        history: String,
        /// Number of the entry.
        entry: i64,
        /// SHA-256 of its envelope.
        sha256: String,
    },
    /// The app started.
    #[serde(rename = "app.started")]
    AppStarted {
        /// SHA-256 of the policy of the organization; empty if there is none.
        policy_sha256: String,
    },
    /// The app ended normally. After a crash, this event is missing.
    #[serde(rename = "app.ended")]
    AppEnded,
    /// Another version of the app started than before.
    #[serde(rename = "program.updated")]
    ProgramUpdated {
        /// Version that started before.
        from: String,
        /// Version that started now.
        to: String,
    },
    /// The clock was set back.
    #[serde(rename = "clock.jumped")]
    ClockJumped {
        /// Time of the entry before, in UTC.
        from: String,
        /// Time of this entry, in UTC.
        to: String,
    },
    /// A request that changes a site is sent next.
    #[serde(rename = "operation.sent")]
    OperationSent(OfRecord),
    /// The record of the run of a backup plan was written, or that of an action which has not taken effect. `run.started` and
    /// `run.ended` are about the run.
    #[serde(rename = "record.written")]
    RecordWritten(OfRecord),
    /// An operation ended, or an action that did not take effect.
    #[serde(rename = "operation.ended")]
    OperationEnded(OfRecord),
    /// A user set the outcome of an operation without a response.
    #[serde(rename = "outcome.resolved")]
    OutcomeResolved(OfRecord),
    /// A user marked an entry of the deactivation log as resolved, without a request of the app.
    #[serde(rename = "deactivation.resolved")]
    DeactivationResolved(OfRecord),
    /// A user gave an entry of the history a reason, or another one, after it was written.
    #[serde(rename = "reason.added")]
    ReasonAdded {
        /// Identifier of the record.
        record: String,
        /// Reason or ticket; empty if it was removed.
        reason: String,
        /// Reason before; empty if there was none.
        before: String,
        /// SHA-256 of the record with the new reason.
        record_sha256: String,
    },
    /// A user signed in.
    #[serde(rename = "signed-in")]
    SignedIn(OfRecord),
    /// A site rejected a sign-in.
    #[serde(rename = "sign-in.rejected")]
    SignInRejected(OfRecord),
    /// A user signed out.
    #[serde(rename = "signed-out")]
    SignedOut(OfRecord),
    /// A user trusts a certificate.
    #[serde(rename = "trust.added")]
    CertificateTrusted(OfRecord),
    /// A site was added, changed, or removed.
    #[serde(rename = "site.changed")]
    SiteChanged(OfRecord),
    /// A read-only site was unlocked.
    #[serde(rename = "read-only.unlocked")]
    SiteUnlocked(OfRecord),
    /// A read-only site was locked before its unlock ended.
    #[serde(rename = "read-only.locked")]
    SiteLocked(OfRecord),
    /// A file that the app could not start with was set aside.
    #[serde(rename = "data.set-aside")]
    DataSetAside(OfRecord),
    /// The connection of all sites without their own was changed.
    #[serde(rename = "connection.changed")]
    ConnectionChanged(OfRecord),
    /// An operation or a change was refused before anything was sent.
    #[serde(rename = "request.refused")]
    Refused {
        /// What refused it.
        by: Refusal,
        /// Operation, action, or setting that was refused.
        operation: String,
        /// Identifier of the site; empty if it concerns none.
        site: String,
        /// Name of the site; empty as before.
        site_name: String,
    },
    /// A secret was stored in the keyring.
    #[serde(rename = "secret.stored")]
    SecretStored {
        /// Name of its entry, without the secret.
        name: String,
        /// Identifier of the site; empty if it belongs to none.
        site: String,
        /// Name of the site; empty as before.
        site_name: String,
    },
    /// A secret was removed from the keyring.
    #[serde(rename = "secret.removed")]
    SecretRemoved {
        /// Name of its entry.
        name: String,
        /// Identifier of the site; empty if it belonged to none.
        site: String,
        /// Name of the site; empty as before.
        site_name: String,
    },
    /// The preferences were changed.
    #[serde(rename = "preferences.changed")]
    PreferencesChanged {
        /// Names of the preferences with their values before and after.
        changes: Vec<(String, String)>,
    },
    /// The policy of the organization is another one than at the start before.
    #[serde(rename = "policy.changed")]
    PolicyChanged {
        /// SHA-256 of the policy before; empty if there was none.
        before: String,
        /// SHA-256 of the policy now; empty if there is none.
        after: String,
    },
    /// The trail is forwarded to a log server from now on, or to another one than before.
    #[serde(rename = "forwarding.turned-on")]
    ForwardingTurnedOn(ForwardedTo),
    /// The trail is forwarded to the same log server, with another certificate, or by another route.
    #[serde(rename = "forwarding.changed")]
    ForwardingChanged(ForwardedTo),
    /// The trail is no longer forwarded.
    #[serde(rename = "forwarding.turned-off")]
    ForwardingTurnedOff {
        /// Host and port of the log server.
        log_server: String,
        /// Whether the app found it at a start, as for [`ForwardedTo`].
        found_at_start: bool,
    },
    /// The trail cannot be forwarded. It is tried again.
    #[serde(rename = "forwarding.failing")]
    ForwardingFailing {
        /// Host and port of the log server.
        log_server: String,
        /// Reason, as a text for administrators.
        note: String,
    },
    /// A file of the app cannot be read, or is missing although it was written once. What it decided does not apply.
    #[serde(rename = "file.unreadable")]
    FileUnreadable {
        /// Name of the file.
        file: String,
        /// Where its content is now; its own path if it was not moved.
        path: String,
    },
    /// A user marked a file that cannot be read as resolved.
    #[serde(rename = "file.resolved")]
    FileResolved {
        /// Name of the file.
        file: String,
        /// Where its content was.
        path: String,
        /// Where it is now; empty if it was missing.
        kept_at: String,
    },
    /// A backup plan was added, changed, or deleted.
    #[serde(rename = "plan.changed")]
    PlanChanged {
        /// Identifier of the plan.
        plan: String,
        /// Name of the plan.
        plan_name: String,
        /// Identifier of the site.
        site: String,
        /// Name of the site; empty if it was removed.
        site_name: String,
        /// SHA-256 of the plan before; empty if it was added.
        before: String,
        /// SHA-256 of the plan now; empty if it was deleted.
        after: String,
        /// Whether it is paused now; `None` if it was deleted.
        #[serde(skip_serializing_if = "Option::is_none")]
        is_paused: Option<bool>,
    },
    /// The run of a backup plan began.
    #[serde(rename = "run.started")]
    RunStarted {
        /// Identifier of the plan.
        plan: String,
        /// Name of the plan.
        plan_name: String,
        /// Identifier of the site.
        site: String,
        /// Name of the site.
        site_name: String,
        /// Time of the schedule that it runs for, or of the request of a user, in milliseconds since 1970.
        scheduled: i64,
    },
    /// The run of a backup plan ended. Each of its parts has entries of its own.
    #[serde(rename = "run.ended")]
    RunEnded {
        /// Identifier of the plan.
        plan: String,
        /// Name of the plan.
        plan_name: String,
        /// Identifier of the site.
        site: String,
        /// Name of the site.
        site_name: String,
        /// `succeeded` if the set is as the plan expects, otherwise `failed`, `unknown`, or `notSent`.
        outcome: String,
        /// Folder of the set; empty if there is none.
        set: String,
        /// SHA-256 of its `set.json`, which has that of each file; empty as before.
        set_sha256: String,
        /// Reason why there is no set; empty if there is one.
        note: String,
    },
    /// A backup set that no rule of its plan keeps was removed.
    #[serde(rename = "set.removed")]
    SetRemoved {
        /// Identifier of the plan.
        plan: String,
        /// Name of the plan.
        plan_name: String,
        /// Identifier of the site.
        site: String,
        /// Name of the site.
        site_name: String,
        /// Folder of the set.
        set: String,
        /// SHA-256 of its `set.json`.
        set_sha256: String,
    },
    /// A receiver took an alert about a backup plan, or the desktop showed it.
    #[serde(rename = "alert.sent")]
    AlertSent {
        /// Identifier of the alert.
        alert: String,
        /// Subject of the alert, for example `plan.failed`.
        about: String,
        /// Identifier of the plan.
        plan: String,
        /// Name of the plan.
        plan_name: String,
        /// Identifier of the site.
        site: String,
        /// Name of the site.
        site_name: String,
        /// Kind of the channel, for example `mail`.
        by: String,
        /// Host that it was sent to, without the rest of the address; empty for the desktop.
        receiver: String,
    },
    /// An alert about a backup plan was not sent. It is tried again for a day.
    #[serde(rename = "alert.not-sent")]
    AlertNotSent {
        /// Identifier of the alert.
        alert: String,
        /// What it is about.
        about: String,
        /// Identifier of the plan.
        plan: String,
        /// Name of the plan.
        plan_name: String,
        /// Identifier of the site.
        site: String,
        /// Name of the site.
        site_name: String,
        /// Kind of the channel.
        by: String,
        /// Host that it was to be sent to; empty as before.
        receiver: String,
        /// Reason, as a text for administrators.
        note: String,
    },
    /// A site was back after an import: everything that the app checks was as it should be.
    #[serde(rename = "site.back")]
    SiteBack {
        /// Identifier of the record of the import.
        record: String,
        /// Identifier of the site.
        site: String,
        /// Name of the site.
        site_name: String,
        /// Time from the start of the import until then, in milliseconds.
        recovery_time: i64,
    },
    /// A rehearsal of a restore ended, and its receipt was written.
    #[serde(rename = "rehearsal.ended")]
    RehearsalEnded(OfRecord),
    /// A snapshot of the configuration of a site was taken.
    #[serde(rename = "snapshot.taken")]
    SnapshotTaken {
        /// Identifier of the site.
        site: String,
        /// Name of the site.
        site_name: String,
        /// Number of the snapshot in its file.
        snapshot: i64,
        /// SHA-256 of what was read, and of what was not.
        sha256: String,
    },
    /// A user accepted a difference between two snapshots, or withdrew that.
    #[serde(rename = "difference.accepted")]
    DifferenceAccepted {
        /// Identifier of the site.
        site: String,
        /// Name of the site.
        site_name: String,
        /// Identifier of the server; empty for a portal.
        server: String,
        /// Kind and name of what differs.
        resource: String,
        /// Reason or ticket; empty if it was withdrawn.
        reason: String,
    },
    /// Entries of the history, an audit package, or the audit trail were written to a file.
    #[serde(rename = "history.exported")]
    HistoryExported {
        /// Kind of the file, for example `audit_package`.
        what: String,
        /// Identifier of the record; empty for several.
        about: String,
        /// SHA-256 of the file.
        sha256: String,
    },
    /// Data store items were written to a file.
    #[serde(rename = "items.exported")]
    ItemsExported {
        /// Identifier of the site.
        site: String,
        /// Name of the site.
        site_name: String,
        /// SHA-256 of the file.
        sha256: String,
    },
    /// The profiles of sites were written to a file.
    #[serde(rename = "profiles.exported")]
    ProfilesExported {
        /// Identifier and name of each site.
        sites: Vec<(String, String)>,
        /// SHA-256 of the file.
        sha256: String,
    },
}

/// Kinds of all events, in the order of [`Event`].
pub const KINDS: &[&str] = &[
    "chain.began",
    "chain.verified",
    "chain.broken",
    "chain.rolled-back",
    "app.started",
    "app.ended",
    "program.updated",
    "clock.jumped",
    "operation.sent",
    "record.written",
    "operation.ended",
    "outcome.resolved",
    "deactivation.resolved",
    "reason.added",
    "signed-in",
    "sign-in.rejected",
    "signed-out",
    "trust.added",
    "site.changed",
    "read-only.unlocked",
    "read-only.locked",
    "data.set-aside",
    "connection.changed",
    "request.refused",
    "secret.stored",
    "secret.removed",
    "preferences.changed",
    "policy.changed",
    "forwarding.turned-on",
    "forwarding.changed",
    "forwarding.turned-off",
    "forwarding.failing",
    "file.unreadable",
    "file.resolved",
    "plan.changed",
    "run.started",
    "run.ended",
    "set.removed",
    "alert.sent",
    "alert.not-sent",
    "site.back",
    "rehearsal.ended",
    "snapshot.taken",
    "difference.accepted",
    "history.exported",
    "items.exported",
    "profiles.exported",
];

/// Content of an event about a record of the history.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfRecord {
    /// Identifier of the record; empty if there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub record: String,
    /// Key of the operation or action.
    pub operation: String,
    /// Outcome; `sent` before the response.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub outcome: String,
    /// Identifier of the site.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub site: String,
    /// Identifier of the server; empty for a portal.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub server: String,
    /// Name of that server at that time; empty if its site has no other.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub server_name: String,
    /// Name of the site at that time.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub site_name: String,
    /// URL of the first request; empty if there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub address: String,
    /// Environment of the site at that time.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub environment: String,
    /// Account at the site.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub account: String,
    /// Parameters without secrets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<(String, String)>,
    /// Reason or ticket that the user gave.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Note for the user, or how the user found out an outcome.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// SHA-256 of the requests as the record stores them.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub request_sha256: String,
    /// SHA-256 of the response as the record stores it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub response_sha256: String,
    /// SHA-256 of the report as the record stores it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub report_sha256: String,
    /// SHA-256 of the whole record as it is stored after the event: that of the line `record.json` of a package.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub record_sha256: String,
}

/// Where the trail is forwarded, by which route, and by what the log server is recognized.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ForwardedTo {
    /// Host and port of the log server.
    pub log_server: String,
    /// Route of the connections of the app: `system`, `direct`, or a proxy.
    pub route: String,
    /// Path of the CA certificate that the app trusts; empty if there is none.
    pub app_authority: String,
    /// SHA-256 of that file; empty if it cannot be read.
    pub app_authority_sha256: String,
    /// Path of a CA certificate that is trusted for it alone; empty if there is none.
    pub authority: String,
    /// SHA-256 of that file; empty as before.
    pub authority_sha256: String,
    /// Path of the client certificate; empty if there is none.
    pub client_certificate: String,
    /// SHA-256 of that file; empty as before.
    pub client_certificate_sha256: String,
    /// Whether the app found it at a start: it was changed by the policy, or outside of the app.
    pub found_at_start: bool,
}

/// What refused an operation or a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Refusal {
    /// A site is read-only.
    ReadOnly,
    /// The policy of the organization.
    Policy,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_kinds_has_each_event() {
        let (events, _) = include_str!("event.rs").split_once("pub const KINDS").unwrap();
        let named = events.split("#[serde(rename = \"").skip(1).filter_map(|rest| rest.split('"').next());
        assert_eq!(named.collect::<Vec<_>>(), KINDS);
    }
}
