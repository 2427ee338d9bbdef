//! What stands in the way of an operation.

use serde::Serialize;

use crate::model::deployment::{ServerKind, SiteFlavour};
use crate::model::operation::{Area, Capability};

/// What stands in the way of an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Obstacle {
    /// The site is older than what is asked of it.
    TooOld {
        /// The version it takes.
        needs: String,
        /// The version the site has.
        has: String,
    },
    /// The site has no address for the area.
    NoArea {
        /// The area.
        area: Area,
    },
    /// Sites of this kind do not offer it at any version.
    NotOnSite {
        /// The kind.
        flavour: SiteFlavour,
    },
    /// Servers of this kind do not offer it at any version.
    NotOnServer {
        /// The kind.
        server: ServerKind,
    },
    /// It works at the server's own address only, and none is known.
    NoDirectAddress,
    /// The role is known not to suffice.
    Role {
        /// Who may.
        needs: Capability,
    },
}
