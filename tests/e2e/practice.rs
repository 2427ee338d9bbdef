//! The practice site that the program under test carries, seen from behind.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use practice_site::{Options, Release};
use rusqlite::{Connection, OpenFlags};
use steward_testkit::window::{Program, Window};
use tempfile::TempDir;

/// A person's desk: the program, the place of its files, a folder to save things to.
pub(crate) struct TestApp {
    pub(crate) program: Program,
    folder: TempDir,
}

impl TestApp {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = Program::from_environment(&folder.path().join("data")).unwrap();
        Self { program, folder }
    }

    /// The program's window, at its first screen.
    pub(crate) async fn window(&self) -> Window {
        Window::open(&self.program).await.unwrap()
    }

    /// A place on the desk.
    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The portal's own database.
    pub(crate) fn portal_database(&self) -> Connection {
        self.database("portal/portal.db")
    }

    /// The server's own database.
    pub(crate) fn server_database(&self) -> Connection {
        self.database("server/server.db")
    }

    /// A database of the practice site, to change what the site says.
    pub(crate) fn writable(&self, name: &str) -> Connection {
        Connection::open_with_flags(self.practice(name), OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap()
    }

    /// A practice site beside the program's own, which keeps its things on the desk.
    pub(crate) fn site_options(&self) -> Options {
        Options {
            data_dir: self.place("site"),
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            localhost: false,
            http: false,
            deliver_anywhere: false,
            release: Release::default(),
            servers: 1,
        }
    }

    /// A database of that site.
    pub(crate) fn site_database(&self, name: &str) -> Connection {
        Connection::open(self.place("site").join(name)).unwrap()
    }

    fn database(&self, name: &str) -> Connection {
        Connection::open_with_flags(self.practice(name), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
    }

    fn practice(&self, name: &str) -> PathBuf {
        self.program.folder().join("practice").join(name)
    }
}
