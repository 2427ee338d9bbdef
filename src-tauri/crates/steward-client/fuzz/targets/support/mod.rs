//! A made-up answer: its first byte picks the HTTP status, the rest is the body.

#[path = "../../../tests/situations/decoders.rs"]
pub mod decoders;

use std::pin::Pin;

use decoders::Read;
use steward_client::{ClientError, Endpoint, fuzzing};

type Reading<'a> = Pin<Box<dyn Future<Output = Vec<Read>> + 'a>>;

const STATUSES: [u16; 8] = [200, 200, 200, 200, 201, 403, 500, 502];

/// Lets `decoders` read it. What comes of it is a reply, a refusal or something unreadable, without the token.
pub fn read(data: &[u8], decoders: impl for<'a> Fn(&'a Endpoint) -> Reading<'a>) {
    let Some((first, body)) = data.split_first() else { return };
    let status = STATUSES[usize::from(*first) % STATUSES.len()];
    let endpoint = fuzzing::answering(status, "application/json", body.to_vec()).expect("an endpoint");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    for (decoder, read) in runtime.block_on(decoders(&endpoint)) {
        match read {
            Ok(_) => assert!(status < 300, "{decoder} trusts HTTP {status}"),
            Err(ClientError::Rejected { .. }) => {}
            Err(ClientError::Unreadable { excerpt, raw, .. }) => {
                assert!(!excerpt.contains(fuzzing::TOKEN), "{decoder} shows the token");
                assert!(raw.is_none_or(|raw| !raw.body.contains(fuzzing::TOKEN)), "{decoder} keeps the token");
            }
            Err(error) => panic!("{decoder}: {error:?}"),
        }
    }
}
