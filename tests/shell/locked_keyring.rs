//! The program itself as the runner of backup plans, with a real keyring that is locked, and nobody who could unlock it.

use std::process::{Command, Output};

use steward_journal::Outcome;
use steward_plans::saved::SavedPlans;
use steward_plans::set::{PartFault, PartState, Verdict};
use steward_plans::state::{NeedsYou, PlanState};
use steward_plans::store;
use steward_vault::KeyringError;

use crate::keyring_session::alone;
use crate::plan_site::{save_due_plan, site_of_the_program};

/// Runs the program. The practice site goes on meanwhile.
async fn run(words: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_site-steward"));
    program.args(words);
    tokio::task::spawn_blocking(move || program.output().unwrap()).await.unwrap()
}

#[test]
fn a_plan_without_a_display_says_that_the_keyring_is_locked_does_not_wait_and_runs_once_it_is_unlocked() {
    let test = "locked_keyring::a_plan_without_a_display_says_that_the_keyring_is_locked_does_not_wait_and_runs_once_it_is_unlocked";
    alone(test, async |session| {
        session.start_bus();
        session.start_keyring().await;
        let data = std::path::PathBuf::from(std::env::var_os("XDG_DATA_HOME").unwrap());
        let app = site_of_the_program(&data).await;
        let plan = save_due_plan(&app, "nightly");
        session.kill_keyring().await;
        session.start_locked_keyring().await;
        let progress = || store::progress(&app.steward.data_folder).get().plans[&plan.id].clone();

        let ended = run(&["run-due-plans"]).await;

        assert_eq!(ended.status.code(), Some(1), "{}", String::from_utf8_lossy(&ended.stderr));
        let last = progress().last.unwrap();
        assert_eq!((last.verdict, last.fault), (Verdict::Failed, Some(PartFault::Keyring)), "{last:?}");
        assert!(last.parts.iter().all(|part| part.record.is_none()), "nothing was sent: {last:?}");
        // The runner did not wait for a user: after a wait for a dialog of the keyring, the reason would be another one.
        assert!(!last.note.contains(&KeyringError::Slow.to_string()), "{last:?}");
        let window = SavedPlans::open(&app.steward.data_folder);
        let list = window.list(&app.steward.context, &app.site).await.unwrap().plans;
        assert!(
            matches!(
                &list[0].state,
                PlanState::NeedsYou {
                    reason: NeedsYou::Part { state: PartState::Failed { fault: PartFault::Keyring, .. }, .. },
                    ..
                }
            ),
            "{:?}",
            list[0].state
        );
        let history = app.history().await;
        let of_run = history.iter().find(|entry| entry.intent.operation == "run_plan").unwrap();
        assert_eq!(of_run.outcome, Outcome::Failed);

        session.unlock().await;
        let ended = run(&["run-due-plans"]).await;
        assert_eq!(ended.status.code(), Some(0), "{:?}", progress());
        assert_eq!(progress().last.unwrap().verdict, Verdict::AsExpected);
    });
}
