//! A download from a made-up address reads a made-up answer; a line end parts the two.

#![no_main]

#[path = "support/mod.rs"]
mod support;

use support::decoders;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let (address, answer) = data.split_at(end);
    let address = String::from_utf8_lossy(address).into_owned();
    support::read(answer, move |endpoint| {
        let address = address.clone();
        Box::pin(async move { decoders::downloads(endpoint, &address).await })
    });
});
