//! A site with a backup plan that is due, for the program itself as the runner: with the real keyring of the session.

use std::path::Path;

use jiff::{Timestamp, ToSpan as _};
use steward_core::model::numbers::Millis;
use steward_plans::alerts::channel::{ChannelForm, ChannelMeans};
use steward_plans::plan::{BackupPlan, ChannelId, PlanId, PlanPart};
use steward_plans::retention::KeepRules;
use steward_plans::schedule::{Day, Schedule, TimeOfDay};
use steward_plans::store;
use steward_testkit::{Request, TestServer};
use steward_vault::{KeyringStore, Secret, SecretStore as _};

use crate::test_app::TestApp;

/// A practice site, and the program that is signed in to it with a saved password. Its data folder and its secrets are where
/// `site-steward` looks for them. `data` is the folder of the user's data.
pub(crate) async fn site_of_the_program(data: &Path) -> TestApp {
    let app = TestApp::new().await;
    app.save_password().await;
    std::fs::create_dir_all(data).unwrap();
    std::os::unix::fs::symlink(&app.steward.data_folder, data.join("org.sitesteward.desktop")).unwrap();
    store_sessions(&app).await;
    app
}

/// Writes what the app has in its memory in place of the keyring to the keyring of the system, where the runner reads it.
pub(crate) async fn store_sessions(app: &TestApp) {
    let keyring = KeyringStore::new("site-steward").unwrap();
    for name in app.kept_names().await {
        let secret = Secret::new(app.kept(name).await.unwrap());
        keyring.set(&format!("{}/{name}", app.site.0), secret).await.unwrap();
    }
}

/// Saves a plan of the server alone, which was due an hour ago, in place of all others.
pub(crate) fn save_due_plan(app: &TestApp, id: &str) -> BackupPlan {
    let due = (Timestamp::now() - 1.hour()).to_zoned(jiff::tz::TimeZone::system());
    let day = Day::ALL[usize::try_from(due.weekday().to_monday_zero_offset()).unwrap()];
    let time = TimeOfDay { hour: due.hour().try_into().unwrap(), minute: due.minute().try_into().unwrap() };
    let plan = BackupPlan {
        id: PlanId(id.to_owned()),
        site: app.site.clone(),
        name: id.to_owned(),
        is_enabled: true,
        since: Millis((Timestamp::now() - 2.hours()).as_millisecond()),
        enabled_since: Millis((Timestamp::now() - 2.hours()).as_millisecond()),
        parts: vec![PlanPart::Server { server: app.server.server.clone().unwrap() }],
        schedule: Schedule { days: vec![day], times: vec![time], skip_missed: false },
        folder: app.folder(id),
        delete_stored: false,
        keep: KeepRules::default(),
        rehearse_every: None,
        tells_changes: false,
        alerts: Vec::new(),
    };
    let saved = plan.clone();
    store::plans(&app.steward.data_folder).change(|plans| *plans = vec![saved]);
    plan
}

/// Saves a channel for alerts, whose receiver is a program.
pub(crate) async fn save_channel(app: &TestApp, receiver: &TestServer) -> ChannelId {
    let means = ChannelMeans::Webhook { origin: String::new(), is_signed: false };
    let address = Some(format!("{}/hook", receiver.origin()));
    let (id, name, password) = (None, "Own program".to_owned(), None);
    let form = ChannelForm { id, name, means, address, password, tells_all_well: false };
    let steward = &app.steward;
    let saved = steward.alerts.save(&steward.context, &steward.preferences.policy, form).await.unwrap();
    saved.channels.into_iter().next().unwrap().channel.id
}

/// What an alert that arrived is about.
pub(crate) fn event_of(request: &Request) -> String {
    let text = request.text();
    let (_, body) = text.split_once("\r\n\r\n").unwrap();
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    body["event"].as_str().unwrap().to_owned()
}
