//! Every operation reads a made-up answer.

#![no_main]

#[path = "support/mod.rs"]
mod support;

use support::decoders;

libfuzzer_sys::fuzz_target!(|data: &[u8]| support::read(data, |endpoint| Box::pin(decoders::operations(endpoint))));
