//! The program ends while an import of a rehearsal is on its way. Its other steps are in the tests beside it, and in the journey.

use steward_core::follow_up::outcome_check::resolve;
use steward_testkit::until;

use super::*;

#[tokio::test]
async fn an_import_that_was_cut_off_is_unknown_and_is_not_sent_again_by_itself() {
    for (is_portal, operation) in [(true, Operation::ImportPortal), (false, Operation::ImportServer)] {
        let this = Box::pin(Rehearsing::new()).await;
        this.begin().await.unwrap();
        this.app.steward.rehearsals.skip(&this.site, None, !is_portal).unwrap();
        // A portal checks the file first.
        for seconds in if is_portal { vec![0, 3_600] } else { vec![3_600] } {
            let fault = InjectedFault::Delay;
            this.test.add_fault(FaultRule { operation, fault, times: 1, seconds, after: true });
        }
        let send = Box::pin(async {
            if is_portal { this.send_portal().await.map(drop) } else { this.send_server().await.map(drop) }
        });
        tokio::select! {
            () = until("the import was sent", async || this.test.faults().is_empty()) => {}
            ended = send => panic!("{ended:?}"),
        }

        let this = this.restarted();

        let place = usize::from(!is_portal);
        let context = &this.app.steward.context;
        this.app.steward.proofs.check_due(context).await;
        assert_eq!(this.states().await[place], StepState::Unknown);
        assert_eq!(this.next().await, Some(is_portal), "the user decides what comes next");
        assert_eq!(this.imports().await, 1);
        let import = this.view().await.steps.swap_remove(place).part.import.unwrap();
        resolve(context, import.record.clone(), Outcome::Succeeded, "").await.unwrap();
        let states = this.states().await;
        let is_imported =
            matches!(states[place], StepState::ComingBack | StepState::NotKnown | StepState::BackBut);
        assert!(is_imported, "{states:?}");
        let receipt =
            receipt::view(&context.history, this.end().await.unwrap().unwrap()).await.unwrap().receipt;
        assert_eq!(receipt.parts[place].import.as_ref().map(|one| &one.record), Some(&import.record));
        assert_ne!(receipt.verdict, RehearsalVerdict::Back);
        assert_eq!(this.imports().await, 1);
    }
}
