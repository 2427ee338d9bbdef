//! The program without its window, in a process that can be measured: it transfers a file, performs a small operation
//! the check of a whole site, or a snapshot of it beside bare requests, runs a backup plan, or works for hours. For `cargo xtask bench`; it reads its order as JSON from standard input
//! and answers in lines of JSON.

#![expect(clippy::print_stdout, reason = "it speaks to whoever started it")]

mod beside;
mod changes;
mod inventory;
mod memory;
mod plans;
mod proof;
mod recorder;
mod small_operation;
mod soak;
mod test_app;
mod transfer;

use anyhow::{Context, Result};
use serde::Deserialize;

/// What is to be done, for whom.
#[derive(Deserialize)]
struct Order {
    #[serde(flatten)]
    who: test_app::Who,
    work: Work,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Work {
    Changes(changes::Changes),
    Transfer(transfer::Transfer),
    SmallOperation,
    Inventory(inventory::Paths),
    Overview(proof::Proof),
    PlanRun(plans::PlanRun),
    PlanSets(plans::PlanSets),
    Proof(proof::Proof),
    Soak(soak::Soak),
}

#[tokio::main]
async fn main() -> Result<()> {
    let order: Order = serde_json::from_reader(std::io::stdin()).context("the order cannot be read")?;
    match order.work {
        Work::Changes(changes) => Box::pin(changes::perform(&order.who, &changes)).await,
        Work::Transfer(transfer) => Box::pin(transfer::perform(&order.who, transfer)).await,
        Work::Inventory(paths) => inventory::perform(&order.who, &paths).await,
        Work::Overview(proof) => Box::pin(proof::overview(&order.who, &proof)).await,
        Work::PlanRun(plan) => plans::run(&order.who, plan).await,
        Work::PlanSets(sets) => plans::sets(&order.who, sets).await,
        Work::Proof(proof) => Box::pin(proof::perform(&order.who, &proof)).await,
        Work::SmallOperation => small_operation::perform(&order.who).await,
        Work::Soak(soak) => Box::pin(soak::perform(&order.who, &soak)).await,
    }
}
