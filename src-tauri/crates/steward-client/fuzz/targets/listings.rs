//! Every list, and everything about uploads, reads a made-up answer.

#![no_main]

#[path = "support/mod.rs"]
mod support;

use steward_client::fuzzing;

libfuzzer_sys::fuzz_target!(|data: &[u8]| support::read(data, |endpoint| Box::pin(async move {
    let mut read = fuzzing::listings(endpoint).await;
    read.extend(fuzzing::uploads(endpoint).await);
    read
})));
