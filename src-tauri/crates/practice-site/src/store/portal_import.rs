//! Replacement of the portal database by an exported one.

use super::portal_check::{self, TABLES};
use super::{Store, users};
use crate::wire::ApiError;
use rusqlite::{Connection, TransactionBehavior, config::DbConfig};
use std::path::Path;

/// Replaces all rows in one transaction: if the process is killed, either the old or the new portal is complete.
///
/// `content` is the name of the new content directory. Returns the name of the former one.
///
/// # Errors
/// Code 500 if the database is damaged, has other tables, or contains an invalid value. Nothing is changed then.
pub(crate) fn replace(portal: &Store, imported: &Path, content: &str) -> Result<String, ApiError> {
    let mut connection = portal.connect()?;
    // The file is untrusted: do not execute anything in it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    check(&connection, imported).map_err(|why| cannot_import(&why))?;

    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let before = users::portal(&tx)?.content;
    tx.pragma_update(None, "defer_foreign_keys", true)?;
    // Keep the users with passwords: the site publishes their sign-ins, and an export of another site contains others.
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

/// Attaches the database after checking that it is intact, has exactly the tables and columns of this site, and
/// contains only valid values.
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

fn cannot_import(why: &str) -> ApiError {
    ApiError::failed(format!("The file cannot be imported: {why}. Nothing was changed."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_table_of_the_portal_is_imported() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("portal.db"), crate::store::PORTAL).unwrap();
        let connection = store.connect().unwrap();
        let mut list = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
        let tables: BTreeSet<String> =
            list.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        assert_eq!(tables, TABLES.map(str::to_owned).into());
    }
}
