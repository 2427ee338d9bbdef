//! What expires on a site, and what is not known of it, for the window.

use serde::Serialize;

use crate::model::ids::{ServerId, SiteId};
use crate::model::numbers::Millis;

/// Something that expires.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Expiry {
    /// Site.
    pub site: SiteId,
    /// Server; `null` for the portal, and for the whole site.
    pub server: Option<ServerId>,
    /// What expires.
    pub what: Expiring,
    /// Time of expiration.
    pub at: Millis,
    /// Day of expiration in the time zone of the site, for example `2026-12-05`; in UTC if the site reports no time
    /// zone.
    pub day: String,
    /// Time zone of `day`; `null` if it is UTC, because the site reports none.
    pub zone: Option<String>,
    /// The day before `day` if the site reports no time zone, because the expiration might be on that day there; `null`
    /// otherwise.
    pub plan_for: Option<String>,
    /// Number of days from today until `day`; negative if `day` has passed.
    pub days: i32,
    /// Whether it has expired.
    pub is_over: bool,
    /// Time of the check; `null` if the date does not come from a check.
    pub checked_at: Option<Millis>,
}

impl Expiry {
    /// Returns the number of days that are left for sure.
    #[must_use]
    pub fn days_left(&self) -> i32 {
        self.days - i32::from(self.plan_for.is_some())
    }
}

/// What expires.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Expiring {
    /// Licenses of a server or portal that expire together.
    License {
        /// Names of the licenses, as spelled by the site; may be empty.
        names: Vec<String>,
    },
    /// The certificate that the site presents.
    Presented {
        /// Host and port.
        host: String,
    },
    /// The certificate that a web server uses behind the web adaptor.
    Machine {
        /// Name of the machine; empty for a portal.
        machine: String,
        /// Alias of the certificate in the store of the machine.
        alias: String,
        /// Set if the administration port presents another certificate. The entry is then about the certificate that
        /// expires first.
        differs: Option<DifferentCertificates>,
    },
    /// A certificate authority of this computer.
    Authority {
        /// Distinguished name.
        subject: String,
    },
    /// A client certificate of this computer.
    Client {
        /// Distinguished name.
        subject: String,
    },
    /// A session.
    Session {
        /// Name of the user; may be empty.
        username: String,
        /// Names of the backup plans that need it.
        plans: Vec<String>,
    },
    /// An invitation to a collaboration.
    Invitation {
        /// Name of the collaboration; may be empty.
        collaboration: String,
        /// URL of the invited portal; may be empty.
        guest: String,
    },
}

/// Two certificates of a machine: that in its store, and another one that its administration port presents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DifferentCertificates {
    /// Host and administration port.
    pub host: String,
    /// Time when the presented certificate expires.
    pub presented_until: Millis,
    /// Time when the certificate in the store of the machine expires.
    pub own_until: Millis,
}

/// Expirations of a component that are not known, although they might exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ExpiryGap {
    /// Site.
    pub site: SiteId,
    /// Server; `null` for the portal, and for the whole site.
    pub server: Option<ServerId>,
    /// Kind of these expirations.
    pub part: ExpiryPart,
    /// Reason why they are not known.
    pub why: ExpiryGapReason,
}

/// Kind of expirations, which are read together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ExpiryPart {
    /// Licenses.
    Licenses,
    /// Certificates of the machines.
    MachineCertificates,
    /// Certificates that are presented at administration ports, which firewalls often close, and at the services URL.
    PresentedCertificates,
    /// Certificates of this computer.
    OwnCertificates,
    /// Invitations.
    Invitations,
}

/// Reason why expirations are not known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ExpiryGapReason {
    /// The expirations were never checked.
    NotChecked,
    /// Deployments of this type do not return what expires.
    NotOffered,
    /// The last check failed, or did not return all of them.
    Failed {
        /// Reason, as returned by the site or the library; may be empty.
        reason: String,
    },
}
