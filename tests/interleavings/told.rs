//! The ends that the window is told, in a file that the tests of the window show: `ui/src/app/told-ends.test.tsx`.
//!
//! In the run with each request, an end with a shape that the file does not have is a failure. `WRITE_ENDS=1` adds an example of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use steward_core::model::operation::OperationKey;
use steward_journal::Outcome;

use crate::operations::Subject;

/// Examples of the ends of all cases, by their shape.
static TOLD: Mutex<BTreeMap<String, Value>> = Mutex::new(BTreeMap::new());

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/ends.json")
}

/// Keeps the end of an operation with a page, as its command returned it, and the outcome in its record.
pub(crate) fn keep(subject: Subject, end: Option<Value>, outcome: Outcome, origin: &str) {
    let Some(key) = OperationKey::ALL.into_iter().find(|key| key.name() == subject.record()) else { return };
    let Some(end) = end else { return };
    let told = plain(json!({ "operation": key, "outcome": outcome, "end": end }), origin);
    let shape = shape(&told).to_string();
    TOLD.lock().unwrap_or_else(PoisonError::into_inner).entry(shape).or_insert(told);
}

/// Compares the ends of all cases with the file, or adds them to it.
pub(crate) fn all_are_in_the_file() {
    let text = std::fs::read_to_string(file()).unwrap_or_else(|_| "[]".to_owned());
    let kept: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut all: BTreeMap<_, _> = kept.into_iter().map(|told| (shape(&told).to_string(), told)).collect();
    let told = TOLD.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let new: BTreeMap<_, _> = told.into_iter().filter(|(shape, _)| !all.contains_key(shape)).collect();
    if std::env::var_os("WRITE_ENDS").is_some() {
        all.extend(new);
        let lines: Vec<_> = all.values().map(Value::to_string).collect();
        std::fs::write(file(), format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
        return;
    }
    let new: Vec<_> = new.values().map(Value::to_string).collect();
    assert!(
        new.is_empty(),
        "tests/fixtures/ends.json has no example of {} ends:\n{}",
        new.len(),
        new.join("\n")
    );
}

/// Returns an end without what differs in each run: addresses, identifiers, and times.
fn plain(value: Value, origin: &str) -> Value {
    const LATE: u64 = 1_000_000_000_000;
    match value {
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (name, plain(value, origin))).collect()
        }
        Value::Array(all) => all.into_iter().map(|value| plain(value, origin)).collect(),
        Value::String(text) if is_identifier(&text) => "r-1".into(),
        Value::String(text) => text.replace(origin, "https://gis.example.org").into(),
        Value::Number(number) if number.as_u64().is_some_and(|number| number > LATE) => LATE.into(),
        other => other,
    }
}

/// Returns whether a text is an identifier that the program made.
fn is_identifier(text: &str) -> bool {
    text.len() == 36 && text.split('-').map(str::len).eq([8, 4, 4, 4, 12])
}

/// Returns what decides how an end is shown: kinds, states, and whether there is anything.
fn shape(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                let is_word =
                    matches!(name.as_str(), "kind" | "stage" | "state" | "step" | "level" | "status");
                let is_kept = is_word || matches!(name.as_str(), "operation" | "outcome" | "code");
                (name.clone(), if is_kept { value.clone() } else { shape(value) })
            };
            fields.iter().map(field).collect()
        }
        Value::Array(all) => {
            let mut shapes: Vec<_> = all.iter().map(shape).collect();
            shapes.sort_by_key(Value::to_string);
            shapes.dedup();
            shapes.into()
        }
        Value::String(text) => text.is_empty().into(),
        Value::Number(number) => (number.as_f64() == Some(0.0)).into(),
        other => other.clone(),
    }
}
