//! Events that payloads report.

use serde::{Deserialize, Serialize};

/// Event as stored in the queue.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum WebhookEvent {
    /// Edits of features, one entry per layer.
    Edited(Vec<LayerEdits>),
    /// End of a job.
    #[serde(rename_all = "camelCase")]
    JobEnded { job: String, task: String, status: String },
}

/// Edits of one layer between two generations.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LayerEdits {
    pub(crate) layer: i64,
    /// Change types that occurred and that the webhook subscribes to.
    pub(crate) events: Vec<String>,
    pub(crate) from: i64,
    pub(crate) to: i64,
    /// Time of the last edit, in milliseconds since 1970.
    pub(crate) last: i64,
}

impl WebhookEvent {
    /// Merges later edits of a layer into undelivered ones.
    pub(crate) fn merge(&mut self, later: LayerEdits) {
        let WebhookEvent::Edited(layers) = self else { return };
        match layers.iter_mut().find(|known| known.layer == later.layer) {
            Some(known) => {
                known.to = later.to;
                known.last = later.last;
                for event in later.events {
                    if !known.events.contains(&event) {
                        known.events.push(event);
                    }
                }
            }
            None => layers.push(later),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(layer: i64, event: &str, from: i64) -> LayerEdits {
        LayerEdits { layer, events: vec![event.to_owned()], from, to: from + 1, last: from }
    }

    #[test]
    fn edits_of_one_layer_are_merged() {
        let mut event = WebhookEvent::Edited(vec![edits(0, "FeaturesCreated", 4)]);
        event.merge(edits(0, "FeaturesDeleted", 7));
        event.merge(edits(0, "FeaturesCreated", 9));
        event.merge(edits(1, "FeaturesUpdated", 9));
        let WebhookEvent::Edited(layers) = event else { panic!("no edits") };
        assert_eq!(layers.len(), 2);
        assert_eq!((layers[0].from, layers[0].to, layers[0].last), (4, 10, 9));
        assert_eq!(layers[0].events, ["FeaturesCreated", "FeaturesDeleted"]);
    }
}
