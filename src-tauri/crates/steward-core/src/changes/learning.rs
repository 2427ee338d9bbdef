//! Learns which fields change by themselves: what differs from the last snapshot is read a second time, and what differs between
//! both readings is set apart from now on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use steward_changes::{
    Fields, Key, Kind, PrintKey, Store, StoreError, Substitutions, between, differing, set_apart,
};
use tokio::time::Instant;

use super::reading::Reading;
use super::{AT_ONCE, unexpected};
use crate::files::in_background;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::model::problem::Problem;

/// Most resources of a kind that are read a second time.
const MOST: usize = 50;

/// Shortest time between two readings: a time in whole seconds differs after it.
const APART: Duration = Duration::from_secs(2);

type Patterns = BTreeMap<Kind, BTreeSet<String>>;

/// Sets apart what is known to be volatile, and what a second reading shows to be.
///
/// # Errors
/// [`Problem::Unexpected`] if the snapshots cannot be read or written.
pub(super) async fn learn(
    store: &Arc<Store>,
    site: &SiteId,
    reading: &mut Reading,
    key: Option<&PrintKey>,
) -> Result<(), Problem> {
    let began = Instant::now();
    let mut resources = std::mem::take(&mut reading.resources);
    let (from, of) = (store.clone(), site.0.clone());
    let sources: BTreeSet<Key> = reading.sources.keys().cloned().collect();
    let (resources_back, changed, compared) = in_background(move || -> Result<_, StoreError> {
        let (mut known, mut compared) = (Patterns::new(), Patterns::new());
        for one in from.volatile(&of)? {
            let patterns = if one.is_compared { &mut compared } else { &mut known };
            patterns.entry(one.kind).or_default().insert(one.field);
        }
        apart(&mut resources, &known);
        let before = from.newest(&of)?;
        let mut changed: BTreeMap<Kind, Vec<Key>> = BTreeMap::new();
        for (key, fields) in resources.iter().filter(|(key, _)| sources.contains(*key)) {
            let value = before.resources.get(key).and_then(|held| held.value);
            let Some(Ok(old)) = value.map(|value| from.fields(value)) else { continue };
            let of_kind = changed.entry(key.kind).or_default();
            if of_kind.len() < MOST && !between(&old, fields, &Substitutions::NONE).fields.is_empty() {
                of_kind.push(key.clone());
            }
        }
        Ok((resources, changed.into_values().flatten().collect::<Vec<_>>(), compared))
    })
    .await?
    .map_err(|error| unexpected(&error))?;
    reading.resources = resources_back;
    if changed.is_empty() {
        return Ok(());
    }
    tokio::time::sleep_until(began + APART).await;
    let again = changed.into_iter().filter_map(|name| Some((reading.sources.get(&name)?.clone(), name)));
    let again = stream::iter(again).map(|(source, name)| async move { (source.read(key).await, name) });
    let again: Vec<_> = again.buffered(AT_ONCE).collect().await;
    let mut learned = Patterns::new();
    for (second, name) in again {
        if let (Some(second), Some(first)) = (second, reading.resources.get(&name)) {
            let mut fields = differing(first, &second);
            fields.retain(|field| !compared.get(&name.kind).is_some_and(|kept| kept.contains(field)));
            learned.entry(name.kind).or_default().extend(fields);
        }
    }
    apart(&mut reading.resources, &learned);
    let fields = learned.into_iter().flat_map(|(kind, all)| all.into_iter().map(move |field| (kind, field)));
    let fields: BTreeSet<_> = fields.collect();
    let (to, of) = (store.clone(), site.0.clone());
    let kept = in_background(move || to.learn(&of, &fields, Millis::now().0)).await?;
    kept.map_err(|error| unexpected(&error))
}

fn apart(resources: &mut BTreeMap<Key, Fields>, patterns: &Patterns) {
    for (key, fields) in resources {
        if let Some(patterns) = patterns.get(&key.kind) {
            set_apart(fields, patterns);
        }
    }
}
