//! What a response has besides the fields that its operation reads. Nothing of it may disappear: deployments add fields
//! of their own, and some of these are warnings.

use crate::status_words::is_failure;
use crate::wire::Raw;

/// Content of a response that no field of its reply has.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Beside {
    /// Texts of fields whose name stands for a warning, for example `warnings`, or `skippedItems` if there are any.
    pub(crate) warnings: Vec<String>,
    /// Other fields, each with its name.
    pub(crate) further: Vec<String>,
}

/// Warnings of a response, and what else it has, as shown.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Remarks {
    /// Warnings; the status itself if it announces warnings and the response has none.
    pub messages: Vec<String>,
    /// What else the response has.
    pub further: Vec<String>,
}

impl Remarks {
    pub(crate) fn of(status: String, warns: bool, mut messages: Vec<String>, further: Vec<String>) -> Self {
        if warns && messages.is_empty() {
            messages.push(status);
        }
        Self { messages, further }
    }

    /// Adds the remarks of a later response.
    #[must_use]
    pub fn and(mut self, later: Self) -> Self {
        self.messages.extend(later.messages);
        self.further.extend(later.further);
        self
    }
}

/// Parts of the names of fields that stand for a warning.
const TELLING: [&str; 9] =
    ["warn", "skip", "fail", "error", "missing", "omit", "incomplete", "notimported", "notexported"];

/// Parts of the words that sites have for something that has not ended.
const UNENDED: [&str; 7] = ["executing", "submitted", "waiting", "pending", "progress", "accepted", "queued"];

/// Values that tell nothing, whatever the field is.
const EMPTY: [&str; 4] = ["null", "\"\"", "[]", "{}"];

/// Depth of objects in objects that are read field by field. One below it is shown as its source text.
pub(crate) const DEPTH: usize = 4;

/// Most lines that are kept as warnings, and as further fields. One more line has the number of those that are not.
const MOST: usize = 200;

impl Beside {
    /// Reads the fields of a response whose names are not in `read`.
    pub(crate) fn of(response: Raw<'_>, read: &[&str]) -> Self {
        let mut beside = Self::default();
        let mut unread = 0;
        response.fields(&mut |name, value| {
            if !read.contains(&name) {
                beside.add(name, value, DEPTH, &mut unread);
            }
        });
        if unread > 0 {
            beside.further.push(format!("+{unread}"));
        }
        beside
    }

    fn add(&mut self, name: &str, value: Raw<'_>, depth: usize, unread: &mut usize) {
        if EMPTY.contains(&value.0) {
            return;
        }
        if value.is_object() && depth > 0 {
            value.fields(&mut |inner, value| self.add(&format!("{name}.{inner}"), value, depth - 1, unread));
            return;
        }
        let tells = tells(name, value, 0) || (value.is_list() && has_failure(value, DEPTH));
        let lines = if tells { &mut self.warnings } else { &mut self.further };
        if lines.len() >= MOST {
            *unread += 1;
            return;
        }
        // The texts of a field such as `warnings` are messages, and are kept without its name.
        let last = name.rsplit('.').next().unwrap_or_default();
        if last.to_ascii_lowercase().contains("warn") && (value.is_text() || value.is_list()) {
            value.each(&mut |one| match lines.len() < MOST {
                true => lines.push(one.shown()),
                false => *unread += 1,
            });
            return;
        }
        lines.push(format!("{name}: {}", value.shown()));
    }
}

/// Returns whether a field stands for a warning: by its name, by that of an object that it is in, as in `warnings.item1`,
/// or by a field in it, down to `depth` objects.
pub(crate) fn tells(name: &str, value: Raw<'_>, depth: usize) -> bool {
    if value.is_object() && depth > 0 {
        let mut any = false;
        value.fields(&mut |inner, value| any |= tells(&format!("{name}.{inner}"), value, depth - 1));
        return any;
    }
    let name = name.to_ascii_lowercase();
    // For example `skippedItems: 0`.
    let tells_none =
        EMPTY.contains(&value.0) || value.number() == Some(0) || value.yes_or_no() == Some(false);
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_error_code = last == "code" && value.number().is_some_and(|code| (400..600).contains(&code));
    // Only the state of the response itself, by its exact name. Others, for example of a search index, are about what
    // follows it.
    let is_state = STATES.contains(&last);
    let tells_of_one = TELLING.iter().any(|part| name.contains(part)) || is_error_code;
    !tells_none && (tells_of_one || (is_state && is_no_end(value)))
}

/// Fields that have the state of a response.
const STATES: [&str; 3] = ["status", "state", "jobstatus"];

/// Returns whether a response has a state that shows that something has not ended.
pub(crate) fn goes_on(response: Raw<'_>) -> bool {
    let mut any = false;
    response.fields(&mut |name, value| {
        any |= STATES.contains(&&*name.to_ascii_lowercase()) && is_unended(&value.shown());
    });
    any
}

fn is_unended(state: &str) -> bool {
    UNENDED.iter().any(|word| state.to_ascii_lowercase().contains(word))
}

/// Returns whether the value of a state means a failure, or work that has not ended.
fn is_no_end(state: Raw<'_>) -> bool {
    let state = state.shown();
    is_failure(&state) || is_unended(&state)
}

/// Returns whether an object or a list has a state of failure, down to `depth` of them.
pub(crate) fn has_failure(value: Raw<'_>, depth: usize) -> bool {
    let mut any = false;
    if depth > 0 && value.is_list() {
        value.elements(&mut |one| any |= has_failure(one, depth - 1));
    } else if depth > 0 && value.is_object() {
        value.fields(&mut |name, value| {
            let is_state = ["state", "status"].iter().any(|state| name.eq_ignore_ascii_case(state));
            any |= (is_state && is_failure(&value.shown())) || has_failure(value, depth - 1);
        });
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(json: &str) -> (Vec<String>, Vec<String>) {
        let Beside { warnings, further } = Beside::of(Raw(json), &["status"]);
        (warnings, further)
    }

    #[test]
    fn every_field_is_a_warning_or_stands_further_and_empty_ones_tell_nothing() {
        for (field, warnings, further) in [
            (r#""warnings":["one",{"item":"a"}]"#, &["one", r#"{"item":"a"}"#][..], &[][..]),
            (r#""warning":"one""#, &["one"], &[]),
            (r#""skippedItems":3"#, &["skippedItems: 3"], &[]),
            (r#""itemsSkipped":"0","failed":false,"errors":[]"#, &[], &["itemsSkipped: 0", "failed: false"]),
            (
                r#""summary":{"exported":7,"missingItems":["a","b"]}"#,
                &["summary.missingItems: a b"],
                &["summary.exported: 7"],
            ),
            (r#""warnings":{"item1":"no data","n":0}"#, &["warnings.item1: no data"], &["warnings.n: 0"]),
            (r#""errors":{"of":{"count":2}}"#, &["errors.of.count: 2"], &[]),
            (r#""jobId":"j1","list":[{"a":1}]"#, &[], &["jobId: j1", r#"list: {"a":1}"#]),
            (r#""result":[{"of":"a","status":"ok"}]"#, &[], &[r#"result: {"of":"a","status":"ok"}"#]),
            (r#""result":[{"of":"a","status":"error"}]"#, &[r#"result: {"of":"a","status":"error"}"#], &[]),
            (r#""a":null,"b":"","c":[],"d":{}"#, &[], &[]),
            (r#""jobStatus":"esriJobExecuting""#, &["jobStatus: esriJobExecuting"], &[]),
            (r#""jobStatus":"esriJobSucceeded""#, &[], &["jobStatus: esriJobSucceeded"]),
            (r#""state":"FAILED""#, &["state: FAILED"], &[]),
            (r#""indexStatus":"pending""#, &[], &["indexStatus: pending"]),
            (r#""notImported":["Parcels"]"#, &["notImported: Parcels"], &[]),
            (r#""code":500"#, &["code: 500"], &[]),
            (r#""code":200,"errorCode":0"#, &[], &["code: 200", "errorCode: 0"]),
        ] {
            let json = format!(r#"{{"status":"success",{field}}}"#);
            assert_eq!(of(&json), (owned(warnings), owned(further)), "{json}");
        }
    }

    #[test]
    fn of_countless_fields_the_number_of_those_that_are_not_kept_is_told() {
        let fields: Vec<String> = (0..MOST + 7).map(|n| format!(r#""f{n}":1"#)).collect();
        let (_, further) = of(&format!("{{{}}}", fields.join(",")));
        assert_eq!((further.len(), further.last().map(String::as_str)), (MOST + 1, Some("+7")));
    }

    fn owned(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }
}
