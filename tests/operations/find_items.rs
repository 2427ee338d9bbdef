use site_steward::operations::find_items::{FindItemsForm, perform};
use site_steward::problem::Problem;
use site_steward::views::data_item::DataItem;
use site_steward::views::ended::Ended;
use steward_testkit::Fault;

use crate::desk::Desk;

fn all() -> FindItemsForm {
    let empty = String::new;
    FindItemsForm {
        parent_path: empty(),
        ancestor_path: "/".to_owned(),
        types: empty(),
        id: empty(),
        is_managed: None,
    }
}

async fn found(desk: &Desk, form: FindItemsForm) -> Vec<DataItem> {
    match perform(&desk.host, &desk.site, desk.run(), form).await.unwrap() {
        Ended::Done { report, .. } => report.items,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn each_filter_finds_what_it_says() {
    let desk = Desk::new().await;
    let everything = found(&desk, all()).await;
    assert!(everything.len() > 3);

    let folders = found(&desk, FindItemsForm { types: "folder".to_owned(), ..all() }).await;
    assert!(!folders.is_empty() && folders.iter().all(|item| item.r#type == "folder"));

    let one = &everything[0];
    let by_id =
        found(&desk, FindItemsForm { ancestor_path: String::new(), id: one.id.clone(), ..all() }).await;
    assert_eq!(by_id.len(), 1);
    assert_eq!(by_id[0].path, one.path);

    let managed = found(&desk, FindItemsForm { is_managed: Some(true), ..all() }).await;
    let others = found(&desk, FindItemsForm { is_managed: Some(false), ..all() }).await;
    assert!(!managed.is_empty() && !others.is_empty());
    assert_eq!(managed.len() + others.len(), everything.len());

    let parent = one.path.rsplit_once('/').unwrap().0;
    let below = FindItemsForm { ancestor_path: String::new(), parent_path: parent.to_owned(), ..all() };
    assert!(found(&desk, below).await.iter().any(|item| item.id == one.id));
}

#[tokio::test]
async fn a_search_leaves_no_record() {
    let desk = Desk::new().await;

    found(&desk, all()).await;

    assert!(desk.history().await.is_empty());
}

#[tokio::test]
async fn an_answer_that_is_no_list_is_a_clear_problem() {
    let desk = Desk::new().await;
    let page = b"HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n<html>Sign in</html>".to_vec();
    let _way = desk.with_fault("/findItems", Fault::Instead(page)).await;

    let problem = perform(&desk.host, &desk.site, desk.run(), all()).await.err().unwrap();

    assert!(matches!(problem, Problem::Unreadable { .. }), "{problem:?}");
}
