//! What a real server says of the time.

use std::time::Duration;

use steward_client::{ClientError, Endpoint};

use crate::canned::Canned;
use crate::rehearsal::{http, rehearsal};

#[tokio::test]
async fn the_clock_of_a_site_on_this_computer_is_ours() {
    let rehearsal = rehearsal().await;

    for endpoint in [rehearsal.portal(), rehearsal.server()] {
        let clock = endpoint.clock().await.unwrap().unwrap();
        assert!(!clock.differs_by_more_than(Duration::from_secs(1)), "{clock:?}");
    }
}

#[tokio::test]
async fn a_server_that_names_no_date_has_no_clock_and_one_that_is_gone_is_said() {
    let site = Canned::answering(&[]).await;
    let endpoint = Endpoint::new(http(), site.root("server"));
    assert_eq!(endpoint.clock().await.unwrap(), None);
    assert!(site.asked().iter().all(|asked| !asked.head.to_lowercase().contains("authorization")));

    drop(site);
    let gone = Endpoint::new(http(), url::Url::parse("http://127.0.0.1:1/server").unwrap());
    assert!(matches!(gone.clock().await, Err(ClientError::Unreachable { .. })));
}
