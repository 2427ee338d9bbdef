//! Reads whether a server can use its data store items. The server validates them; nothing is changed.

use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use steward_client::listing::{self, Gap};
use steward_client::operations::find_items::FindItems;
use steward_client::{ClientError, Endpoint};

use super::AT_ONCE;
use super::facts::{DataReading, NotRead, OpenItem, Read};
use crate::files::in_background;
use crate::model::numbers::count;
use crate::operations::find_items::validation::{ItemValidations, Verdict, server_of, validated};
use crate::sites::TargetSite;

/// Maximum number of items that are validated, each with a request. Those beyond are only counted.
const MOST: usize = 1_000;

/// Validates the items of a server. The results are stored in `validations`, where the page of the items has its own.
pub(super) async fn read(
    server: &Endpoint,
    component: &TargetSite,
    validations: Option<&Arc<ItemValidations>>,
) -> Read<DataReading> {
    let site = &component.id;
    let mut found = DataReading::default();
    let mut items = Vec::new();
    let roots = listing::data_roots(server).await.map_err(|error| NotRead::of_client_at(&error, site))?;
    for root in roots {
        if root.is_empty() {
            found.unlisted.push(("…".to_owned(), NotRead::missing("the path is too long")));
            continue;
        }
        let search = FindItems { ancestor_path: root.clone(), ..FindItems::default() };
        let mut left_out = 0;
        let keep = |item: &str| {
            if items.len() < MOST {
                items.push(item.to_owned());
            } else {
                left_out += 1;
            }
            Some(())
        };
        match search.send(server, keep).await {
            Ok((list, _)) => {
                found.left_out += left_out;
                let gap = Gap::of_list(&list);
                found.unlisted.extend(gap.map(|gap| (root, NotRead::of_gap(&gap))));
            }
            Err(error) if error.is_of_one_resource() => {
                found.unlisted.push((root, NotRead::of_client_at(&error, site)));
            }
            Err(error) => return Err(NotRead::of_client_at(&error, site)),
        }
    }
    found.items = count(items.len()).saturating_add(found.left_out);
    let validate = |item: String| async move { validated(server, &item).await };
    let results: Result<Vec<_>, ClientError> =
        stream::iter(items).map(validate).buffered(AT_ONCE).try_collect().await;
    let results = results.map_err(|error| NotRead::of_client_at(&error, site))?;
    if let Some(validations) = validations.cloned() {
        let (site, at, results) = (site.clone(), server_of(component), results.clone());
        let kept = in_background(move || validations.keep(&site, &at, results)).await;
        if let Err(problem) = kept {
            tracing::warn!(?problem, "the validations of a check are not stored");
        }
    }
    for result in results {
        if result.verdict <= Verdict::Warnings {
            found.valid += 1;
        }
        if result.verdict != Verdict::Valid {
            let reason = result.reasons.into_iter().next().unwrap_or_default();
            found.open.push(OpenItem { path: result.path, verdict: result.verdict, reason });
        }
    }
    Ok(found)
}
