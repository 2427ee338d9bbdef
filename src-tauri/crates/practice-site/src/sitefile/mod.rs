//! Site files: where an export goes ([`Place`]), how an archive is written and read back, and what is in it.

mod manifest;
mod place;
mod portal_archive;
mod reader;
mod server_archive;
mod writer;

pub(crate) use place::Place;
pub(crate) use portal_archive::write_portal;
pub(crate) use server_archive::{read_server, write_server};
