//! Settings: the preferences of the user, and the policy of the organization.

pub mod policy;
pub mod preferences;
