//! Every list, and everything about uploads, reads a made-up answer.

#![no_main]

#[path = "support/mod.rs"]
mod support;

use steward_client::decoders;

libfuzzer_sys::fuzz_target!(|data: &[u8]| support::read(data, |area| Box::pin(async move {
    let mut read = decoders::listings(area).await;
    read.extend(decoders::uploads(area).await);
    read
})));
