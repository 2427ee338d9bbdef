//! Channels of alerts: saved, tried with receivers that repeat what they get, and used by the runner of backup plans.

use std::path::Path;
use std::sync::Arc;

use steward_core::files::data_folder::DataFolder;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use steward_core::settings::policy::Policy;
use steward_plans::alerts::channel::{ChannelEncryption, ChannelForm, ChannelMeans, HeartbeatProtocol};
use steward_plans::alerts::desktop::NoDesktop;
use steward_plans::alerts::settings::TestedChannel;
use steward_plans::plan::{BackupPlan, PlanId, PlanPart};
use steward_plans::process::{Opening, PlanRunner};
use steward_plans::retention::KeepRules;
use steward_plans::schedule::Schedule;
use steward_plans::store;
use steward_testkit::{Reply, TestServer};
use steward_vault::SecretStore;
use tokio::sync::watch;

use crate::left::CANARY;
use crate::program::Program;

/// Every kind of channel, with secrets wherever one can be.
fn forms(origin: &str) -> Vec<ChannelForm> {
    let form = |name: &str, means: ChannelMeans| ChannelForm {
        id: None,
        name: name.to_owned(),
        means,
        address: Some(format!("{origin}/{CANARY}path/x?sig={CANARY}query")),
        password: Some(format!("{CANARY}password")),
        tells_all_well: true,
    };
    let (host, user, from) = ("127.0.0.1".to_owned(), "sam".to_owned(), "steward@example.org".to_owned());
    let (origin, to) = (String::new(), vec!["gis@example.org".to_owned()]);
    let heartbeat = |protocol| ChannelMeans::Heartbeat { origin: String::new(), protocol };
    vec![
        form("1", ChannelMeans::Webhook { origin: origin.clone(), is_signed: false }),
        form("2", ChannelMeans::Slack { origin: origin.clone() }),
        form("3", ChannelMeans::Teams { origin }),
        form("4", heartbeat(HeartbeatProtocol::Healthchecks)),
        form("5", heartbeat(HeartbeatProtocol::SuccessOnly)),
        form("6", ChannelMeans::Mail { host, port: 9, encryption: ChannelEncryption::Tls, user, from, to }),
    ]
}

impl Program {
    /// A plan that fails, and whose receivers say what they got.
    pub(crate) async fn tell_receivers_that_repeat(&self, folder: &Path) {
        let repeating = TestServer::start(|request| {
            let repeated = request.text();
            Reply::new("403 Forbidden", "", repeated.into_bytes())
        })
        .await
        .unwrap();
        let elsewhere = format!("https://example.invalid/{CANARY}target?x={CANARY}");
        let moving = TestServer::start(move |_| Reply::redirect("302 Found", &elsewhere)).await.unwrap();
        let policy = &self.steward.preferences.policy;
        for origin in [repeating.origin(), moving.origin(), "https://nobody.invalid".to_owned()] {
            for form in forms(&origin) {
                let tested = TestedChannel::Channel(Box::new(form));
                let test = self.steward.alerts.test(&self.steward.context, policy, &NoDesktop, tested);
                assert!(self.tell(test.await));
            }
        }
        for form in forms(&repeating.origin()) {
            assert!(self.tell(self.steward.alerts.save(&self.steward.context, policy, form).await));
        }
        let channels = self.steward.alerts.settings().channels;
        let plan = BackupPlan {
            id: PlanId("nightly".to_owned()),
            site: self.site.clone(),
            name: "Every night".to_owned(),
            is_enabled: true,
            since: Millis::now(),
            enabled_since: Millis::now(),
            parts: vec![PlanPart::Server { server: self.server.server.clone().unwrap() }],
            schedule: Schedule { days: Vec::new(), times: Vec::new(), skip_missed: false },
            // It does not exist, and no password is saved: the run does not begin.
            folder: folder.join("not there"),
            delete_stored: false,
            keep: KeepRules::default(),
            rehearse_every: None,
            tells_changes: false,
            alerts: channels.into_iter().map(|channel| channel.id).collect(),
        };
        let (id, data_folder) = (plan.id.clone(), &self.steward.data_folder);
        store::plans(data_folder).change(|plans| *plans = vec![plan]);
        let (vault, runtime_folder) = (self.vault.clone(), data_folder.clone());
        let open = move || {
            let (vault, runtime_folder): (Arc<dyn SecretStore>, _) = (vault.clone(), runtime_folder.clone());
            let desktop = Arc::new(NoDesktop);
            Ok(Opening { policy: Policy::default(), vault, desktop, runtime_folder })
        };
        let held = DataFolder::take_for_runner(data_folder).unwrap();
        PlanRunner::new(held, open, watch::channel(false).1).run_plan(&id).await;
        let got =
            repeating.requests().iter().filter(|request| request.text().contains("plan.signIn")).count();
        assert_eq!(got, 1, "the webhook");
        self.tell(Ok::<_, Problem>(self.steward.alerts.view(policy)));
    }
}
