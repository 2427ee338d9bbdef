//! Practice site: a local implementation of the site administration service.
//!
//! [`PracticeSite::start`] starts a site. It listens on loopback, stores its state in SQLite databases and files below
//! one folder, and does not depend on any client. A request passes `wire` (authentication, parameters, response
//! format), is dispatched by `router`, and is handled in one of the modules of `operations` or `resources`.

mod app;
mod certificate;
mod clock;
mod connection;
mod data_store;
mod deliveries;
mod export_file;
mod fault_injection;
mod folder_lock;
mod folders;
mod names;
mod off_thread;
mod operations;
mod random;
mod regular_file;
mod release;
mod resources;
mod rest_services;
mod router;
mod search_index;
mod seed;
mod sign_in;
mod simulated_changes;
mod site;
mod stop_signal;
mod store;
mod uploads;
mod urls;
mod users_file;
mod webhooks;
mod wire;

pub use fault_injection::{FaultRule, InjectedFault, Operation};
pub use release::Release;
pub use site::{Options, PracticeSite};
pub use stop_signal::stop_signal;
pub use users_file::{Ready, ReadyUser};
