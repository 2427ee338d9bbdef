//! An entry of XDG autostart, where there is no user instance of systemd: the runner stays until the session ends.

use std::io::Result;
use std::path::{Path, PathBuf};

use steward_core::files;

use super::{RUN_DUE_PLANS, Registration, remove_file, start_alone};

/// Name of the file in `autostart/` of the configuration folder.
pub const FILE: &str = "org.sitesteward.desktop.plans.desktop";

/// Second argument with which the runner stays, and sleeps from one time to the next.
pub const STAY: &str = "--stay";

/// The entries that a desktop starts when the user signs in.
#[derive(Debug, Clone)]
pub struct Autostart {
    /// The file.
    pub file: PathBuf,
}

impl Autostart {
    /// Returns the entry in the configuration folder of a user.
    #[must_use]
    pub fn in_folder(config: &Path) -> Self {
        Self { file: config.join("autostart").join(FILE) }
    }

    /// Compares the entry with what it should be. Whether its runner is there shows in the time of its last start.
    #[must_use]
    pub fn registration(&self, program: &str) -> Registration {
        match std::fs::read_to_string(&self.file) {
            Err(_) => Registration::Missing,
            Ok(found) if found == entry(program) => Registration::Registered,
            Ok(_) => Registration::Differs,
        }
    }

    /// Writes the entry, and starts a runner for this session.
    ///
    /// # Errors
    /// An error of the disk or of the system.
    pub fn register(&self, program: &str) -> Result<()> {
        if let Some(folder) = self.file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        files::write_whole(&self.file, entry(program).as_bytes())?;
        start_alone(program, &[RUN_DUE_PLANS, STAY])
    }

    /// Removes the entry. A runner that stays ends when no plan has a schedule.
    ///
    /// # Errors
    /// An error of the disk.
    pub fn remove(&self) -> Result<()> {
        remove_file(&self.file)
    }
}

/// Returns the desktop entry. `program` is an absolute path.
#[must_use]
pub fn entry(program: &str) -> String {
    format!(
        "[Desktop Entry]\n\
         Type=Application\n\
         Name=Site Steward backup plans\n\
         Exec=\"{}\" {RUN_DUE_PLANS} {STAY}\n\
         TryExec={}\n\
         NoDisplay=true\n",
        quoted(program),
        // `TryExec` is a string, in which only the backslash is special.
        program.replace('\\', "\\\\"),
    )
}

/// Returns a path for the inside of double quotes in `Exec`: the quoting of arguments, then that of strings.
fn quoted(path: &str) -> String {
    let argument: String = path
        .chars()
        .flat_map(|letter| match letter {
            '"' | '`' | '$' | '\\' => vec!['\\', letter],
            '%' => vec!['%', '%'],
            other => vec![other],
        })
        .collect();
    argument.replace('\\', "\\\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_starts_a_runner_that_stays() {
        assert_eq!(
            entry("/opt/site-steward"),
            "[Desktop Entry]\nType=Application\nName=Site Steward backup plans\n\
             Exec=\"/opt/site-steward\" run-due-plans --stay\nTryExec=/opt/site-steward\nNoDisplay=true\n"
        );
        let odd = entry(r#"/opt/50%/$a"b\c"#);
        assert!(odd.contains(r#"Exec="/opt/50%%/\\$a\\"b\\\\c" run"#), "{odd}");
    }
}
