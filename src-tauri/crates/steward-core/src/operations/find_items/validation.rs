//! Validation of data store items: the server checks whether it can use their data. Nothing is changed.
//!
//! [`perform`] validates one item of a search, or all, and the check of a whole site all items. [`ItemValidations`] stores the last
//! result of each item with its time, also after a restart. The history has no results: it is about changes, which would be lost among them.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{StreamExt, TryStreamExt, stream};
use steward_client::data_validation::{self, Health, Remark, StoreHealth, is_same_machine};
use steward_client::{ClientError, Endpoint, is_usable, shown};

use super::item_search::{ItemSearches, SearchId};
pub use super::item_validations::{ItemValidation, ItemValidations, MachineState, SearchValidation, Verdict};
use super::{OPERATION, outcome_of_reading};
use crate::execution::{Execution, Response};
use crate::files::in_background;
use crate::model::data_item::DataStoreItem;
use crate::model::history_key::HistoryAction;
use crate::model::ids::Target;
use crate::model::numbers::{Millis, count};
use crate::model::problem::{Problem, without_secrets};
use crate::model::run_result::RunResult;
use crate::runs::{NewRun, RunStep};
use crate::site_context::SiteContext;
use crate::sites::endpoints::NormalizedEndpoint;
use crate::sites::{SavedServer, TargetSite};

/// Number of requests at once when many services or items are checked, to limit the load on the server.
pub(super) const AT_ONCE: usize = 4;

/// Limit of the reasons of an item. A server can return a stack trace, and 100,000 items are kept.
const MOST_REASONS: usize = 10;

/// Limit of the machines of an item: a server can return 50,000 of one item.
const MOST_MACHINES: usize = 100;

/// Limit of a text of the server, in bytes.
const LONGEST_TEXT: usize = 500;

/// Validates one item of a search, or all. Leaves no record. After Stop, the results so far are kept.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the search is no longer in memory.
/// - [`Problem::NoResponse`] if the server cannot be reached any longer. The results so far are kept.
/// - [`Problem::Unexpected`] if there is no item at this index.
/// - Those of [`Execution::admit`], [`Execution::connect`] and [`Execution::send`].
pub async fn perform(
    context: &SiteContext,
    searches: &Arc<ItemSearches>,
    target: &Target,
    run: impl Into<NewRun>,
    search: &SearchId,
    item: Option<u32>,
) -> Result<RunResult<SearchValidation>, Problem> {
    let held = searches.get(target, search)?;
    let items: Vec<u32> = item.map_or_else(|| (0..held.view().total).collect(), |item| vec![item]);
    let act = Some(HistoryAction::ValidateDataItems);
    let (saved, run) = Execution::admit_as(context, &OPERATION, act, target, run)?;
    let mut execution = match Execution::connect(context, &OPERATION, saved, run, None).await? {
        Response::Received(execution) => execution,
        Response::Missing(end) => return Ok(end),
    };
    execution.begin_check();
    let results = Mutex::new(Vec::new());
    let total = count(items.len());
    let validate = |place: u32| {
        let (held, results, execution) = (&held, &results, &execution);
        async move {
            let Some(item) = held.text(place) else { return Ok(()) };
            let result = validated(&execution.endpoint, item).await?;
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.push(result);
            execution.run.step(RunStep::Batch { done: count(results.len()), total });
            Ok(())
        }
    };
    execution.run.step(RunStep::Batch { done: 0, total });
    let all = stream::iter(items).map(validate).buffer_unordered(AT_ONCE).try_collect::<()>();
    let ended = execution.send(all).await;
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let with = |verdict| results.iter().filter(|result| result.verdict == verdict).count();
    let (valid, not_validated) = (with(Verdict::Valid), with(Verdict::NotValidated));
    let outcome = outcome_of_reading(results.len(), valid, not_validated);
    let server = server_of(&execution.site);
    let (kept, to, at) = (searches.clone(), execution.site.id.clone(), server.clone());
    in_background(move || kept.validations.keep(&to, &at, results)).await?;
    match ended? {
        Response::Received(()) => {
            execution.run.outcome(outcome, None);
            Ok(execution.done(searches.validations.of_search(&target.site, &server, &held)))
        }
        Response::Missing(end) => Ok(end),
    }
}

/// Returns the last validations of the items of a search.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the search is no longer in memory.
/// - [`Problem::Unexpected`] if the site is not saved.
pub fn of_search(
    context: &SiteContext,
    searches: &ItemSearches,
    target: &Target,
    search: &SearchId,
) -> Result<SearchValidation, Problem> {
    let held = searches.get(target, search)?;
    let server = server_of(&context.access.sites.at(target)?);
    Ok(searches.validations.of_search(&target.site, &server, &held))
}

/// Returns the last validation of an item; `None` if it was not validated.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the search is no longer in memory.
/// - [`Problem::Unexpected`] if there is no item at this index, or the site is not saved.
pub fn of_item(
    context: &SiteContext,
    searches: &ItemSearches,
    target: &Target,
    search: &SearchId,
    item: u32,
) -> Result<Option<ItemValidation>, Problem> {
    let item = DataStoreItem::of(&searches.get(target, search)?.item(item)?);
    let server = server_of(&context.access.sites.at(target)?);
    Ok(searches.validations.of_item(&target.site, &server, &item.path))
}

/// Returns by what the validations of a server are found: its identifier, which it keeps when its URL is changed to that of another
/// server, and its endpoint.
pub(crate) fn server_of(site: &TargetSite) -> String {
    let key =
        |server: &SavedServer| format!("{} {}", server.id.0, NormalizedEndpoint::lasting(&server.address));
    site.server().map(key).unwrap_or_default()
}

/// Validates one item. Returns an error only if it affects all items.
pub(crate) async fn validated(server: &Endpoint, text: &str) -> Result<ItemValidation, ClientError> {
    let returned = serde_json::from_str(text).unwrap_or_default();
    let item = DataStoreItem::of(&returned);
    let mut result = ItemValidation {
        path: item.path.clone(),
        at: Millis::now(),
        verdict: Verdict::Valid,
        reasons: Vec::new(),
        machines: Vec::new(),
        valid_at: None,
    };
    // Its result could be taken for that of another item.
    if item.path.is_empty() {
        result.verdict = Verdict::NotValidated;
        result.reasons.push("the server returned the item without a path".to_owned());
        return Ok(result);
    }
    let is_too_long = |text: &str| !text.is_empty() && !is_usable(text);
    if is_too_long(&item.path) || item.machines.iter().any(|machine| is_too_long(&machine.name)) {
        result.path = shown(item.path);
        result.verdict = Verdict::NotValidated;
        result.reasons.push("a path or name is too long to be requested".to_owned());
        return Ok(result);
    }
    // An item without machines is sent itself: the server would try a mask in it as the password.
    if item.machines.is_empty()
        && let Some(masked) = DataStoreItem::masked_by_site(&returned)
    {
        result.worsen(Verdict::NotValidated);
        result.add_reason(&format!("the server returned a mask in {masked}"));
        return Ok(result);
    }
    if item.machines.is_empty() {
        let remarks = data_validation::validate_item(server, text).await;
        if let Some(remarks) = result.note(remarks)? {
            result.note_remarks("", &remarks);
        }
    }
    // Send the path as returned: `item.path` is for display, and without its invisible characters, it would be that of
    // another item.
    let path = returned["path"].as_str().unwrap_or(&item.path);
    for machine in &item.machines {
        let store = data_validation::validate_machine(server, path, &machine.name).await;
        let Some(store) = result.note(store)? else { continue };
        result.note_store(&store, &machine.name);
    }
    result.at = Millis::now();
    result.valid_at = (result.verdict <= Verdict::Warnings).then_some(result.at);
    Ok(result)
}

impl ItemValidation {
    /// Adds a response. Returns an error that concerns all items.
    fn note<T>(&mut self, response: Result<T, ClientError>) -> Result<Option<T>, ClientError> {
        let error = match response {
            Ok(response) => return Ok(Some(response)),
            Err(error) => error,
        };
        let reasons = reasons(&error);
        match &error {
            // Other codes of a rejection are the verdict of the server.
            ClientError::Rejected { code: 400 | 403 | 404 | 405, .. } => self.worsen(Verdict::NotValidated),
            ClientError::Rejected { .. } if has_crashed(&reasons) => self.worsen(Verdict::NotValidated),
            ClientError::Rejected { .. } if error.is_of_one_resource() => self.worsen(Verdict::Invalid),
            // A database that does not respond keeps the server busy until its proxy gives up.
            ClientError::Unreadable { .. } | ClientError::Stalled { .. } | ClientError::Slow { .. } => {
                self.worsen(Verdict::NotValidated);
            }
            _ => return Err(error),
        }
        self.reasons.extend(reasons);
        self.reasons.truncate(MOST_REASONS);
        Ok(None)
    }

    /// Adds the state of the store, and of all machines in the response to the validation of `requested`.
    fn note_store(&mut self, store: &StoreHealth, requested: &str) {
        self.note_remarks("", &store.remarks);
        if !store.machines.iter().any(|machine| is_same_machine(&machine.name, requested)) {
            self.worsen(Verdict::NotValidated);
            self.add_reason(&format!("{requested}: the response does not contain this machine"));
        }
        for machine in &store.machines {
            let health = machine.judged();
            self.worsen(health.map_or(Verdict::NotValidated, Verdict::of));
            self.note_remarks(&format!("{}: ", machine.name), &machine.remarks);
            let state = MachineState {
                name: shortened(&machine.name),
                health: shortened(&machine.health),
                status: shortened(&machine.status),
            };
            let has_room = self.machines.len() < MOST_MACHINES;
            // Some versions return all machines for each of them. Keep the worst state, so that the row agrees with the
            // verdict.
            match self.machines.iter_mut().find(|one| is_same_machine(&one.name, &state.name)) {
                Some(known) if health != Some(Health::Healthy) => *known = state,
                Some(_) => {}
                None if has_room => self.machines.push(state),
                None => {}
            }
        }
    }

    fn note_remarks(&mut self, of: &str, remarks: &[Remark]) {
        for remark in remarks {
            self.worsen(Verdict::of(remark.health));
            self.add_reason(&format!("{of}{}", remark.text));
        }
    }

    fn add_reason(&mut self, reason: &str) {
        if self.reasons.len() == MOST_REASONS {
            return;
        }
        let reason = shortened(&without_secrets(reason));
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    /// Sets the verdict, unless a worse one is set.
    fn worsen(&mut self, verdict: Verdict) {
        self.verdict = self.verdict.max(verdict);
    }
}

impl Verdict {
    const fn of(health: Health) -> Self {
        match health {
            Health::Healthy => Self::Valid,
            Health::Warning => Self::Warnings,
            Health::NotKnown => Self::NotValidated,
            Health::Unhealthy => Self::Invalid,
        }
    }
}

/// Program errors, which show nothing about the data that was checked.
const CRASHES: [&str; 8] = [
    "NullPointerException",
    "NullReferenceException",
    "ClassCastException",
    "IndexOutOfBoundsException",
    "NoSuchMethodError",
    "NoClassDefFoundError",
    "StackOverflowError",
    "OutOfMemoryError",
];

/// Returns whether the check itself failed, by what the server returned.
fn has_crashed(reasons: &[String]) -> bool {
    reasons.iter().any(|reason| CRASHES.iter().any(|crash| reason.contains(crash)))
}

/// Returns the message of the server with its details, or that of the library.
fn reasons(error: &ClientError) -> Vec<String> {
    match error {
        ClientError::Rejected { message, details, .. } if !message.is_empty() => {
            let all = std::iter::once(message).chain(details).take(MOST_REASONS);
            all.map(|text| shortened(&without_secrets(text))).collect()
        }
        other => vec![shortened(&without_secrets(&other.to_string()))],
    }
}

/// Returns the beginning of a text.
fn shortened(text: &str) -> String {
    match text.len() > LONGEST_TEXT {
        true => format!("{}…", &text[..text.floor_char_boundary(LONGEST_TEXT)]),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_megabytes_that_a_server_says_about_an_item_the_beginnings_are_kept() {
        let (message, details) = ("ä".repeat(1_000_000), vec!["x".repeat(1_000_000); 1_000]);
        let rejected = || {
            Err::<(), _>(ClientError::Rejected {
                code: 500,
                message: message.clone(),
                details: details.clone(),
            })
        };
        let mut result = ItemValidation {
            path: "/fileShares/a".to_owned(),
            at: Millis(0),
            verdict: Verdict::Valid,
            reasons: Vec::new(),
            machines: Vec::new(),
            valid_at: None,
        };

        // As from two machines.
        result.note(rejected()).unwrap();
        result.note(rejected()).unwrap();

        assert_eq!(result.reasons.len(), MOST_REASONS);
        let bytes: usize = result.reasons.iter().map(String::len).sum();
        assert!(bytes <= MOST_REASONS * (LONGEST_TEXT + "…".len()), "{bytes}");
        assert!(result.reasons[0].starts_with("ää") && result.reasons[0].ends_with("ä…"));
        assert_eq!(shortened("as it was"), "as it was");
    }

    #[tokio::test]
    async fn a_store_with_very_many_machines_is_judged_by_all_of_them() {
        let machine =
            |number: usize| serde_json::json!({ "name": format!("m{number}"), "status": "Started" });
        let mut machines: Vec<_> = (0..10_000).map(machine).collect();
        machines.push(serde_json::json!({ "name": "ds1", "status": "Stopped" }));
        let body = serde_json::json!({ "machines": machines }).to_string().into_bytes();
        let server = steward_client::fuzzing::answering(200, "application/json", body).unwrap();
        let machines = vec![serde_json::json!({ "name": "ds1" }); 4];
        let item = serde_json::json!({ "path": "/x/y", "info": { "machines": machines } });

        let result = validated(&server, &item.to_string()).await.unwrap();

        assert_eq!((result.verdict, result.machines.len()), (Verdict::Invalid, MOST_MACHINES));
    }

    #[tokio::test]
    async fn the_verdict_on_a_store_is_the_worst_of_all_that_is_said_of_it_and_of_its_machines() {
        use Verdict::{Invalid, NotValidated, Valid};
        let machine = |name: &str, health: &str| serde_json::json!({ "name": name, "machine.overallhealth": health, "status": "Started" });
        let long = "DS1.CORP.EXAMPLE.ORG";
        for (response, verdict, reason) in [
            (serde_json::json!({ "machines": [machine(long, "Healthy")] }), Valid, ""),
            (
                serde_json::json!({ "machines": [machine("ds1", "Unhealthy")] }),
                Invalid,
                "ds1: machine.overallhealth: Unhealthy",
            ),
            (
                serde_json::json!({ "machines": [machine(long, "Unhealthy"), machine("other", "Healthy")] }),
                Invalid,
                "DS1",
            ),
            // The requested machine is missing, whatever the response has about others.
            (
                serde_json::json!({ "machines": [machine("other", "Healthy")] }),
                NotValidated,
                "ds1: the response",
            ),
            (serde_json::json!({ "machines": [] }), NotValidated, "ds1: the response"),
            (serde_json::json!({ "status": "success" }), NotValidated, "ds1: the response"),
            (serde_json::json!({ "machines": [{ "name": "ds1" }] }), NotValidated, ""),
            // A standby that is not healthy, and the store itself.
            (
                serde_json::json!({ "machines": [machine("ds1", "Healthy"), machine("ds2", "Unhealthy")] }),
                Invalid,
                "ds2",
            ),
            (
                serde_json::json!({ "datastore.isReadOnly": "true", "machines": [machine("ds1", "Healthy")] }),
                Invalid,
                "datastore.isReadOnly: true",
            ),
            (
                serde_json::json!({ "datastore.overallhealth": "Unhealthy", "machines": [machine("ds1", "Healthy")] }),
                Invalid,
                "datastore.overallhealth: Unhealthy",
            ),
            (
                serde_json::json!({ "overallHealth": "Unhealthy", "machines": [machine("ds1", "Healthy")] }),
                Invalid,
                "overallHealth: Unhealthy",
            ),
        ] {
            let body = response.to_string().into_bytes();
            let server = steward_client::fuzzing::answering(200, "application/json", body).unwrap();
            let item = serde_json::json!({ "path": "/x/y", "info": { "machines": [{ "name": "ds1" }] } });

            let result = validated(&server, &item.to_string()).await.unwrap();

            assert_eq!(result.verdict, verdict, "{response}");
            let told = result.reasons.iter().any(|one| one.starts_with(reason));
            assert!(
                told || (reason.is_empty() && result.reasons.is_empty()),
                "{response}: {:?}",
                result.reasons
            );
        }
    }

    #[tokio::test]
    async fn an_unknown_word_and_a_failed_check_are_no_verdict_and_a_warning_is_one() {
        let health = |word: &str| serde_json::json!({ "machines": [{ "name": "ds1", "machine.overallhealth": word }] });
        let failed = |message: &str| serde_json::json!({ "status": "error", "messages": ["Failed to validate.", message], "code": 500 });
        let crash = "java.lang.NullPointerException: null";
        for (response, verdict, reason) in [
            (
                health("HealthyWithWarning"),
                Verdict::Warnings,
                "ds1: machine.overallhealth: HealthyWithWarning",
            ),
            (health("Rebalancing"), Verdict::NotValidated, "ds1: machine.overallhealth: Rebalancing"),
            (failed(crash), Verdict::NotValidated, crash),
            (failed("The database does not accept connections."), Verdict::Invalid, "The database"),
        ] {
            let body = response.to_string().into_bytes();
            let server = steward_client::fuzzing::answering(200, "application/json", body).unwrap();
            let item = serde_json::json!({ "path": "/x/y", "info": { "machines": [{ "name": "ds1" }] } });

            let result = validated(&server, &item.to_string()).await.unwrap();

            assert_eq!(result.verdict, verdict, "{response}");
            assert!(result.reasons.iter().any(|one| one.starts_with(reason)), "{:?}", result.reasons);
            assert_eq!(result.valid_at.is_some(), verdict == Verdict::Warnings, "{response}");
        }
    }

    #[tokio::test]
    async fn an_item_with_a_mask_is_not_validated_unless_only_its_machines_are() {
        let server = || {
            let body = br#"{"status":"success","machines":[{"name":"ds1","status":"Started"}]}"#;
            steward_client::fuzzing::answering(200, "application/json", body.to_vec()).unwrap()
        };
        let info = serde_json::json!({ "connectionString": "SERVER=db1;PASSWORD=****" });
        let mut item = serde_json::json!({ "path": "/enterpriseDatabases/a", "info": info });

        let result = validated(&server(), &item.to_string()).await.unwrap();
        assert_eq!(result.verdict, Verdict::NotValidated);
        assert_eq!(result.reasons, ["the server returned a mask in info.connectionString"]);

        item["info"]["machines"] = serde_json::json!([{ "name": "ds1" }]);
        let result = validated(&server(), &item.to_string()).await.unwrap();
        assert_eq!((result.verdict, result.reasons), (Verdict::Valid, Vec::new()));
    }

    #[tokio::test]
    async fn an_item_without_a_path_or_with_a_path_or_name_that_is_too_long_is_not_requested() {
        let server = steward_client::fuzzing::answering(
            200,
            "application/json",
            format!(
                r#"{{"status":"success","machines":[{{"name":"{}","status":"Started"}}]}}"#,
                "m".repeat(4096)
            )
            .into_bytes(),
        )
        .unwrap();
        let item = async |path: usize, machine: usize| {
            let machines = if machine == 0 {
                Vec::new()
            } else {
                vec![serde_json::json!({ "name": "m".repeat(machine) })]
            };
            let item = serde_json::json!({ "path": "p".repeat(path), "info": { "machines": machines } });
            validated(&server, &item.to_string()).await.unwrap()
        };
        for (path, machine) in [(4096, 0), (4096, 4096)] {
            assert_eq!(item(path, machine).await.verdict, Verdict::Valid);
        }
        for (path, machine) in [(4097, 0), (1, 4097), (10_000, 0)] {
            let result = item(path, machine).await;
            assert_eq!(result.verdict, Verdict::NotValidated);
            assert_eq!(result.reasons, ["a path or name is too long to be requested"]);
            assert!(result.path.len() <= 8 * 1024);
        }
        let result = item(0, 0).await;
        assert_eq!(result.verdict, Verdict::NotValidated);
        assert_eq!(result.reasons, ["the server returned the item without a path"]);
    }
}
