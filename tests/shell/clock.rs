//! A clock that a test moves: of its own process, of the practice site in it, and of each program that it starts with the
//! same environment. It is libfaketime, which adds the seconds that a file holds to every time that the system tells.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Variable with the library. A process without it has the time of the system.
pub(crate) const PRELOAD: &str = "LD_PRELOAD";

/// The library of the Debian package `faketime`, for processes with threads.
const LIBRARY: &str = "faketime/libfaketimeMT.so.1";

/// A clock, and the seconds that it is ahead of the system.
pub(crate) struct Clock {
    file: PathBuf,
}

impl Clock {
    /// Returns the clock of a home. It tells the time of the system until it is moved.
    pub(crate) fn of(home: &Path) -> Self {
        let clock = Self { file: home.join("clock") };
        if !clock.file.exists() {
            clock.set(0);
        }
        clock
    }

    /// Returns what a process needs to have this clock. Pauses take as long as they do.
    pub(crate) fn environment(&self) -> Vec<(&'static str, String)> {
        let folder = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
        let library = Path::new(&folder).join(LIBRARY);
        assert!(library.exists(), "no {LIBRARY}: `cargo xtask test --only packages` installs it");
        vec![
            (PRELOAD, library.display().to_string()),
            ("FAKETIME_TIMESTAMP_FILE", self.file.display().to_string()),
            ("FAKETIME_NO_CACHE", "1".to_owned()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
            ("NO_FAKE_STAT", "1".to_owned()),
            ("TZ", "UTC".to_owned()),
        ]
    }

    /// Moves the clock forward to this time.
    pub(crate) fn go_to(&self, time: DateTime) {
        let time = time.to_zoned(TimeZone::UTC).unwrap().timestamp();
        let forward = time.as_second() - Timestamp::now().as_second();
        assert!(forward >= 0, "{time} is over");
        self.set(self.ahead() + forward);
        assert!((Timestamp::now().as_second() - time.as_second()).abs() < 60, "the clock does not follow");
    }

    fn ahead(&self) -> i64 {
        std::fs::read_to_string(&self.file).unwrap().trim().parse().unwrap()
    }

    /// Whole or not at all: every process reads it at each look at the clock.
    fn set(&self, seconds: i64) {
        let new = self.file.with_extension("new");
        std::fs::write(&new, format!("+{seconds}\n")).unwrap();
        std::fs::rename(new, &self.file).unwrap();
    }
}
