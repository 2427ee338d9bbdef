//! Alerts about backup plans: what is wrong, at once and then once a day, and the end of it once; and, where a user
//! chose it, a night that went well, and what changed on a site.
//!
//! [`when`] decides, [`state`] has what was told so far, and [`send`](mod@send) sends a [`message`] by each channel of
//! a plan. A user saves channels in the [`settings`]; their addresses and passwords are in the keyring. No alert
//! changes the outcome of a run.

mod answer;
pub(crate) mod changed_text;
pub mod channel;
pub mod desktop;
pub(crate) mod expiring;
mod expiry_text;
pub mod fault;
mod heartbeat;
mod mail;
pub mod message;
pub(crate) mod night;
mod secrets;
pub mod send;
pub mod settings;
mod slack;
pub mod state;
mod teams;
mod webhook;
pub mod when;
