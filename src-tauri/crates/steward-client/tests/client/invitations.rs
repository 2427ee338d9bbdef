//! An invitation that is refreshed, and then cannot be read.

use std::sync::Arc;

use steward_client::operations::refresh_invitation::RefreshInvitation;
use steward_client::{Endpoint, IssuedToken, Renewal};
use steward_vault::Secret;

use crate::canned::Canned;
use crate::rehearsal::http;
use crate::sessions::{Kept, session};

const RECORD: &str = "/portal/sharing/rest/portals/p/collaborations/c/invitations/i";

#[tokio::test]
async fn a_token_that_ends_between_refresh_and_reading_does_not_refresh_twice() {
    let refresh = format!("{RECORD}/refresh");
    let canned = Canned::answering(&[
        (refresh.as_str(), r#"{"success":true}"#),
        (RECORD, r#"{"error":{"code":498,"message":"Invalid Token.","details":[]}}"#),
        ("/portal/sharing/rest/generateToken", r#"{"token":"next","expires":1767225600000}"#),
    ])
    .await;
    let renewal = Renewal::Password {
        path: ["sharing", "rest", "generateToken"].map(str::to_owned).to_vec(),
        username: "steward".to_owned(),
        password: Secret::new("canary".to_owned()),
        rejected: Arc::default(),
    };
    let token = IssuedToken { token: Secret::new("T".to_owned()), expires_at: None };
    let portal = Endpoint::new(http(), canned.root("portal"));
    let portal = session(portal, token, renewal, &Kept::default()).endpoint();
    let [portal_id, collaboration_id, invitation_id] = ["p", "c", "i"].map(str::to_owned);

    let refresh = RefreshInvitation { portal_id, collaboration_id, invitation_id };
    let failed = refresh.send(portal.permit_unchecked().await).await.map(|_| ()).unwrap_err();

    assert!(failed.may_have_taken_effect());
    let refreshed = canned.asked().into_iter().filter(|asked| asked.path().ends_with("/refresh"));
    assert_eq!(refreshed.count(), 1);
}
