use serde_json::json;

use super::*;

fn search(items: Vec<Value>) -> ItemSearch {
    ItemSearch::of_list(&Value::from(items).to_string())
}

fn named(names: &[&str]) -> ItemSearch {
    search(names.iter().map(|name| json!({ "name": name })).collect())
}

fn by(column: ItemColumn) -> ItemQuery {
    ItemQuery { column, descending: false, filter: String::new(), r#type: None }
}

fn names(search: &ItemSearch, query: &ItemQuery) -> Vec<String> {
    search.rows(query, 0, 100).rows.into_iter().map(|row| row.name).collect()
}

#[test]
fn names_are_ordered_as_a_person_would() {
    let search =
        named(&["road 10", "Straße 3", "road 9", "Überlandweg", "Rail 1", "road 010", "Ulme", "東京"]);

    let rising = names(&search, &by(ItemColumn::Name));

    let expected = ["Rail 1", "road 9", "road 10", "road 010", "Straße 3", "Überlandweg", "Ulme", "東京"];
    assert_eq!(rising, expected);
}

#[test]
fn what_is_equal_stays_in_the_order_of_the_site_in_either_direction() {
    let item = |name: &str, kind: &str| json!({ "name": name, "type": kind });
    let search = search(vec![item("1", "folder"), item("2", "egdb"), item("3", "Folder"), item("4", "egdb")]);
    let falling = ItemQuery { descending: true, ..by(ItemColumn::Type) };

    assert_eq!(names(&search, &by(ItemColumn::Type)), ["2", "4", "1", "3"]);
    assert_eq!(names(&search, &falling), ["1", "3", "2", "4"]);
}

#[test]
fn times_and_answers_are_ordered_by_what_they_are_and_what_is_unsaid_comes_last() {
    let item = |name: &str, modified: Value, managed: Value| json!({ "name": name, "meta": { "modified": modified }, "info": { "isManaged": managed } });
    let search = search(vec![
        item("unsaid", json!(null), json!(null)),
        item("late", json!(1_763_000_000_000_i64), json!(false)),
        item("early", json!("-5"), json!("TRUE")),
        item("middle", json!(900), json!(true)),
    ]);

    assert_eq!(names(&search, &by(ItemColumn::Modified)), ["early", "middle", "late", "unsaid"]);
    let falling = ItemQuery { descending: true, ..by(ItemColumn::Modified) };
    assert_eq!(names(&search, &falling), ["late", "middle", "early", "unsaid"]);
    assert_eq!(names(&search, &by(ItemColumn::IsManaged)), ["early", "middle", "late", "unsaid"]);
}

#[test]
fn a_filter_finds_words_in_every_column_whatever_their_capitals_and_accents() {
    let search = search(vec![
        json!({
            "name": "Mühlbach", "path": "/fileShares/muehle", "type": "folder", "id": "5f1c-8C1E",
            "provider": "File share", "description": "Äcker und Wiesen", "revision": "r17",
            "purposes": ["scene"], "info": { "path": "\\\\nas\\GIS", "machines": [{ "name": "SRV1" }] },
        }),
        json!({ "name": "other" }),
    ]);
    let found =
        |filter: &str| names(&search, &ItemQuery { filter: filter.to_owned(), ..by(ItemColumn::Name) });

    for word in [
        "MUHLBACH",
        "fileshares/mue",
        "folder",
        "8c1e",
        "file sh",
        "acker",
        "r17",
        "scene",
        "nas\\gis",
        "srv1",
    ] {
        assert_eq!(found(word), ["Mühlbach"], "{word}");
    }
    assert_eq!(found("srv1  scene"), ["Mühlbach"], "all words, in any column");
    assert!(found("srv1 other").is_empty());
    assert_eq!(found("  ").len(), 2);
}

#[test]
fn a_filter_finds_no_secret() {
    let connection = "PASSWORD=canary;SERVER=db1;DATABASE=roads";
    let search = search(vec![json!({ "name": "roads", "info": { "connectionString": connection } })]);
    let matching = |filter: &str| {
        search.rows(&ItemQuery { filter: filter.to_owned(), ..by(ItemColumn::Name) }, 0, 9).matching
    };

    assert_eq!((matching("db1"), matching("canary")), (1, 0));
}

#[test]
fn a_window_of_rows_is_a_part_of_the_whole() {
    let items = (0..1_000)
        .map(|n| json!({ "name": format!("item {n}"), "type": if n % 4 == 0 { "egdb" } else { "folder" } }));
    let search = search(items.collect());
    let query = ItemQuery { descending: true, ..by(ItemColumn::Name) };

    let window = search.rows(&query, 990, 50);
    assert_eq!(window.matching, 1_000);
    let last: Vec<_> = window.rows.iter().map(|row| row.item).collect();
    assert_eq!(last, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    assert!(search.rows(&query, 1_000, 50).rows.is_empty());
    assert_eq!(search.rows(&query, 0, u32::MAX).rows.len(), 500, "never all at once");

    let of_type = ItemQuery { r#type: Some("egdb".to_owned()), filter: "item 19".to_owned(), ..query };
    let found = search.rows(&of_type, 0, 3);
    assert_eq!(found.matching, 2);
    assert_eq!(found.rows[0].name, "item 196");
    let counts: Vec<_> = search.view().types.into_iter().map(|one| (one.r#type, one.count)).collect();
    assert_eq!(counts, [("folder".to_owned(), 750), ("egdb".to_owned(), 250)]);
}

#[test]
fn an_item_that_is_nested_too_deeply_has_an_empty_row_beside_the_others() {
    let deep = format!("{{\"name\":{}{}}}", "[".repeat(1_000), "]".repeat(1_000));
    let search = ItemSearch::of_list(&format!("[{deep},{{\"name\":\"roads\"}}]"));

    assert_eq!(names(&search, &by(ItemColumn::Name)), ["roads", ""]);
    assert!(search.item(0).is_err() && search.item(1).is_ok());
}

#[test]
fn a_site_with_a_type_for_each_item_does_not_fill_the_window_with_them() {
    let items = (0..1_000)
        .map(|number| json!({ "type": if number < 2 { "egdb".into() } else { number.to_string() } }));

    let view = search(items.collect()).view();

    assert_eq!((view.total, view.types.len()), (1_000, MOST_TYPES));
    assert_eq!(view.types[0], TypeCount { r#type: "egdb".to_owned(), count: 2 });
}
