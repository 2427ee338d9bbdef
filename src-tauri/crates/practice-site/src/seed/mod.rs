//! Initial content of a site: fictional places and users, identical in every site except for IDs and times.

mod collaborations;
mod content;
mod data_items;
mod services;
mod unexported;
mod users;
mod workspaces;

use crate::clock::now_ms;
use crate::folders::Folders;
use crate::sign_in::hash_password;
use crate::store::{Store, configuration};
use crate::users_file::SignIns;
use crate::wire::ApiError;

/// Fills both databases if they are empty, each in one transaction. An interrupted startup is repeated by the next one.
pub(crate) fn fill_if_new(
    portal: &Store,
    server: &Store,
    folders: &Folders,
    sign_ins: &SignIns,
) -> anyhow::Result<()> {
    let now = now_ms();
    let fill_portal = portal.write_now(|tx| {
        if tx.query_row("SELECT count(*) FROM portal", [], |row| row.get::<_, i64>(0))? > 0 {
            return Ok(());
        }
        users::fill(tx, sign_ins, now)?;
        content::fill(tx, folders, &sign_ins.users[0].username, now)?;
        collaborations::fill(tx, &sign_ins.users[0].username, now)?;
        workspaces::fill(tx)
    });
    let fill_server = server.write_now(|tx| {
        if tx.query_row("SELECT count(*) FROM primary_administrator", [], |row| row.get::<_, i64>(0))? > 0 {
            return Ok(());
        }
        let primary = &sign_ins.primary_administrator;
        tx.execute(
            "INSERT INTO primary_administrator (username, password_hash) VALUES (?1, ?2)",
            [&primary.username, &hash_password(&primary.password)?],
        )?;
        configuration::replace(tx, services::configuration(folders, &sign_ins.users[0].username, now)?)?;
        configuration::start_services(tx, false)?;
        unexported::fill(tx, folders, now)?;
        Ok(())
    });
    let failed = |why: ApiError| anyhow::anyhow!("the practice site's first content: {}", why.message);
    fill_portal.map_err(failed)?;
    fill_server.map_err(failed)
}
