//! Learns which fields change by themselves: what differs from the last snapshot is read a second time, and what differs between
//! both readings is set apart from now on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use steward_changes::{
    Key, Kind, PrintKey, Store, StoreError, Substitutions, Value, between, differing, set_apart,
};
use tokio::time::Instant;

use super::reading::{Patterns, Reading};
use super::{AT_ONCE, unexpected};
use crate::files::in_background;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::model::problem::Problem;

/// Most resources of a kind that are read a second time.
const MOST: usize = 50;

/// Shortest time between two readings: a time in whole seconds differs after it.
const APART: Duration = Duration::from_secs(2);

/// Fields of a site that change by themselves.
pub(super) struct Known {
    /// Those that are set apart.
    pub(super) apart: Patterns,
    /// Volatile fields that a user has compared nevertheless.
    compared: Patterns,
}

impl Known {
    /// Reads what was learned before.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the snapshots cannot be read.
    pub(super) async fn of(store: &Arc<Store>, site: &SiteId) -> Result<Self, Problem> {
        let (from, of) = (store.clone(), site.0.clone());
        let all = in_background(move || from.volatile(&of)).await?.map_err(|error| unexpected(&error))?;
        let mut known = Self { apart: Patterns::new(), compared: Patterns::new() };
        for one in all {
            let patterns = if one.is_compared { &mut known.compared } else { &mut known.apart };
            patterns.entry(one.kind).or_default().insert(one.field);
        }
        Ok(known)
    }
}

/// Sets apart what a second reading shows to be volatile.
///
/// # Errors
/// [`Problem::Unexpected`] if the snapshots cannot be read or written.
pub(super) async fn learn(
    store: &Arc<Store>,
    site: &SiteId,
    reading: Reading,
    known: &Known,
    key: Option<&PrintKey>,
) -> Result<Reading, Problem> {
    let began = Instant::now();
    let (from, of) = (store.clone(), site.0.clone());
    let changed = in_background(move || changed(&from, &of, &reading).map(|changed| (reading, changed)));
    let (mut reading, changed) = changed.await?.map_err(|error| unexpected(&error))?;
    if changed.is_empty() {
        return Ok(reading);
    }
    tokio::time::sleep_until(began + APART).await;
    let again = changed.into_iter().filter_map(|name| Some((reading.sources.get(&name)?.clone(), name)));
    let again = stream::iter(again).map(|(source, name)| async move { (source.read(key).await, name) });
    let again: Vec<_> = again.buffered(AT_ONCE).collect().await;
    let mut learned = Patterns::new();
    for (second, name) in again {
        let first = reading.resources.get(&name).and_then(|first| first.fields().ok());
        if let (Some(second), Some(first)) = (second, first) {
            let mut fields = differing(&first, &second);
            fields.retain(|field| !known.compared.get(&name.kind).is_some_and(|kept| kept.contains(field)));
            learned.entry(name.kind).or_default().extend(fields);
        }
    }
    let (to, of) = (store.clone(), site.0.clone());
    let kept = in_background(move || {
        apart(&mut reading.resources, &learned);
        let of_kind = |(kind, all): (Kind, BTreeSet<String>)| all.into_iter().map(move |field| (kind, field));
        to.learn(&of, &learned.into_iter().flat_map(of_kind).collect(), Millis::now().0)?;
        Ok(reading)
    });
    kept.await?.map_err(|error: StoreError| unexpected(&error))
}

/// Returns the resources that differ from their last reading and can be read a second time, at most [`MOST`] of each
/// kind.
fn changed(store: &Store, site: &str, reading: &Reading) -> Result<Vec<Key>, StoreError> {
    let mut changed: BTreeMap<Kind, Vec<Key>> = BTreeMap::new();
    for (key, old) in store.changed_since_last(site, &reading.resources)? {
        let of_kind = changed.entry(key.kind).or_default();
        if of_kind.len() == MOST || !reading.sources.contains_key(&key) {
            continue;
        }
        let new = reading.resources.get(&key).map(Value::fields);
        let (Ok(old), Some(Ok(new))) = (store.fields(old), new) else { continue };
        // A secret that cannot be compared is no difference.
        if !between(&old, &new, &Substitutions::NONE).fields.is_empty() {
            of_kind.push(key);
        }
    }
    Ok(changed.into_values().flatten().collect())
}

fn apart(resources: &mut BTreeMap<Key, Value>, learned: &Patterns) {
    for (key, value) in resources {
        let patterns = learned.get(&key.kind).filter(|patterns| !patterns.is_empty());
        if let (Some(patterns), Ok(mut fields)) = (patterns, value.fields()) {
            set_apart(&mut fields, patterns);
            *value = Value::of(&fields);
        }
    }
}
