//! How long a rehearsal takes beside its imports alone. By hand, with `--ignored --nocapture`: no test measures time.

use std::time::{Duration, Instant};

use super::*;

#[tokio::test]
#[ignore = "prints figures, on request"]
async fn what_a_rehearsal_costs_beside_its_imports() {
    let this = Box::pin(Rehearsing::new()).await;
    let mut measured = Vec::new();
    for _ in 0..7 {
        this.test.accept_site_files(true).await.unwrap();
        // What a rehearsal adds to its imports and checks.
        let mut added = Duration::ZERO;
        let whole = Instant::now();
        this.begin().await.unwrap();
        added += whole.elapsed();
        for is_portal in [true, false] {
            let before = Instant::now();
            this.view().await;
            this.open(is_portal).await.unwrap();
            added += before.elapsed();
            if is_portal {
                this.import_portal().await
            } else {
                this.import_server().await
            };
            this.checked(|_| false).await;
        }
        let ends = Instant::now();
        let record = this.end().await.unwrap().unwrap();
        added += ends.elapsed();
        let whole = whole.elapsed();
        let receipt = receipt::view(&this.app.steward.context.history, record).await.unwrap().receipt;
        measured.push((whole, whole.as_secs_f64() / (whole - added).as_secs_f64(), receipt.recovery_time));
    }
    measured.sort_by_key(|(whole, ..)| *whole);
    let (whole, times, recovery) = measured[3];
    println!("a rehearsal {whole:?}, {times:.2} times its imports alone, recovery time {recovery:?}");
}
