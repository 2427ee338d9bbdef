//! Made-up bytes are brought as a client certificate.

#![no_main]

use steward_client::fuzzing;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _whether = fuzzing::identity(data);
});
