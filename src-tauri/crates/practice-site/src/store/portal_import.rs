//! Puts an exported portal database in the place of the present one.

use super::{Store, people, portal_check};
use crate::wire::Refusal;
use rusqlite::{Connection, TransactionBehavior, config::DbConfig};
use std::path::Path;

/// Every table, each before those that refer to it.
pub(super) const TABLES: [&str; 10] = [
    "portal",
    "users",
    "groups",
    "group_members",
    "items",
    "group_items",
    "collaborations",
    "workspaces",
    "participants",
    "invitations",
];

/// Replaces everything in one transaction: a kill at any moment leaves the old portal or the new one. `content`
/// names the directory that belongs to the new one; the former directory's name is answered.
pub(crate) fn replace(portal: &Store, imported: &Path, content: &str) -> Result<String, Refusal> {
    let mut connection = portal.connect()?;
    // The file may come from anybody: nothing in it is run.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    check(&connection, imported).map_err(|why| cannot_import(&why))?;

    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let before = people::portal(&tx)?.content;
    tx.pragma_update(None, "defer_foreign_keys", true)?;
    // Whoever could sign in before still can, with the same password and role: the site hands them out, and an export
    // of another site knows others.
    tx.execute_batch("CREATE TEMP TABLE kept AS SELECT * FROM main.users WHERE password_hash IS NOT NULL")?;
    for table in TABLES.iter().rev() {
        tx.execute(&format!("DELETE FROM main.{table}"), [])?;
    }
    let copied = TABLES.iter().try_for_each(|table| {
        tx.execute(&format!("INSERT INTO main.{table} SELECT * FROM imported.{table}"), []).map(drop)
    });
    copied
        .and_then(|()| {
            tx.execute_batch(
                "INSERT INTO main.users SELECT * FROM temp.kept WHERE true
                 ON CONFLICT (username) DO UPDATE SET role = excluded.role, password_hash = excluded.password_hash;
                 DROP TABLE temp.kept;",
            )
        })
        .and_then(|()| tx.execute("UPDATE main.portal SET content = ?1", [content]).map(drop))
        .and_then(|()| tx.commit())
        .map_err(|cause| cannot_import(&format!("its database contradicts itself ({cause})")))?;
    Ok(before)
}

/// Attaches it, when it has the same tables as ours, column by column, nothing else, nothing damaged, and only values
/// that this site can work with.
fn check(connection: &Connection, imported: &Path) -> Result<(), String> {
    let unreadable = |cause: rusqlite::Error| format!("its database cannot be read ({cause})");
    connection.execute("ATTACH ?1 AS imported", [imported.to_string_lossy()]).map_err(unreadable)?;
    let schema = |database: &str| -> rusqlite::Result<Vec<(String, String, Option<String>)>> {
        let sql = format!("SELECT type, name, sql FROM {database}.sqlite_schema ORDER BY type, name");
        let mut list = connection.prepare(&sql)?;
        list.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
    };
    if schema("imported").map_err(unreadable)? != schema("main").map_err(unreadable)? {
        return Err("its database has other tables than this site's".to_owned());
    }
    let said: String =
        connection.query_row("PRAGMA imported.quick_check(1)", [], |row| row.get(0)).map_err(unreadable)?;
    if said != "ok" {
        return Err(format!("its database is damaged ({said})"));
    }
    let portals: i64 = connection
        .query_row("SELECT count(*) FROM imported.portal", [], |row| row.get(0))
        .map_err(unreadable)?;
    if portals != 1 {
        return Err("its database describes no portal".to_owned());
    }
    portal_check::check(connection)
}

fn cannot_import(why: &str) -> Refusal {
    Refusal::failed(format!("The file cannot be imported: {why}. Nothing was changed."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_table_of_the_portal_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("portal.db"), &crate::store::PORTAL).unwrap();
        let connection = store.connect().unwrap();
        let mut list = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
        let tables: BTreeSet<String> =
            list.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        assert_eq!(tables, TABLES.map(str::to_owned).into());
    }
}
