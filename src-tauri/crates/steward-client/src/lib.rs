//! Protocol of the site administration service.
//!
//! This crate is the only one that opens connections: to sites, to a log server ([`log_server`]), and to the receivers
//! of alerts ([`alerts`], [`mail`]). It does not use Tauri, the keyring or files: callers pass the token and receive
//! bytes and values. [`Endpoint`] sends the requests; each operation is one module of [`operations`], with parameters
//! and reply; every request returns [`ClientError`] on failure.

mod acknowledged;
pub mod alerts;
mod beside;
mod clock;
pub mod data_validation;
mod decode;
mod deployment_type;
pub mod discovery;
mod download;
mod endpoint;
mod error;
#[doc(hidden)]
pub mod fuzzing;
mod http;
mod in_front;
mod invisible;
mod item_fields;
mod limits;
mod list_scanner;
pub mod listing;
pub mod log_server;
pub mod mail;
mod moment;
mod multipart;
pub mod oauth;
pub mod operations;
mod pasted_token;
mod permit;
mod proxy_exceptions;
mod proxy_refusal;
mod public_file;
mod range_read;
mod raw_list;
mod receivers;
mod referer;
mod rejected_passwords;
mod request;
pub mod requirements;
mod response_capture;
mod route;
mod send_state;
mod session;
mod setup_fault;
mod sign_in;
mod spellings;
mod status_words;
mod system_proxy;
mod token_expiry;
mod token_retry;
mod token_source;
mod trust;
pub mod uploads;
mod version;
pub mod webhooks;
mod wire;

pub use clock::SiteClock;
pub use deployment_type::{DeploymentType, ServerType};
pub use download::{Download, Resumed, STALLED, Same, stored_id};
pub use endpoint::Endpoint;
pub use error::{ClientError, NO_CODE, Stage};
pub use http::{Http, StreamError};
pub use invisible::{has_hidden, is_invisible, visible, without_hidden};
pub use item_fields::{Field, HeadFields, InfoFields, ItemFields, MetaFields};
pub use limits::{is_usable, shown};
pub use moment::Moment;
pub use operations::{Capability, Component, GatedParameter, Impact, OperationKey};
pub use pasted_token::{PastedTokenFault, pasted_token};
pub use permit::{Permit, Ready};
pub use proxy_refusal::ProxyRefusal;
pub use range_read::{FileEnds, WholeFile};
pub use raw_list::RawList;
pub use referer::{REFERER, Referer};
pub use rejected_passwords::RejectedPasswords;
pub use request::{Request, ResponseTimeout};
pub use response_capture::RawResponse;
pub use route::{Route, is_this_computer};
pub use send_state::SendState;
pub use session::{Renewal, Session, SessionTokens, TokenStore};
pub use setup_fault::SetupFault;
pub use sign_in::{
    IssuedToken, PortalFacts, ServerFacts, describe_portal, describe_server, exchange_for_server,
    federated_with, generate_token, sign_in_with_token,
};
pub use system_proxy::{SystemProxy, system_proxy};
pub use token_expiry::{TokenExpiry, token_expiry};
pub use token_source::TokenSource;
pub use trust::{
    Authorities, Authority, CertificateProblem, CertificateReason, ChainLink, ClientCertificate, Trust,
    TrustedCertificate, authorities,
};
pub use version::Version;
