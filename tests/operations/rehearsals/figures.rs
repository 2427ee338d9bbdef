//! How long a rehearsal takes beside the same imports alone. By hand, with `--ignored --nocapture`: no test measures time.

use std::time::{Duration, Instant};

use super::*;

const ROUNDS: usize = 7;

/// Waits for the next second: a site waits for a second in which it wrote no file of the same name yet.
async fn a_new_second() {
    let passed = jiff::Timestamp::now().subsec_millisecond();
    tokio::time::sleep(Duration::from_millis(u64::try_from(1_010 - passed).unwrap())).await;
}

#[tokio::test]
#[ignore = "prints figures, on request"]
async fn what_a_rehearsal_costs_beside_its_imports() {
    let this = Box::pin(Rehearsing::new()).await;
    this.begin().await.unwrap();
    let OpenedStep::Portal { location } = this.open(true).await.unwrap() else { panic!() };
    this.test.accept_site_files(true).await.unwrap();
    this.import_portal().await;
    this.checked(|_| false).await;
    let OpenedStep::Server { file, .. } = this.open(false).await.unwrap() else { panic!() };
    this.end().await.unwrap();

    let mut measured = Vec::new();
    for _ in 0..ROUNDS {
        this.test.accept_site_files(true).await.unwrap();
        a_new_second().await;
        let begun = Instant::now();
        this.begin().await.unwrap();
        this.view().await;
        this.import_portal().await;
        this.checked(|_| false).await;
        this.view().await;
        this.test.accept_site_files(true).await.unwrap();
        this.import_server().await;
        this.checked(|_| false).await;
        let record = this.end().await.unwrap().unwrap();
        let rehearsed = begun.elapsed();

        a_new_second().await;
        let begun = Instant::now();
        Box::pin(this.send_portal_from(&location)).await.unwrap();
        this.checked(|_| false).await;
        this.test.accept_site_files(true).await.unwrap();
        Box::pin(this.send_server_from(file.path.clone())).await.unwrap();
        this.checked(|_| false).await;
        let alone = begun.elapsed();
        let receipt = receipt::view(&this.app.steward.context.history, record).await.unwrap().receipt;
        measured.push((rehearsed, alone, receipt.recovery_time));
    }
    let median = |mut times: Vec<Duration>| {
        times.sort_unstable();
        times[ROUNDS / 2]
    };
    let rehearsed = median(measured.iter().map(|(rehearsed, ..)| *rehearsed).collect());
    let alone = median(measured.iter().map(|(_, alone, _)| *alone).collect());
    let times = rehearsed.as_secs_f64() / alone.as_secs_f64();
    println!("a rehearsal {rehearsed:?}, its imports alone {alone:?}: {times:.2} times; {measured:?}");
}
