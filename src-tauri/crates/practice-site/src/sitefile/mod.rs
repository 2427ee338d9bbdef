//! Site files: where an export goes ([`Target`]), how an archive is written and read back, and what is in it.

mod hashing;
mod manifest;
mod place;
mod portal_archive;
mod reader;
mod remote;
mod server_archive;
mod server_check;
mod target;
mod writer;

pub(crate) use hashing::{Hashing, Sent};
pub(crate) use place::{Place, remove_unfinished};
pub(crate) use portal_archive::{Gaps, PortalContent, UnpackedPortal};
pub(crate) use remote::{Pointer, Remote};
pub(crate) use server_archive::{read_server, write_server};
pub(crate) use target::Target;
