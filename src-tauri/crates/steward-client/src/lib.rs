//! The protocol of the site administration service, and the only HTTP of the program.
//!
//! No Tauri, no keyring, no files: whoever calls brings the token and takes the bytes. An operation is one
//! file in [`operations`]: its parameters in, its reply out.

mod answer;
mod area;
mod clock;
mod decode;
#[doc(hidden)]
pub mod decoders;
mod download;
mod error;
pub mod finding;
mod flavour;
pub mod gates;
mod http;
mod in_front;
mod item_fields;
mod list_finder;
pub mod listing;
mod multipart;
pub mod oauth;
pub mod operations;
mod peek;
mod public_file;
mod raw_list;
mod receivers;
mod route;
mod send_state;
mod session;
mod sign_in;
mod system_way;
mod token_life;
mod trust;
mod turn;
pub mod uploads;
mod version;
pub mod webhooks;
mod wire;

pub use answer::RawAnswer;
pub use area::{Area, Patience};
pub use clock::SiteClock;
pub use download::{Download, Resumed, STALLED, Same, stored_id};
pub use error::{ClientError, NO_CODE, SetupFault, Stage};
pub use flavour::{Flavour, ServerFlavour};
pub use http::{Http, REFERER};
pub use item_fields::{Field, HeadFields, InfoFields, ItemFields, MetaFields};
pub use peek::Ends;
pub use raw_list::RawList;
pub use route::Route;
pub use send_state::SendState;
pub use session::{Held, Keeper, Renewal, Session};
pub use sign_in::{
    IssuedToken, PortalFacts, ServerFacts, describe_portal, describe_server, exchange_for_server,
    federated_with, generate_token, sign_in_with_token, token_from,
};
pub use system_way::{SystemWay, system_way};
pub use token_life::{TokenLife, token_life};
pub use trust::{Authority, CertificateProblem, ChainLink, Identity, Pin, Reason, Trust, authorities};
pub use version::Version;
