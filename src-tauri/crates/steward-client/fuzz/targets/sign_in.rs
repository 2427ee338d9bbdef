//! Signing in reads a made-up answer.

#![no_main]

#[path = "support/mod.rs"]
mod support;

use steward_client::decoders;

libfuzzer_sys::fuzz_target!(|data: &[u8]| support::read(data, |area| Box::pin(async move {
    let mut read = decoders::sign_in(area).await;
    read.extend(decoders::grants(area).await);
    read
})));
