//! What a user prefers, and what the organization decides.

pub mod policy;
pub mod preferences;
