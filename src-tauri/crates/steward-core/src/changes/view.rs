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

/// An import or upgrade of a portal or server between two snapshots of the site.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportView {
    /// History entry of the import; `null` for an upgrade, which is a changed version in the snapshots.
    pub by: Option<ByApp>,
    /// Name of the server; `null` for the portal.
    pub server: Option<String>,
    /// Last snapshot that was complete before the import began; for an upgrade, the last one with the earlier version.
    pub before: SnapshotId,
    /// First snapshot that was begun after the import; for an upgrade, the first one with the new version.
    pub after: SnapshotId,
}

/// Changes of a portal or server since the oldest snapshot of the site, without accepted ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangedView {
    /// Server; `null` for the portal.
    pub server: Option<ServerId>,
    /// Number of changes.
    pub changes: u32,
    /// Number of these changes that no history entry explains; `null` if the history could not be read.
    pub not_by_app: Option<u32>,
    /// Kinds of resources that are not compared completely.
    pub not_compared: Vec<Kind>,
}

/// One side of a comparison: a site, or one of its servers, in a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Side {
    /// Site.
    pub site: SiteId,
    /// Server of the site; `null` for the whole site.
    pub server: Option<ServerId>,
    /// Snapshot of the site.
    pub snapshot: SnapshotId,
}

/// A site or server with a snapshot, which can be a side of a comparison.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SideView {
    /// Site or server, with its newest snapshot.
    pub side: Side,
    /// Name of the site.
    pub site_name: String,
    /// Name of the server; `null` for the whole site.
    pub server_name: Option<String>,
    /// Time when the reading of the snapshot began.
    pub at: Millis,
}

/// Two snapshots to compare.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Compared {
    /// Two snapshots of the same site at different times.
    Since {
        /// Site.
        site: SiteId,
        /// Earlier snapshot.
        from: SnapshotId,
        /// Later snapshot.
        to: SnapshotId,
    },
    /// Snapshots of two sites or servers.
    Between {
        /// Site or server in the left column.
        left: Side,
        /// Site or server in the right column.
        right: Side,
    },
}

/// Snapshots of a site, and its volatile fields.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotsView {
    /// Snapshots, newest first, including those that could not be taken.
    pub snapshots: Vec<SnapshotView>,
    /// Times of the snapshots that the audit trail has, and that are no longer stored with the same contents, newest
    /// first.
    pub missing: Vec<Millis>,
    /// Whether a snapshot is being taken.
    pub is_taking: bool,
    /// Fields that change by themselves.
    pub volatile: Vec<VolatileView>,
}

/// A snapshot of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotView {
    /// Number of the snapshot.
    pub id: SnapshotId,
    /// Time when its reading began.
    pub at: Millis,
    /// Occasion on which it was taken.
    pub cause: Cause,
    /// SHA-256 of its contents, as in its entry of the audit trail; empty if it could not be taken.
    pub sha256: String,
    /// Reason why it could not be taken; empty if it was.
    pub failure: String,
}

/// A field that changes by itself.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct VolatileView {
    /// Kind of the resources with the field.
    pub resource_kind: Kind,
    /// Path of the field, without the names of elements.
    pub field: String,
    /// Time when the app noticed that the field changes by itself.
    pub learned_at: Millis,
    /// Whether the field is compared nevertheless, because a user chose so.
    pub is_compared: bool,
}

/// Differences between two snapshots.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonView {
    /// Resources that differ, by kind, the worst differences of each kind first.
    pub differences: Vec<DifferenceView>,
    /// Resources that are not compared.
    pub not_compared: Vec<NotComparedView>,
    /// Times of those of the two snapshots whose contents differ from their entries in the audit trail. If there are
    /// any, nothing is compared.
    pub changed: Vec<Millis>,
    /// Times of those of the two snapshots that have no entry in the audit trail.
    pub not_recorded: Vec<Millis>,
    /// Number of equal resources of each kind.
    pub equal: Vec<EqualView>,
    /// Number of secrets that are not compared: their keyed hashes were made with different keys of the keyring, or
    /// there are none.
    pub unknown_secrets: u32,
    /// Whether the history could be read, and shows which changes were made with the app; `false` also between two
    /// sites or servers.
    pub is_history_known: bool,
    /// Number of pairs of identifiers or times that are not compared, because each of two sites has its own.
    pub own_values: u32,
    /// Whether two sites or servers are compared, so that the history explains no difference.
    pub is_between: bool,
    /// Texts that count as equal, between two sites or servers.
    pub substitutions: Vec<SubstitutionView>,
}

/// Pair of texts that count as equal, and its use in a comparison.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SubstitutionView {
    /// Pair of texts.
    pub pair: Substitution,
    /// Account of this computer that added the pair; empty if the app proposed it, based on the addresses of both
    /// sites.
    pub who: String,
    /// Time when it was added; `null` if the app proposed it.
    pub at: Option<Millis>,
    /// Number of values that are equal because of the pair.
    pub values: u32,
}

/// A resource that differs.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DifferenceView {
    /// Identity of the resource.
    pub key: Key,
    /// Name of the server with the resource; `null` for the portal.
    pub server: Option<String>,
    /// How the resource differs.
    pub change: Change,
    /// First field that differs; `null` if the resource is missing or new.
    pub first: Option<FieldView>,
    /// Number of fields that differ.
    pub fields: u32,
    /// Time of the first snapshot with the resource as it is in the later snapshot; between two sites, as it is on the
    /// side that changed last. `null` if that snapshot is no longer stored.
    pub first_seen: Option<Millis>,
    /// Whether the left of two sites is the side that changed last.
    pub is_seen_left: bool,
    /// History entry that explains the difference; `null` if there is none.
    pub by: Option<ByApp>,
    /// Acceptance of the difference; `null` if no user accepted it, or if the resource changed afterwards.
    pub accepted: Option<AcceptedView>,
}

/// A field that differs.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FieldView {
    /// Path of the field, with blanks around the slashes.
    pub field: String,
    /// Value before, or on the left; `null` if the field did not exist. For a list, the elements that were removed.
    pub before: Option<String>,
    /// Value after, or on the right; `null` if the field does not exist. For a list, the elements that were added.
    pub after: Option<String>,
    /// Whether the field has a secret that differs, and is not shown.
    pub is_secret: bool,
    /// Whether both values are elements of a list: those that were removed, and those that were added.
    pub is_list: bool,
}

/// History entry that explains a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ByApp {
    /// Identifier of the entry.
    pub record: RecordId,
    /// Operation or action.
    pub operation: HistoryKey,
    /// Time when it began.
    pub at: Millis,
    /// Name of the user at the site; may be empty.
    pub username: String,
}

/// Acceptance of a difference by a user.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AcceptedView {
    /// Reason or ticket.
    pub reason: String,
    /// Time of the acceptance.
    pub at: Millis,
    /// Account of this computer that accepted the difference.
    pub who: String,
}

/// Resource, or group of resources, that is not compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct NotComparedView {
    /// Kind of the resource.
    pub resource_kind: Kind,
    /// Name of the server; `null` for the portal.
    pub server: Option<String>,
    /// Name of the resource: a folder ends with `/` and stands for everything in it, and an empty name for all of the
    /// kind. Of services, `/` stands for those in no other folder.
    pub name: String,
    /// Reason why it is not compared.
    pub reason: String,
}

/// Number of equal resources of a kind.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct EqualView {
    /// Kind of the resources.
    pub resource_kind: Kind,
    /// Number of the resources.
    pub count: u32,
}
