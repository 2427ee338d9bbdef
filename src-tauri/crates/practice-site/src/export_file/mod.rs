//! Export files: destination ([`Target`]), writing and reading of archives, and their content.

mod flush;
mod folder;
mod hashing;
mod manifest;
mod portal_archive;
mod reader;
mod remote;
mod server_archive;
mod server_check;
mod target;
mod writer;

pub(crate) use folder::{ExportFolder, remove_unfinished};
pub(crate) use hashing::{Hashing, Sent};
pub(crate) use portal_archive::{Gaps, PortalContent, UnpackedPortal};
pub(crate) use remote::{LocationConfig, Pointer, Remote};
pub(crate) use server_archive::{read_server, write_server};
pub(crate) use target::Target;
