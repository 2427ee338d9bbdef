//! steward-testkit
