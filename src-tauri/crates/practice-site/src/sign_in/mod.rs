//! Authentication of users, their capabilities, and tokens.

mod binding;
mod caller;
mod generate_token;
mod issued_token;
pub(crate) mod oauth;
mod origin;
mod password;
mod password_check;
mod rate_limit;
mod role;
mod token_page;

pub(crate) use caller::{Caller, Component};
pub(crate) use generate_token::{portal_token, server_token, token_service};
pub(crate) use issued_token::LONGEST_MINUTES;
pub(crate) use origin::Origin;
pub(crate) use password::{hash_password, is_password_hash};
pub(crate) use rate_limit::RateLimit;
pub(crate) use role::{Capability, Role};
pub(crate) use token_page::{portal_page, server_page};
