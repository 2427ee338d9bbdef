//! What a payload is about.

use serde::{Deserialize, Serialize};

/// What has happened, as the queue keeps it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Happening {
    /// Features were edited; one entry for each layer.
    Edited(Vec<LayerEdits>),
    /// A job has ended.
    #[serde(rename_all = "camelCase")]
    JobEnded { job: String, task: String, status: String },
}

/// The edits of one layer between two generations.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LayerEdits {
    pub(crate) layer: i64,
    /// The change types that took place and that the webhook asked for.
    pub(crate) events: Vec<String>,
    pub(crate) from: i64,
    pub(crate) to: i64,
    /// Milliseconds since 1970.
    pub(crate) last: i64,
}

impl Happening {
    /// Adds later edits to those that are still to be told.
    pub(crate) fn and_also(&mut self, later: LayerEdits) {
        let Happening::Edited(layers) = self else { return };
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
    fn edits_of_one_layer_are_told_as_one() {
        let mut happening = Happening::Edited(vec![edits(0, "FeaturesCreated", 4)]);
        happening.and_also(edits(0, "FeaturesDeleted", 7));
        happening.and_also(edits(0, "FeaturesCreated", 9));
        happening.and_also(edits(1, "FeaturesUpdated", 9));
        let Happening::Edited(layers) = happening else { panic!("no edits") };
        assert_eq!(layers.len(), 2);
        assert_eq!((layers[0].from, layers[0].to, layers[0].last), (4, 10, 9));
        assert_eq!(layers[0].events, ["FeaturesCreated", "FeaturesDeleted"]);
    }
}
