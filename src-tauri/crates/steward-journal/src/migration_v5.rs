//! Terms that version 5 stored and later versions do not use.
//!
//! [`rename_terms`] changes the names of operations and parameters in existing history entries. It runs in the
//! transaction of the migration, before the tables and columns are renamed. Values are not changed, except for the name
//! of the operation.

use rusqlite::{Connection, params};

/// Names of operations up to version 5, and their names since version 6.
const OPERATIONS: [(&str, &str); 1] = [("restore_webhooks", "reactivate_webhooks")];

/// Names of parameters up to version 5, and their names since version 6.
const PARAMETERS: [(&str, &str); 6] = [
    ("wayBack", "safetyBackup"),
    ("wayBackSavedAs", "safetyBackupSavedAs"),
    ("way", "signInMethod"),
    ("siteKind", "siteEnvironment"),
    ("siteFlavour", "siteDeploymentType"),
    ("siteRoute", "siteConnection"),
];

/// Renames the operations and parameters of all history entries.
///
/// Parameters that are not a list of pairs are kept as they are.
///
/// # Errors
///
/// Returns the error of SQLite if an entry cannot be read or written.
pub(crate) fn rename_terms(connection: &Connection) -> rusqlite::Result<()> {
    for (old, new) in OPERATIONS {
        connection.execute("UPDATE record SET operation = ?2 WHERE operation = ?1", [old, new])?;
    }
    let mut read = connection.prepare("SELECT sequence, parameters FROM record ORDER BY sequence")?;
    let mut write = connection.prepare("UPDATE record SET parameters = ?2 WHERE sequence = ?1")?;
    let mut rows = read.query([])?;
    while let Some(row) = rows.next()? {
        let sequence: i64 = row.get(0)?;
        if let Some(renamed) = renamed(&row.get::<_, String>(1)?) {
            write.execute(params![sequence, renamed])?;
        }
    }
    Ok(())
}

/// Returns the parameters under their new names; `None` if none of them changes.
fn renamed(parameters: &str) -> Option<String> {
    let mut pairs: Vec<(String, String)> = serde_json::from_str(parameters).ok()?;
    let mut is_changed = false;
    for (name, _) in &mut pairs {
        if let Some((_, new)) = PARAMETERS.iter().find(|(old, _)| old == name) {
            (*new).clone_into(name);
            is_changed = true;
        }
    }
    is_changed.then(|| serde_json::to_string(&pairs).ok()).flatten()
}
