use steward_core::actions::sign_in::leave;
use steward_core::model::data_item::DataStoreItem;
use steward_core::model::item_row::ItemRow;
use steward_core::model::problem::{PreconditionFailure, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::find_items::item_search::rows;
use steward_core::operations::find_items::item_search::{ItemColumn, ItemFormat, ItemQuery, ItemSearchView};
use steward_core::operations::find_items::{FindItemsForm, FirstRows, perform, recent_filters};
use steward_core::runs::RunStep;
use steward_testkit::{Fault, until};

use crate::test_app::{TestApp, files_in};

fn all() -> FindItemsForm {
    FindItemsForm { ancestor_path: "/".to_owned(), ..FindItemsForm::default() }
}

async fn searched(app: &TestApp, form: FindItemsForm) -> ItemSearchView {
    match app.find_items(form).await.unwrap() {
        RunResult::Done { report, .. } => report.search,
        other => panic!("{other:?}"),
    }
}

async fn found(app: &TestApp, form: FindItemsForm) -> Vec<ItemRow> {
    let search = searched(app, form).await;
    let held = app.steward.item_searches.get(&app.server, &search.id).unwrap();
    held.rows(&by_path(""), 0, 500).rows
}

/// Makes the data store of the practice site a large one.
fn plant(app: &TestApp, items: u32) {
    let server = rusqlite::Connection::open(app.practice_folder().join("server/server.db")).unwrap();
    let many = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
        INSERT INTO data_items (path, parent_path, id, type, managed, item)
        SELECT '/many/' || n, '/many', 'many-' || n, 'folder', 0,
            json_object('id', 'many-' || n, 'path', '/many/' || n, 'type', 'folder', 'info', json_object('path', '/net/' || n))
        FROM numbers";
    server.execute(many, [items]).unwrap();
}

fn by_path(filter: &str) -> ItemQuery {
    ItemQuery { column: ItemColumn::Path, descending: false, filter: filter.to_owned(), r#type: None }
}

#[tokio::test]
async fn each_filter_finds_what_it_says() {
    let app = TestApp::new().await;
    let everything = found(&app, all()).await;
    assert!(everything.len() > 3);

    let folders = found(&app, FindItemsForm { types: "folder".to_owned(), ..all() }).await;
    assert!(!folders.is_empty() && folders.iter().all(|item| item.r#type == "folder"));

    let one = &everything[0];
    let by_id =
        found(&app, FindItemsForm { ancestor_path: String::new(), id: one.id.clone(), ..all() }).await;
    assert_eq!(by_id.len(), 1);
    assert_eq!(by_id[0].path, one.path);

    let managed = found(&app, FindItemsForm { is_managed: Some(true), ..all() }).await;
    let others = found(&app, FindItemsForm { is_managed: Some(false), ..all() }).await;
    assert!(!managed.is_empty() && !others.is_empty());
    assert_eq!(managed.len() + others.len(), everything.len());

    let parent = one.path.rsplit_once('/').unwrap().0;
    let below = FindItemsForm { ancestor_path: String::new(), parent_path: parent.to_owned(), ..all() };
    assert!(found(&app, below).await.iter().any(|item| item.id == one.id));
}

#[tokio::test]
async fn a_search_apart_leaves_the_last_search_of_the_server_and_its_filters() {
    let app = TestApp::new().await;
    let folders = FindItemsForm { types: "folder".to_owned(), ..all() };
    let last = searched(&app, folders.clone()).await;

    let apart = FirstRows { query: by_path(""), most: 3, apart: true };
    let (context, searches) = (&app.steward.context, &app.steward.item_searches);
    let ended = perform(context, searches, &app.server, app.run(), all(), apart).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert_eq!(report.first.rows.len(), 3);
    assert_eq!(searches.last(&app.server).unwrap().view().id, last.id);
    assert_eq!(recent_filters(context, searches, &app.site), [folders]);
}

#[tokio::test]
async fn the_rows_that_are_shown_first_come_with_the_answer() {
    let app = TestApp::new().await;
    let query = ItemQuery { column: ItemColumn::Type, descending: true, ..by_path("") };
    let first = FirstRows { query: query.clone(), most: 3, apart: false };

    let RunResult::Done { report, .. } =
        perform(&app.steward.context, &app.steward.item_searches, &app.server, app.run(), all(), first)
            .await
            .unwrap()
    else {
        panic!("no answer")
    };

    let held = app.steward.item_searches.get(&app.server, &report.search.id).unwrap();
    assert_eq!(report.first, held.rows(&query, 0, 3));
    assert_eq!((report.first.rows.len(), report.first.matching), (3, report.search.total));
}

#[tokio::test]
async fn what_came_first_of_a_long_answer_is_told_while_the_line_is_slow_and_held_by_nobody_after() {
    let app = TestApp::new().await;
    plant(&app, 3_000);
    let way = app.with_fault("/findItems", Fault::StallAfter(250_000)).await;
    let told = || app.steward.context.runs.all().into_iter().map(|run| run.step).next();
    let reading = async {
        let arrives = async || matches!(told(), Some(RunStep::Arriving { .. }));
        until("the items", arrives).await;
        let step = told();
        app.steward.context.runs.stop(&app.run());
        step
    };

    let (ended, step) = tokio::join!(app.find_items(all()), reading);

    let Some(RunStep::Arriving { first }) = step else { panic!("{step:?}") };
    assert_eq!((first.len(), first[49].item), (50, 49));
    assert!(first.iter().all(|row| !row.path.is_empty()));
    assert!(!matches!(ended, Ok(RunResult::Done { .. })), "{ended:?}");
    assert_eq!(way.met(), 1);
    assert!(app.steward.item_searches.last(&app.server).is_none());
}

#[tokio::test]
async fn a_search_leaves_no_record() {
    let app = TestApp::new().await;

    found(&app, all()).await;

    assert!(app.history().await.is_empty());
}

#[tokio::test]
async fn an_answer_that_is_no_list_is_a_clear_problem() {
    let app = TestApp::new().await;
    let page = b"HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n<html>Sign in</html>".to_vec();
    let _way = app.with_fault("/findItems", Fault::Instead(page)).await;

    let problem = app.find_items(all()).await.err().unwrap();

    assert!(matches!(problem, Problem::Unreadable { .. }), "{problem:?}");
}

#[tokio::test]
async fn what_was_found_is_held_until_the_next_search_and_until_somebody_signs_out() {
    let app = TestApp::new().await;
    let first = searched(&app, all()).await;
    let second = searched(&app, FindItemsForm { types: "folder".to_owned(), ..all() }).await;

    let gone = |search: &ItemSearchView| app.steward.item_searches.get(&app.server, &search.id).err();
    assert_eq!(gone(&first), Some(Problem::precondition_failed(PreconditionFailure::SearchGone)));
    assert_eq!(gone(&second), None);
    assert_eq!(app.steward.item_searches.last(&app.server).map(|held| held.view()), Some(second.clone()));
    let asked = || recent_filters(&app.steward.context, &app.steward.item_searches, &app.site);
    assert_eq!(asked().iter().map(|form| form.types.as_str()).collect::<Vec<_>>(), ["folder", ""]);

    let held = std::sync::Arc::downgrade(&app.steward.item_searches.last(&app.server).unwrap());
    leave(&app.steward.context, &app.site).await.unwrap();

    assert_eq!(gone(&second), Some(Problem::precondition_failed(PreconditionFailure::SearchGone)));
    // What looks at every row beforehand lets go of it too.
    until("the end of the search", async || held.upgrade().is_none()).await;
    app.sign_in("publisher").await.unwrap();
    assert_eq!(asked(), [], "another user");
    app.sign_in("administrator").await.unwrap();
    assert_eq!(asked().len(), 2, "and what was asked for can be asked again");
}

#[tokio::test]
async fn what_was_asked_before_signing_out_is_not_held_after() {
    let app = TestApp::new().await;
    let way = app.with_fault("/findItems", Fault::Silence).await;
    let searching = app.find_items(all());
    let leaving = async {
        until("the request", async || way.met() == 1).await;
        app.steward.context.runs.stop(&app.run());
        leave(&app.steward.context, &app.site).await.unwrap();
    };

    let (ended, ()) = tokio::join!(searching, leaving);

    assert!(!matches!(ended, Ok(RunResult::Done { .. })));
    assert!(app.steward.item_searches.last(&app.server).is_none());
}

#[tokio::test]
async fn the_secrets_of_an_item_are_told_to_whom_asks_for_those_of_this_one() {
    let app = TestApp::new().await;
    let rows = found(&app, FindItemsForm { types: "egdb".to_owned(), ..all() }).await;
    let held = app.steward.item_searches.last(&app.server).unwrap();
    let item = held.item(rows[0].item).unwrap();

    let masked = DataStoreItem::of(&item);
    let open = DataStoreItem::secrets(&item);

    let secrets: Vec<_> = masked.info.iter().filter(|value| value.secret).map(|value| &value.name).collect();
    assert!(!secrets.is_empty());
    assert_eq!(secrets, open.iter().map(|value| &value.name).collect::<Vec<_>>());
    let told = serde_json::to_string(&(masked, rows)).unwrap();
    assert!(open.iter().all(|value| !told.contains(&value.value)), "{told}");
    assert!(held.item(10_000).is_err());
}

#[tokio::test]
async fn the_rows_of_a_filter_are_saved_with_their_secrets_masked() {
    let app = TestApp::new().await;
    let search = searched(&app, all()).await;
    let folder = app.folder("saved");
    let save = async |filter: &str, format| {
        rows::save(
            &app.steward.item_searches,
            &app.steward.context,
            &app.steward.dialogs,
            &app.server,
            &search.id,
            by_path(filter),
            format,
        )
        .await
        .unwrap()
    };
    assert_eq!(save("", ItemFormat::Csv).await, SaveResult::Dismissed);
    let [suggested] = &app.dialogs.suggested()[..] else { panic!("one dialog was expected") };
    assert!(
        suggested.starts_with("City GIS data store items 20") && suggested.ends_with(".csv"),
        "{suggested}"
    );

    app.dialogs.will_choose(&folder.join("items.csv"));
    let csv = save("/fileshares/ survey", ItemFormat::Csv).await;
    app.dialogs.will_choose(&folder.join("items.json"));
    let json = save("", ItemFormat::Json).await;

    assert!(matches!((csv, json), (SaveResult::Saved { .. }, SaveResult::Saved { .. })));
    assert_eq!(files_in(&folder).len(), 2);
    let csv = std::fs::read_to_string(folder.join("items.csv")).unwrap();
    assert_eq!(csv.lines().count(), 3, "the heading, the folder and the one in it: {csv}");
    let json = std::fs::read(folder.join("items.json")).unwrap();
    let json: Vec<serde_json::Value> = serde_json::from_slice(&json).unwrap();
    assert_eq!(json.len(), search.total as usize);
    let database = json.iter().find(|item| item["name"] == "roads").unwrap();
    assert_eq!(database["info"]["connectionString"], "••••••", "{database}");
    assert_eq!(database["info"]["dbType"], "Postgres");
}
