//! The practice site: a real service on this machine that answers the site administration specification.
//!
//! It listens on loopback, keeps its state in SQLite databases and real files below one folder, and knows
//! nothing of the clients that talk to it. A request comes in through `wire` (who may talk, what was said, how
//! the answer is written), finds its handler in `router`, and ends in one of the files of `operations` or
//! `discovery`.

mod app;
mod certificate;
mod clock;
mod connection;
mod data_store;
mod deliveries;
mod discovery;
mod mishaps;
mod names;
mod operations;
mod random;
mod rest_services;
mod router;
mod seed;
mod sign_in;
mod site;
mod sitefile;
mod store;
mod uploads;
mod users_file;
mod webhooks;
mod wire;

pub use mishaps::{Mishap, Operation, Order};
pub use site::{Options, PracticeSite};
pub use users_file::{Ready, ReadyUser};
