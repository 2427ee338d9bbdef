//! Webhooks that receive an event.

use super::event::{LayerEdits, WebhookEvent};
use super::schedule::next_due;
use crate::app::App;
use crate::clock::now_ms;
use crate::store::services::{self, ServiceName};
use crate::store::webhooks::{self, Webhook};
use crate::store::{features, queue};
use crate::wire::ApiError;
use rusqlite::Transaction;
use serde_json::Value;

/// Active webhooks of one service. Events during the inactivity of a webhook are not queued for it.
pub(crate) struct Subscribers(Vec<Webhook>);

impl Subscribers {
    /// Reads the active webhooks of a service. Empty if the service no longer exists, because an import removed it.
    pub(crate) async fn of(app: &App, service: &ServiceName) -> Result<Subscribers, ApiError> {
        let name = service.clone();
        let mut webhooks = app
            .server
            .read(move |server| match services::find(server, &name) {
                Ok(service) => webhooks::of_service(server, service.id),
                Err(rejection) if rejection.code == 404 => Ok(Vec::new()),
                Err(rejection) => Err(rejection),
            })
            .await?;
        webhooks.retain(|webhook| webhook.active);
        Ok(Subscribers(webhooks))
    }

    /// Queues the edits of a layer for every webhook that subscribes to one of the change types.
    pub(crate) fn queue_edits(&self, tx: &Transaction, edits: &LayerEdits) -> Result<(), ApiError> {
        for webhook in &self.0 {
            let events = matching_types(&webhook.settings["changeTypes"], &edits.events);
            if !events.is_empty() {
                let due = next_due(&webhook.settings["scheduleInfo"], now_ms());
                queue::add_edits(tx, &webhook.id, LayerEdits { events, ..edits.clone() }, due)?;
            }
        }
        Ok(())
    }

    /// Queues the end of a job for every webhook, due immediately.
    pub(crate) fn queue_job_end(
        &self,
        tx: &Transaction,
        job: &str,
        task: &str,
        status: &str,
    ) -> Result<(), ApiError> {
        let ended =
            WebhookEvent::JobEnded { job: job.to_owned(), task: task.to_owned(), status: status.to_owned() };
        self.0.iter().try_for_each(|webhook| queue::add(tx, &webhook.id, &ended, now_ms()))
    }
}

/// Returns the change types that occurred and that a webhook subscribes to, in the webhook's spelling.
fn matching_types(change_types: &Value, occurred: &[String]) -> Vec<String> {
    let asked: Vec<&str> = change_types.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if asked.contains(&"*") {
        return occurred.to_vec();
    }
    let edited = [features::CREATED, features::UPDATED, features::DELETED];
    let took_place = |asked: &str| {
        occurred
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
    fn webhook_receives_the_subscribed_change_types() {
        let occurred = ["FeaturesCreated".to_owned(), "FeaturesDeleted".to_owned()];
        let matching = |asked: Value| matching_types(&asked, &occurred).join(",");
        assert_eq!(matching(json!(["*"])), "FeaturesCreated,FeaturesDeleted");
        assert_eq!(matching(json!(["FeaturesDeleted", "FeaturesUpdated"])), "FeaturesDeleted");
        assert_eq!(matching(json!(["FeaturesEdited"])), "FeaturesEdited");
        assert_eq!(matching(json!(["AttachmentsCreated"])), "");
        assert_eq!(matching(Value::Null), "");
    }
}
