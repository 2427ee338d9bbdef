//! Signing in reads a made-up answer.

#![no_main]

#[path = "support/mod.rs"]
mod support;

use support::decoders;

libfuzzer_sys::fuzz_target!(|data: &[u8]| support::read(data, |endpoint| Box::pin(async move {
    let mut read = decoders::sign_in(endpoint).await;
    read.extend(decoders::grants(endpoint).await);
    read
})));
