//! Who is to be told.

use super::happening::{Happening, LayerEdits};
use super::schedule::next_due;
use crate::app::App;
use crate::clock::now_ms;
use crate::store::services::{self, ServiceName};
use crate::store::webhooks::{self, Webhook};
use crate::store::{features, queue};
use crate::wire::Refusal;
use rusqlite::Transaction;
use serde_json::Value;

/// The active webhooks of one service. What happens while a webhook is inactive is not queued for it.
pub(crate) struct Subscribers(Vec<Webhook>);

impl Subscribers {
    /// None when the service is no more: it can only have gone by an import.
    pub(crate) async fn of(app: &App, service: &ServiceName) -> Result<Subscribers, Refusal> {
        let name = service.clone();
        let mut webhooks = app
            .server
            .read(move |server| match services::find(server, &name) {
                Ok(service) => webhooks::of_service(server, service.id),
                Err(refusal) if refusal.code == 404 => Ok(Vec::new()),
                Err(refusal) => Err(refusal),
            })
            .await?;
        webhooks.retain(|webhook| webhook.active);
        Ok(Subscribers(webhooks))
    }

    /// Queues edits of a layer, for everybody who asked for what took place.
    pub(crate) fn tell_of_edits(&self, tx: &Transaction, edits: &LayerEdits) -> Result<(), Refusal> {
        for webhook in &self.0 {
            let events = asked_for(&webhook.settings["changeTypes"], &edits.events);
            if !events.is_empty() {
                let due = next_due(&webhook.settings["scheduleInfo"], now_ms());
                queue::add_edits(tx, &webhook.id, LayerEdits { events, ..edits.clone() }, due)?;
            }
        }
        Ok(())
    }

    /// Queues the end of a job, for everybody and at once.
    pub(crate) fn tell_of_job(
        &self,
        tx: &Transaction,
        job: &str,
        task: &str,
        status: &str,
    ) -> Result<(), Refusal> {
        let ended =
            Happening::JobEnded { job: job.to_owned(), task: task.to_owned(), status: status.to_owned() };
        self.0.iter().try_for_each(|webhook| queue::add(tx, &webhook.id, &ended, now_ms()))
    }
}

/// The change types that took place and that a webhook asked for, in its own words.
fn asked_for(change_types: &Value, happened: &[String]) -> Vec<String> {
    let asked: Vec<&str> = change_types.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if asked.contains(&"*") {
        return happened.to_vec();
    }
    let edited = [features::CREATED, features::UPDATED, features::DELETED];
    let took_place = |asked: &str| {
        happened
            .iter()
            .any(|event| event == asked || (asked == "FeaturesEdited" && edited.contains(&event.as_str())))
    };
    asked.into_iter().filter(|asked| took_place(asked)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_webhook_hears_what_it_asked_for() {
        let happened = ["FeaturesCreated".to_owned(), "FeaturesDeleted".to_owned()];
        let heard = |asked: Value| asked_for(&asked, &happened).join(",");
        assert_eq!(heard(json!(["*"])), "FeaturesCreated,FeaturesDeleted");
        assert_eq!(heard(json!(["FeaturesDeleted", "FeaturesUpdated"])), "FeaturesDeleted");
        assert_eq!(heard(json!(["FeaturesEdited"])), "FeaturesEdited");
        assert_eq!(heard(json!(["AttachmentsCreated"])), "");
        assert_eq!(heard(Value::Null), "");
    }
}
