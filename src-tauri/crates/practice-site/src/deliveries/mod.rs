//! Delivery of webhook payloads.
//!
//! Code that causes an event queues it in the same transaction ([`Subscribers`]). A background task
//! ([`run`]) sends due payloads, one at a time per webhook; the [`Dispatcher`] wakes it.

mod allowed_targets;
mod attempt;
mod delivery_task;
mod dispatcher;
mod event;
mod in_flight;
mod payload;
mod policy;
mod schedule;
mod subscribers;

pub(crate) use delivery_task::run;
pub(crate) use dispatcher::Dispatcher;
pub(crate) use event::{LayerEdits, WebhookEvent};
pub(crate) use policy::{ATTEMPTS, DAYS, FAILURES, Policy, SETTING};
pub(crate) use schedule::{DEFAULT_INTERVAL, FREQUENCIES};
pub(crate) use subscribers::Subscribers;
