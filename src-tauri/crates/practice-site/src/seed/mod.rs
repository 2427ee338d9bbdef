//! Initial content of a site: fictional places and users, identical in every site except for IDs and times.

mod collaborations;
mod content;
mod data_items;
mod files;
mod service_items;
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

/// Fills the database of the portal if it is empty, in one transaction. An interrupted startup is repeated by the next one.
pub(crate) fn fill_portal_if_new(
    portal: &Store,
    folders: &Folders,
    sign_ins: &SignIns,
    servers: &[String],
) -> anyhow::Result<()> {
    let now = now_ms();
    let filled = portal.write_now(|tx| {
        if tx.query_row("SELECT count(*) FROM portal", [], |row| row.get::<_, i64>(0))? > 0 {
            return Ok(());
        }
        users::fill(tx, sign_ins, now)?;
        content::fill(tx, folders, &sign_ins.users[0].username, now)?;
        service_items::fill(tx, folders, &sign_ins.users[0].username, servers, now)?;
        collaborations::fill(tx, &sign_ins.users[0].username, now)?;
        workspaces::fill(tx)
    });
    filled.map_err(failed)
}

/// Fills the database of a server if it is empty, as [`fill_portal_if_new`]. Only the first server, number 0, has data of
/// the system and what no export has.
pub(crate) fn fill_server_if_new(
    server: &Store,
    number: usize,
    folders: &Folders,
    sign_ins: &SignIns,
) -> anyhow::Result<()> {
    let now = now_ms();
    let filled = server.write_now(|tx| {
        if tx.query_row("SELECT count(*) FROM primary_administrator", [], |row| row.get::<_, i64>(0))? > 0 {
            return Ok(());
        }
        let primary = &sign_ins.primary_administrator;
        tx.execute(
            "INSERT INTO primary_administrator (username, password_hash) VALUES (?1, ?2)",
            [&primary.username, &hash_password(&primary.password)?],
        )?;
        let owner = &sign_ins.users[0].username;
        configuration::replace(tx, services::configuration(number, folders, owner, now)?)?;
        configuration::start_services(tx, false)?;
        if number == 0 { unexported::fill(tx, folders, now) } else { Ok(()) }
    });
    filled.map_err(failed)
}

fn failed(why: ApiError) -> anyhow::Error {
    anyhow::anyhow!("the practice site's first content: {}", why.message)
}
