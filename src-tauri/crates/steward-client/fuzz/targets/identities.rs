//! Made-up bytes are brought as a client certificate.

#![no_main]

use steward_client::decoders;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _whether = decoders::identity(data);
});
