//! The log of the program, written to the log folder and the terminal without secrets.
//!
//! [`start`] begins logging. Three measures keep secrets out. Secrets are `Secret<T>`, which does not print. Libraries
//! are limited to warnings, whatever `RUST_LOG` sets: their other messages contain URLs and proxies, and change with
//! every version. And every line passes the redaction of the journal.

mod panics;
mod rolling;

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use steward_redact as redact;
use tracing::level_filters::LevelFilter;
use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::filter::{EnvFilter, FilterExt as _, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::registry::Registry;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::files::selected_paths::SelectedPaths;
use crate::model::problem::Problem;
use rolling::RollingFile;

/// Name of the log folder in the data folder.
pub const FOLDER: &str = "logs";

/// Name of the log folder of the runner of backup plans: two processes do not write to one file.
pub const OF_PLANS: &str = "logs/plans";

/// Filter if `RUST_LOG` is not set.
const USUAL: &str = "warn,site_steward=info,steward_app=info,steward_core=info,steward_plans=info,steward_client=info,\
     steward_journal=info,steward_vault=info,practice_site=info";

/// Crates of the program, as targets of log messages.
const OURS: [&str; 8] = [
    "site_steward",
    "steward_app",
    "steward_core",
    "steward_plans",
    "steward_client",
    "steward_journal",
    "steward_vault",
    "practice_site",
];

/// Begins logging to `folder` and to the terminal, and logs panics. `RUST_LOG` sets the level of this program's
/// messages. If the folder cannot be written, only the terminal is used.
pub fn start(folder: &Path) {
    let asked = std::env::var(EnvFilter::DEFAULT_ENV).unwrap_or_default();
    let file = RollingFile::open(folder);
    let rejected = file.as_ref().err().map(ToString::to_string);
    // A second start in one process, as in tests, keeps the first.
    let _ = to(&asked, Both { file: file.ok().map(|file| Arc::new(Mutex::new(file))) }).try_init();
    panics::write_down();
    if let Some(error) = rejected {
        tracing::warn!(error, "the log folder cannot be written to");
    }
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "started");
}

/// Shows the newest log in the file manager.
///
/// # Errors
/// - [`Problem::File`] if the folder cannot be read.
/// - Those of [`SelectedPaths::show`](SelectedPaths::show).
pub fn show(dialogs: &SelectedPaths, data_folder: &Path) -> Result<(), Problem> {
    let folder = data_folder.join(FOLDER);
    let files = std::fs::read_dir(&folder).map_err(|error| Problem::file(&folder, &error))?;
    let newest = files
        .filter_map(Result::ok)
        .map(|file| file.path())
        .filter(|path| path.is_file())
        .max_by_key(|file| file.metadata().and_then(|about| about.modified()).ok());
    dialogs.show(newest.as_deref().unwrap_or(&folder), data_folder)
}

/// Returns the subscriber of the program, which writes to `place`. `asked` is the value of `RUST_LOG`.
pub fn to<W>(asked: &str, place: W) -> impl Subscriber + Send + Sync + 'static
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let wanted = if asked.trim().is_empty() { USUAL } else { asked };
    // An invalid directive is ignored.
    let wanted = EnvFilter::builder().with_default_directive(LevelFilter::WARN.into()).parse_lossy(wanted);
    let lines = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(Redacting { place });
    Registry::default().with(lines.with_filter(wanted.and(filter_fn(is_logged))))
}

/// Library that logs each certificate that it rejects as an error. The app shows such a certificate to the user, and
/// [`Problem::Certificate`] has the reason.
const CERTIFICATE_VERIFIER: &str = "rustls_platform_verifier";

/// Returns whether a message is logged. Libraries are limited to warnings, because they log what they send.
fn is_logged(line: &Metadata<'_>) -> bool {
    let first = line.target().split("::").next().unwrap_or_default();
    let is_expected = first == CERTIFICATE_VERIFIER && *line.level() == Level::ERROR;
    OURS.contains(&first) || *line.level() <= Level::WARN && !is_expected
}

/// Redacts each line before it is written. The formatter passes whole lines.
struct Redacting<W> {
    place: W,
}

/// Writer of one line.
struct Line<W> {
    place: W,
}

impl<'w, W: MakeWriter<'w>> MakeWriter<'w> for Redacting<W> {
    type Writer = Line<W::Writer>;

    fn make_writer(&'w self) -> Self::Writer {
        Line { place: self.place.make_writer() }
    }
}

impl<W: Write> Write for Line<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.place.write_all(redact::text(&String::from_utf8_lossy(line)).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.place.flush()
    }
}

/// The file and the terminal.
#[derive(Clone)]
struct Both {
    file: Option<Arc<Mutex<RollingFile>>>,
}

impl<'w> MakeWriter<'w> for Both {
    type Writer = Self;

    fn make_writer(&'w self) -> Self {
        self.clone()
    }
}

impl Write for Both {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // A closed terminal must not stop the log file.
        let _ = io::stderr().write_all(line);
        if let Some(file) = &self.file {
            file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line)?;
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::Outcome;
    use crate::model::operation::OperationKey;
    use crate::runs::{RunId, RunRegistry, RunStep};
    use crate::sites::Site;

    /// Returns the lines that are logged while `work` runs.
    fn written(asked: &str, work: impl FnOnce()) -> String {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let place = Arc::clone(&lines);
        let subscriber = to(asked, move || Collecting(Arc::clone(&place)));
        tracing::subscriber::with_default(subscriber, work);
        let lines = lines.lock().unwrap();
        String::from_utf8(lines.clone()).unwrap()
    }

    struct Collecting(Arc<Mutex<Vec<u8>>>);

    impl Write for Collecting {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(line);
            Ok(line.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_library_is_not_heard_below_warnings_whatever_the_environment_asks_for() {
        for asked in ["trace", "reqwest=trace,hyper=trace,warn", "reqwest=debug"] {
            let lines = written(asked, || {
                tracing::trace!(target: "reqwest::connect", "canary");
                tracing::debug!(target: "hyper_util::client", "canary");
                tracing::info!(target: "site_stewardess", "canary");
                tracing::warn!(target: "reqwest::connect", "a warning");
            });
            assert!(!lines.contains("canary"), "{asked}: {lines}");
            assert!(lines.contains("a warning"), "{asked}: {lines}");
        }
    }

    #[test]
    fn our_own_words_are_heard_as_the_environment_asks_and_from_information_upwards_otherwise() {
        let work = || {
            tracing::debug!(target: "steward_client::endpoint", "in detail");
            tracing::info!(target: "site_steward", "as usual");
        };
        let usual = written("", work);
        assert!(usual.contains("as usual") && !usual.contains("in detail"), "{usual}");
        let more = written("steward_client=debug", work);
        assert!(more.contains("in detail"), "{more}");
    }

    #[test]
    fn a_rejected_certificate_is_no_error_of_the_app() {
        let lines = written("trace", || {
            tracing::error!(target: "rustls_platform_verifier::verification::others", "unknown issuer");
            tracing::warn!(target: "rustls_platform_verifier::verification::others", "an authority was ignored");
        });
        assert!(!lines.contains("unknown issuer"), "{lines}");
        assert!(lines.contains("an authority was ignored"), "{lines}");
    }

    #[test]
    fn a_run_leaves_its_beginning_its_site_and_its_end_in_the_log() {
        let runs = RunRegistry::new(Box::new(|_| ()));
        let (id, site) = (RunId("r1".to_owned()), Site::example("harbour").at_current());
        let lines = written("", || {
            let run = runs.begin(id, &site, OperationKey::ImportServer, None, RunStep::Waiting).unwrap();
            run.outcome(Outcome::Unknown, None);
            tracing::debug!(target: "steward_core", "in detail");
        });
        let lines: Vec<_> = lines.lines().collect();
        assert_eq!(lines.len(), 2, "{lines:?}");
        for (line, word) in lines.iter().zip(["begins", "ends"]) {
            let about = ["r1", "harbour", "import_server", word];
            assert!(about.iter().all(|part| line.contains(part)), "{line}");
        }
        assert!(lines[1].contains("Unknown"), "{}", lines[1]);
    }

    #[test]
    fn a_named_secret_in_a_line_is_taken_out() {
        let lines = written("", || {
            tracing::warn!(
                address = "https://gis.example.org/?token=cAnArY7391&f=json",
                "asked with Bearer cAnArY7391"
            );
        });
        assert!(!lines.contains("cAnArY7391") && lines.contains("gis.example.org"), "{lines}");
    }
}
