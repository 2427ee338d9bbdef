//! Telling webhooks what has happened.
//!
//! Whoever makes something happen puts it into the queue, in the transaction in which it happens
//! ([`Subscribers`]). The [`Courier`] takes it from there when it is due, and one attempt at a time for each webhook.

mod attempt;
mod courier;
mod happening;
mod in_flight;
mod letter;
mod policy;
mod reach;
mod schedule;
mod subscribers;

pub(crate) use courier::{Courier, run};
pub(crate) use happening::{Happening, LayerEdits};
pub(crate) use policy::{ATTEMPTS, DAYS, FAILURES, Policy, SETTING};
pub(crate) use schedule::{DEFAULT_INTERVAL, FREQUENCIES};
pub(crate) use subscribers::Subscribers;
