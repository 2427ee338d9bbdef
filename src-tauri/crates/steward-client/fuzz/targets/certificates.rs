//! A server presents made-up bytes as its certificate: they are described and refused.

#![no_main]

use std::sync::LazyLock;

use steward_client::fuzzing::Certificates;

static CERTIFICATES: LazyLock<Certificates> =
    LazyLock::new(|| Certificates::new().expect("the system's authorities"));

libfuzzer_sys::fuzz_target!(|data: &[u8]| assert!(CERTIFICATES.read(data).is_some(), "accepted"));
