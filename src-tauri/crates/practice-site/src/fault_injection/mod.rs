//! Simulated faults: failures of production sites, for rehearsals and tests.

mod api;
mod middleware;
mod rules;

pub(crate) use api::{add, clear, list};
pub(crate) use middleware::inject_fault;
pub(crate) use rules::FaultRules;
pub use rules::{FaultRule, InjectedFault, Operation};
