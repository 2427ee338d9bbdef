//! Notes of what only the desktop showed, so that it shows the same once a day. They are needed when the data folder is
//! full, or cannot be written.
//!
//! Each note is an empty file outside of the data folder, in a folder that the system empties sooner or later. The time
//! of the file is when it was shown.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use steward_core::files;

use super::alerts::when::AlertAbout;
use super::plan::PlanId;

/// Time after which the same is shown again: a little less than a day, or starts once an hour would show it later each
/// day.
const AGAIN: Duration = Duration::from_mins(23 * 60 + 30);

/// Note of something that the desktop shows.
pub(crate) struct Shown(PathBuf);

impl Shown {
    /// Returns the note of an alert about something in a data folder. `folder`, which is outside of that, has the
    /// notes.
    pub(crate) fn new(folder: &Path, data_folder: &Path, about: &PlanId, what: AlertAbout) -> Self {
        let name = files::sha256(format!("{} {} {what:?}", data_folder.display(), about.0).as_bytes());
        Self(folder.join(format!("site-steward-shown-{name}")))
    }

    /// Returns whether it was not shown for a day. A time in the future is of a clock that was ahead, and does not
    /// count.
    pub(crate) fn is_news(&self, now: SystemTime) -> bool {
        let at = self.0.symlink_metadata().and_then(|file| file.modified());
        !at.is_ok_and(|at| now.duration_since(at).is_ok_and(|since| since < AGAIN))
    }

    /// Notes that it was shown. A failure is only logged: it is shown again then.
    pub(crate) fn note(&self, now: SystemTime) {
        let file = OpenOptions::new().create(true).append(true).open(&self.0);
        if let Err(error) = file.and_then(|file| file.set_modified(now)) {
            tracing::warn!(%error, file = %self.0.display(), "what the desktop showed is not noted");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::when::Trouble;

    #[test]
    fn what_the_desktop_showed_is_shown_again_after_a_day_and_another_trouble_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let shown = |trouble| {
            let about = PlanId("nightly".to_owned());
            Shown::new(folder.path(), Path::new("/data"), &about, AlertAbout::Trouble(trouble))
        };
        let first = SystemTime::now();
        assert!(shown(Trouble::Failed).is_news(first));
        shown(Trouble::Failed).note(first);

        for (hours, is_news) in [(0, false), (1, false), (23, false), (24, true)] {
            assert_eq!(
                shown(Trouble::Failed).is_news(first + Duration::from_hours(hours)),
                is_news,
                "{hours}"
            );
        }
        assert!(shown(Trouble::Failed).is_news(first - Duration::from_hours(1)), "the clock was ahead");
        assert!(shown(Trouble::Overdue).is_news(first));
    }
}
