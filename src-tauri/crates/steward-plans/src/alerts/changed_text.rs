//! Facts and texts of an alert about the changes of a night.

use jiff::tz::TimeZone;
use serde::Serialize;
use steward_core::changes::view::{ComparisonView, DifferenceView, NotComparedView};
use steward_core::model::localized_text::Texts;
use steward_core::model::numbers::Millis;

use super::night::{local, utc};

/// Changes of a site since the snapshot of an earlier run that are not accepted. Values of fields are not included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangedNight {
    /// When the earlier snapshot was taken.
    #[serde(serialize_with = "utc")]
    pub since: Millis,
    /// Number of the changes that an entry of the history explains.
    pub by_app: usize,
    /// Number of the changes that no entry of the history explains.
    pub not_by_app: usize,
    /// Each change, in the language of the app.
    pub changes: Vec<String>,
    /// Resources that were not compared, with the reason in English or in the words of the site, for programs.
    pub not_compared: Vec<String>,
    /// Resources that were not compared, without the reason.
    #[serde(skip)]
    gaps: Vec<String>,
    /// Whether the history could be read.
    #[serde(skip)]
    is_history_known: bool,
}

impl ChangedNight {
    /// Returns the facts of a comparison that the alert has.
    pub(crate) fn new(comparison: &ComparisonView, since: Millis, texts: &Texts) -> Self {
        let open: Vec<_> = comparison.differences.iter().filter(|one| one.accepted.is_none()).collect();
        let by_app = open.iter().filter(|one| one.by.is_some()).count();
        Self {
            since,
            by_app,
            not_by_app: open.len() - by_app,
            changes: open.into_iter().map(|one| change(one, texts)).collect(),
            not_compared: comparison.not_compared.iter().map(|one| reasoned_gap(one, texts)).collect(),
            gaps: comparison.not_compared.iter().map(|one| gap(one, texts)).collect(),
            is_history_known: comparison.is_history_known,
        }
    }

    /// Returns the numbers of the changes as a sentence.
    pub(super) fn headline(&self, texts: &Texts, zone: &TimeZone) -> String {
        let (all, by_app, other) = (self.changes.len(), self.by_app, self.not_by_app);
        let numbers = [all, by_app, other].map(|number| number.to_string());
        let given = [
            ("count", numbers[0].as_str()),
            ("byApp", &numbers[1]),
            ("other", &numbers[2]),
            ("since", &local(self.since, zone)),
        ];
        let key = if self.is_history_known { "headline" } else { "headlineUnknown" };
        texts.say(&format!("alert.changed.{key}"), &given)
    }

    /// Returns at most `most` changes, and at most as many resources that were not compared.
    pub(super) fn lines(&self, most: usize) -> impl Iterator<Item = String> {
        self.changes.iter().take(most).chain(self.gaps.iter().take(most)).cloned()
    }
}

fn change(one: &DifferenceView, texts: &Texts) -> String {
    let kind = texts.say(&format!("changesFile.kinds.{}", one.key.kind.name()), &[]);
    let change = texts.say(&format!("changesFile.changes.{:?}", one.change), &[]);
    let place = one.server.clone().unwrap_or_else(|| texts.say("alert.changed.portal", &[]));
    let by = if one.by.is_some() { "alert.changed.byApp" } else { "alert.changed.one" };
    texts.say(by, &[("kind", &kind), ("name", &one.key.name), ("place", &place), ("change", &change)])
}

fn gap(one: &NotComparedView, texts: &Texts) -> String {
    let kind = texts.say(&format!("changesFile.kinds.{}", one.resource_kind.name()), &[]);
    let place = one.server.clone().unwrap_or_else(|| texts.say("alert.changed.portal", &[]));
    texts.say("alert.changed.notCompared", &[("kind", &kind), ("name", &one.name), ("place", &place)])
}

fn reasoned_gap(one: &NotComparedView, texts: &Texts) -> String {
    format!("{}: {}", gap(one, texts), one.reason)
}
