//! Snapshots and differences, as the window receives them.

use serde::{Deserialize, Serialize};
use steward_changes::{Cause, Change, Key, Kind, Substitution};

use crate::model::history_key::HistoryKey;
use crate::model::ids::{RecordId, ServerId, SiteId};
use crate::model::numbers::Millis;

/// Number of a snapshot, which grows with time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct SnapshotId(#[specta(type = specta_typescript::Number)] pub i64);

/// An import or upgrade between two snapshots of its site.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportView {
    /// Entry of the history, with its user; `null` for an upgrade, which is a version that changed.
    pub by: Option<ByApp>,
    /// Name of the server; `null` for the portal.
    pub server: Option<String>,
    /// The last snapshot before it.
    pub before: SnapshotId,
    /// The first one after it.
    pub after: SnapshotId,
}

/// What changed on a portal or server since its first snapshot, without what is accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangedView {
    /// Server; `null` for the portal.
    pub server: Option<ServerId>,
    /// Number of changes.
    pub changes: u32,
    /// Number of those that no entry of the history explains; `null` if the history could not be read.
    pub not_by_app: Option<u32>,
    /// Kinds that are not compared completely.
    pub not_compared: Vec<Kind>,
}

/// A site, or a server of it, as a snapshot has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Side {
    /// Site.
    pub site: SiteId,
    /// Server of it; `null` for the whole site.
    pub server: Option<ServerId>,
    /// Snapshot.
    pub snapshot: SnapshotId,
}

/// A site or server of which there is a snapshot.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SideView {
    /// The newest snapshot of it.
    pub side: Side,
    /// Name of the site.
    pub site_name: String,
    /// Name of the server; `null` for the whole site.
    pub server_name: Option<String>,
    /// When the reading of the snapshot began.
    pub at: Millis,
}

/// Two snapshots that are compared.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Compared {
    /// An earlier and a later one of a site.
    Since {
        /// Site.
        site: SiteId,
        /// The earlier one.
        from: SnapshotId,
        /// The later one.
        to: SnapshotId,
    },
    /// Those of two sites or servers.
    Between {
        /// What the left column shows.
        left: Side,
        /// What the right column shows.
        right: Side,
    },
}

/// What is known of the configuration of a site.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotsView {
    /// Snapshots, newest first, with those that were not taken.
    pub snapshots: Vec<SnapshotView>,
    /// When those were taken that the audit trail has and that are not stored any more, newest first.
    pub missing: Vec<Millis>,
    /// Whether one is being taken.
    pub is_taking: bool,
    /// Fields that change by themselves.
    pub volatile: Vec<VolatileView>,
}

/// A snapshot of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotView {
    /// Its number.
    pub id: SnapshotId,
    /// When its reading began.
    pub at: Millis,
    /// What it was taken for.
    pub cause: Cause,
    /// SHA-256 of its contents, as the audit trail has it; empty if it was not taken.
    pub sha256: String,
    /// Why it was not taken; empty if it was.
    pub failure: String,
}

/// A field that changes by itself.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct VolatileView {
    /// Kind of the resources that have it.
    pub resource_kind: Kind,
    /// Its path, without the names of elements.
    pub field: String,
    /// When it was learned.
    pub learned_at: Millis,
    /// Whether a user has it compared all the same.
    pub is_compared: bool,
}

/// What differs between two snapshots.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonView {
    /// Resources that differ, by kind, the worst first.
    pub differences: Vec<DifferenceView>,
    /// What is not compared.
    pub not_compared: Vec<NotComparedView>,
    /// When those of both snapshots were taken whose contents are not those that the audit trail has. Then nothing is compared.
    pub changed: Vec<Millis>,
    /// When those of both were taken of which the audit trail has no entry.
    pub not_recorded: Vec<Millis>,
    /// Kinds with the numbers of their resources that are equal.
    pub equal: Vec<EqualView>,
    /// Number of secrets that are not compared, because another key of the keyring made their prints, or none.
    pub unknown_secrets: u32,
    /// Whether the history could be read, which knows what the app changed itself.
    pub is_history_known: bool,
    /// Number of identifiers and times that each of two sites makes for itself, and that are not compared.
    pub own_values: u32,
    /// Whether two sites or servers are compared: then, no history explains a difference.
    pub is_between: bool,
    /// Texts that count as equal, between two sites or servers.
    pub substitutions: Vec<SubstitutionView>,
}

/// Texts that count as equal.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SubstitutionView {
    /// Texts.
    pub pair: Substitution,
    /// Account of this computer that added it; empty if it was proposed from the addresses.
    pub who: String,
    /// When it was added; `null` if it was proposed.
    pub at: Option<Millis>,
    /// Number of values that it makes equal.
    pub values: u32,
}

/// A resource that differs.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DifferenceView {
    /// What identifies it.
    pub key: Key,
    /// Name of its server; `null` for the portal.
    pub server: Option<String>,
    /// How it differs.
    pub change: Change,
    /// The first field that differs; `null` for one that is missing or new.
    pub first: Option<FieldView>,
    /// Number of fields that differ.
    pub fields: u32,
    /// Time of the snapshot in which it was so for the first time; `null` if it was removed. Between two sites, that of the last change
    /// of both.
    pub first_seen: Option<Millis>,
    /// Whether the left of two sites is where it changed last.
    pub is_seen_left: bool,
    /// Entry of the history that explains it; `null` if there is none.
    pub by: Option<ByApp>,
    /// Who accepted it; `null` if nobody did, or it changed since.
    pub accepted: Option<AcceptedView>,
}

/// A field that differs.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FieldView {
    /// Its path, with blanks around the slashes.
    pub field: String,
    /// Value before; `null` if it was not there. Of a list, the elements that are not there any more.
    pub before: Option<String>,
    /// Value after; `null` if it is not there. Of a list, the elements that are new.
    pub after: Option<String>,
    /// Whether it has a secret, which is not shown.
    pub is_secret: bool,
    /// Whether both are elements of a list.
    pub is_list: bool,
}

/// Entry of the history that explains a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ByApp {
    /// The entry.
    pub record: RecordId,
    /// What was done.
    pub operation: HistoryKey,
    /// When.
    pub at: Millis,
    /// User of the site; may be empty.
    pub username: String,
}

/// Acceptance of a difference.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AcceptedView {
    /// Reason or ticket.
    pub reason: String,
    /// When.
    pub at: Millis,
    /// Account of this computer.
    pub who: String,
}

/// Something that is not compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct NotComparedView {
    /// Kind of it.
    pub resource_kind: Kind,
    /// Name of the server; `null` for the portal.
    pub server: Option<String>,
    /// Name of the resource; empty for all of the kind, and ending with `/` for a folder.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// Number of resources that are equal.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct EqualView {
    /// Their kind.
    pub resource_kind: Kind,
    /// Their number.
    pub count: u32,
}
