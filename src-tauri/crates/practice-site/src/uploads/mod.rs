//! Server uploads: server exports without a folder, and files uploaded by clients.

mod clean_up;
mod download;
mod extensions;
mod list;
mod locks;
mod multipart;
mod sequential_parts;
mod single_request;
mod stored;

pub(crate) use clean_up::{clean_up, keep_clean};
pub(crate) use download::download;
pub(crate) use extensions::{accept_site_files, accepts_site_files};
pub(crate) use list::{delete, list, one};
pub(crate) use locks::Locks;
pub(crate) use multipart::{commit, register, upload_part};
pub(crate) use single_request::upload;
pub(crate) use stored::{find_committed, path_of};
