//! Files on this computer.
//!
//! A file is complete or absent: what was there before is unchanged until the new file is complete. [`download`] writes
//! server uploads, [`save`] writes bytes, [`JsonStore`] stores values, and [`dialogs`] lets the user choose paths.

pub mod archive_check;
pub(crate) mod archive_contents;
mod archive_entry;
mod archive_view;
mod atomic_write;
mod background;
pub(crate) mod before_release;
pub mod data_folder;
pub(crate) mod database;
pub mod dialogs;
mod disk;
mod download_file;
pub(crate) mod drive;
pub mod dropped;
pub(crate) mod export_kind;
mod facts;
mod flush;
mod hash;
mod json_store;
pub(crate) mod known_files;
mod list_separator;
mod names;
mod not_saved;
mod own_thread;
mod read;
pub mod selected_paths;
mod temporary;
mod text;

pub(crate) use atomic_write::replace;
pub use atomic_write::{can_write_in, save, save_new, write_whole};
pub use background::{in_background, in_place};
pub use download_file::download;
pub use drive::silent;
pub use facts::file_facts;
pub(crate) use flush::flush;
pub use hash::{hash_of, sha256};
pub(crate) use hash::{read_to_end, shown};
pub use json_store::{JsonStore, check, decode, encode};
pub(crate) use json_store::{LARGEST, Newer, asides_of, is_aside, name_aside, note_loss, set_aside};
pub(crate) use list_separator::list_separator;
pub use names::{dated_name, free_place, safe_name, time_in_name};
pub use not_saved::NotSaved;
pub(crate) use own_thread::abandoned;
pub use own_thread::{IsAbandoned, on_own_thread};
pub(crate) use read::open_to_append;
pub use read::{open_regular, read_whole};
pub use temporary::{keep_name, remove_left_behind};
pub use text::as_utf8;
