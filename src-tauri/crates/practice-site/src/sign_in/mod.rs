//! Who a caller is, what they may do, and how they get a token.

mod binding;
mod caller;
mod check;
mod generate_token;
pub(crate) mod oauth;
mod password;
mod role;
mod slow_down;

pub(crate) use binding::Origin;
pub(crate) use caller::{Area, Caller, LONGEST_MINUTES};
pub(crate) use generate_token::{portal_token, server_token, token_service};
pub(crate) use password::{hash_password, is_password_hash};
pub(crate) use role::{Capability, Role};
pub(crate) use slow_down::SlowDown;
