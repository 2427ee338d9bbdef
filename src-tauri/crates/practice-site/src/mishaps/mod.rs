//! Mishaps on demand: what goes wrong on production is rehearsed here, and tested against.

mod befall;
mod control;
mod order;

pub(crate) use befall::befall;
pub(crate) use control::{clear, list, order};
pub(crate) use order::Orders;
pub use order::{Mishap, Operation, Order};
