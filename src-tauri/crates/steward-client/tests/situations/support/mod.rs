//! Sites of many kinds, and who asks them.

mod certificates;

pub(crate) use certificates::{Authority, Certified, expired, not_yet_valid, self_signed};

use std::time::Duration;

use steward_client::operations::export_portal::ExportPortal;
use steward_client::{ClientError, Endpoint, Http, Route, Trust, TrustedCertificate};
use steward_vault::Secret;
use url::Url;

/// Never to be seen where it was not sent.
pub(crate) const TOKEN: &str = "canary-token";

/// The clock goes forward, and whatever was waiting for it has had its turn.
pub(crate) async fn pass(time: Duration) {
    tokio::time::pause();
    let _frozen = Frozen;
    tokio::time::advance(time).await;
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

/// A clock that stands still. It goes on when this is dropped, also where nobody waits for [`pass`] any more.
struct Frozen;

impl Drop for Frozen {
    fn drop(&mut self) {
        tokio::time::resume();
    }
}

/// A client that trusts an authority.
pub(crate) fn trusting(authority: &Authority) -> Trust {
    Trust { ca_pem: Some(authority.pem()), ..Trust::default() }
}

/// A client for which a person accepted this certificate at this site, whatever the system says of it.
pub(crate) fn accepting(certified: &Certified, root: &str) -> Trust {
    let certificate = TrustedCertificate::new(&Url::parse(root).unwrap(), &certified.fingerprint());
    Trust { trusted_certificates: vec![certificate], ..Trust::default() }
}

/// A signed-in endpoint of a site, spoken to directly.
pub(crate) fn endpoint(trust: &Trust, root: &str) -> Endpoint {
    let http = Http::with_route(trust, &Route::Direct).unwrap();
    Endpoint::new(http, Url::parse(root).unwrap()).with_token(Secret::new(TOKEN.to_owned()))
}

/// A request that changes something.
pub(crate) async fn post(endpoint: &Endpoint) -> Result<(), ClientError> {
    let export = ExportPortal { location: "/backups".to_owned(), store: None, validate: false };
    let sent = async { export.send(endpoint.permit_unchecked().await).await };
    tokio::time::timeout(Duration::from_secs(20), sent).await.expect("no answer in time").map(drop)
}

/// A request that only looks.
pub(crate) async fn get(endpoint: &Endpoint) -> Result<Vec<String>, ClientError> {
    let asked = steward_client::listing::data_roots(endpoint);
    tokio::time::timeout(Duration::from_secs(20), asked).await.expect("no answer in time")
}

/// What the request above was answered with.
pub(crate) const DONE: &str =
    r#"{"status":"success","location":"/backups/a","rootItems":["/enterpriseDatabases"]}"#;
