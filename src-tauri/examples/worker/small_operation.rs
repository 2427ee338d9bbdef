//! Corrects a partner's contact as the program does and by a bare request, in turns, and says what each took: what
//! the program adds to a site's own time.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use steward_client::listing::Participant;
use steward_core::operations::update_participant;
use steward_core::runs::RunId;

use crate::test_app::{self, TestApp, Who, said};

/// How often; the first few are not counted.
const TIMES: usize = 60;
const NOT_COUNTED: usize = 10;

pub(crate) async fn perform(who: &Who) -> Result<()> {
    let app = TestApp::signed_in(who, "unused".into()).await?;
    let (portal, portal_id) = app.portal().await?;
    let guest = test_app::guest(&portal, &portal_id).await?;
    let bare = Bare::signed_in(who, &portal_id, &guest).await?;

    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for turn in 0..TIMES {
        let first_name = format!("Kim {turn}");
        let (run, contact) = (RunId(turn.to_string()), test_app::contact(&guest, first_name.clone()));
        let began = Instant::now();
        update_participant::perform(&app.steward.context, &app.site, run, contact).await.map_err(said)?;
        ours.push(began.elapsed());
        theirs.push(bare.update(&first_name).await?);
    }
    println!("{}", json!({ "ours": median(&ours), "theirs": median(&theirs) }));
    Ok(())
}

/// The same request, and nothing around it.
struct Bare {
    http: reqwest::Client,
    address: String,
    token: String,
}

impl Bare {
    async fn signed_in(who: &Who, portal_id: &str, guest: &Participant) -> Result<Self> {
        let certificate = reqwest::Certificate::from_pem(&std::fs::read(&who.ca_certificate)?)?;
        let http = reqwest::Client::builder().add_root_certificate(certificate).build()?;
        let rest = format!("{}/sharing/rest", who.portal.trim_end_matches('/'));
        let form = [
            ("username", who.username.as_str()),
            ("password", &who.password),
            ("client", "requestip"),
            ("f", "json"),
        ];
        let answer: Value =
            http.post(format!("{rest}/generateToken")).form(&form).send().await?.json().await?;
        let token = answer["token"].as_str().with_context(|| format!("no token: {answer}"))?.to_owned();
        let Participant { collaboration_id, portal_id: partner, .. } = guest;
        let address = format!(
            "{rest}/portals/{portal_id}/collaborations/{collaboration_id}/participants/{partner}/updateInfo"
        );
        Ok(Self { http, address, token })
    }

    async fn update(&self, first_name: &str) -> Result<Duration> {
        let form = [
            ("contactFirstname", first_name),
            ("contactLastname", "Harbour"),
            ("contactEmailAddress", "kim.harbour@example.net"),
            ("token", &self.token),
            ("f", "json"),
        ];
        let began = Instant::now();
        let answer: Value = self.http.post(&self.address).form(&form).send().await?.json().await?;
        let took = began.elapsed();
        ensure!(answer["error"].is_null(), "the bare request was refused: {answer}");
        Ok(took)
    }
}

/// Of those that count, in milliseconds.
fn median(times: &[Duration]) -> f64 {
    let mut counted: Vec<f64> =
        times.iter().skip(NOT_COUNTED).map(|time| time.as_secs_f64() * 1_000.0).collect();
    counted.sort_by(f64::total_cmp);
    counted.get(counted.len() / 2).copied().unwrap_or_default()
}
