//! Delivery of webhook payloads.
//!
//! Code that causes an event queues it in the same transaction ([`Subscribers`]). The [`Dispatcher`] sends due
//! payloads, one at a time per webhook.

mod allowed_targets;
mod attempt;
mod dispatcher;
mod event;
mod in_flight;
mod payload;
mod policy;
mod schedule;
mod subscribers;

pub(crate) use dispatcher::{Dispatcher, run};
pub(crate) use event::{LayerEdits, WebhookEvent};
pub(crate) use policy::{ATTEMPTS, DAYS, FAILURES, Policy, SETTING};
pub(crate) use schedule::{DEFAULT_INTERVAL, FREQUENCIES};
pub(crate) use subscribers::Subscribers;
