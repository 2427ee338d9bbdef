//! Rows of a contacts file with their changes.

use serde::Serialize;

use crate::listings::ParticipantView;
use crate::model::problem::FieldError;

/// A row with its change.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ContactsFileRow {
    /// Line number in the file, starting at 1.
    pub line: u32,
    /// Cell that identifies the participant.
    pub named: String,
    /// Participant with its present contact; `null` if none or several match.
    pub participant: Option<ParticipantView>,
    /// Contact in the row.
    pub contact: Contact,
    /// Whether it is sent, or the reason why it is not.
    pub verdict: RowVerdict,
}

/// Contact person of a participant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Contact {
    /// First name.
    pub contact_firstname: String,
    /// Last name.
    pub contact_lastname: String,
    /// Email address.
    pub contact_email_address: String,
}

/// Decision on a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RowVerdict {
    /// The row changes the contact, and is sent.
    Changes,
    /// The contact is unchanged.
    Same,
    /// No participant matches the row.
    Unmatched,
    /// Several participants match: the same portal in several collaborations.
    Ambiguous,
    /// The row does not identify a participant.
    Nameless,
    /// Several rows match this participant.
    Repeated {
        /// Line numbers, at most the first 20.
        lines: Vec<u32>,
    },
    /// Another portal hosts the collaboration, and only its administrators can update contacts.
    HostedElsewhere {
        /// Name of that portal.
        portal: String,
    },
    /// The row has more cells than columns.
    TooManyCells,
    /// A value is invalid.
    Faulty {
        /// Field of `UpdateParticipantForm`.
        field: String,
        /// Reason why it is invalid.
        fault: FieldError,
    },
}
