//! Paging of lists: `start` counts from 1, and `nextStart` is -1 on the last page.

use super::Parameters;
use serde_json::{Value, json};

const LONGEST_PAGE: i64 = 100;

/// Returns one page of `all` under `key`, with each element converted by `shown`.
pub(crate) fn page<T>(parameters: &Parameters, key: &str, all: &[T], shown: impl Fn(&T) -> Value) -> Value {
    let total = i64::try_from(all.len()).unwrap_or(i64::MAX);
    let start = parameters.number("start").unwrap_or(1).max(1);
    let num = parameters.number("num").unwrap_or(LONGEST_PAGE).clamp(1, LONGEST_PAGE);
    let next = start.saturating_add(num);
    let skip = usize::try_from(start - 1).unwrap_or(usize::MAX);
    let take = usize::try_from(num).unwrap_or(0);
    json!({
        "total": total,
        "start": start,
        "num": num,
        "nextStart": if next <= total { next } else { -1 },
        key: all.iter().skip(skip).take(take).map(shown).collect::<Vec<Value>>(),
    })
}
