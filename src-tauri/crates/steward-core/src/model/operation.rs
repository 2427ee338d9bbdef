//! The operations: their keys, components and impacts.

use serde::Serialize;
pub use steward_client::{Capability, Component, Impact, OperationKey};

/// An operation, as far as the window and an [execution](crate::execution) need it.
#[derive(Debug, Clone, Copy, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    /// Key of the operation.
    pub key: OperationKey,
    /// Component that receives its requests.
    pub component: Component,
    /// Impact on the site.
    pub impact: Impact,
}

impl Operation {
    /// Returns an operation by its key.
    #[must_use]
    pub const fn of(key: OperationKey) -> Self {
        let descriptor = key.descriptor();
        Self { key, component: descriptor.component(), impact: descriptor.impact }
    }

    /// Returns every operation, in the order of the specification, the sidebar and the documentation.
    #[must_use]
    pub fn all() -> [Self; OperationKey::ALL.len()] {
        OperationKey::ALL.map(Self::of)
    }
}
