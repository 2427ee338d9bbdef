//! Two unit files of the user instance of systemd, and the calls that enable them.

use std::collections::BTreeSet;
use std::io::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

use steward_core::files;

use super::{RUN_DUE_PLANS, Registration, output, remove_file};
use crate::schedule::TimeOfDay;

/// Name of the service unit.
pub const SERVICE: &str = "site-steward-plans.service";

/// Name of the timer unit.
pub const TIMER: &str = "site-steward-plans.timer";

/// The user instance of systemd.
#[derive(Debug, Clone)]
pub struct Systemd {
    /// Folder of the unit files of the user.
    pub units: PathBuf,
    /// Folder in which systemd stores when a timer last started its service.
    pub stamps: PathBuf,
}

impl Systemd {
    /// Returns the user instance, if there is one. Its state is not asked: it is *degraded* where any other unit
    /// failed.
    #[must_use]
    pub fn of_user(config: &Path, data: &Path) -> Option<Self> {
        let version = systemctl(&["show", "--property=Version", "--value"]).ok()?;
        (!version.trim().is_empty())
            .then(|| Self { units: config.join("systemd/user"), stamps: data.join("systemd/timers") })
    }

    /// Returns whether the unit files are those for this program and these times, and the timer is active and starts with
    /// the next session.
    #[must_use]
    pub fn registration(&self, program: &str, times: &BTreeSet<TimeOfDay>) -> Registration {
        let read = |name: &str| std::fs::read_to_string(self.units.join(name)).ok();
        match (read(SERVICE), read(TIMER)) {
            (None, None) => Registration::Missing,
            (Some(found), Some(timer_found)) if found == service(program) && timer_found == timer(times) => {
                // The user or an administrator might have disabled the timer. One that is active and disabled ends with
                // the session.
                match ["is-active", "is-enabled"].iter().all(|asked| systemctl(&[asked, TIMER]).is_ok()) {
                    true => Registration::Registered,
                    false => Registration::Differs,
                }
            }
            _ => Registration::Differs,
        }
    }

    /// Writes the unit files, and enables and starts the timer.
    ///
    /// # Errors
    /// An error of the disk, or the message of systemctl.
    pub fn register(&self, program: &str, times: &BTreeSet<TimeOfDay>) -> Result<()> {
        std::fs::create_dir_all(&self.units)?;
        files::write_whole(&self.units.join(SERVICE), service(program).as_bytes())?;
        files::write_whole(&self.units.join(TIMER), timer(times).as_bytes())?;
        systemctl(&["daemon-reload"])?;
        systemctl(&["enable", TIMER])?;
        // A timer that waits already keeps its former times until it starts again.
        systemctl(&["restart", TIMER]).map(drop)
    }

    /// Starts the runner now, as the timer does.
    ///
    /// # Errors
    /// The message of systemctl.
    pub fn start_now(&self) -> Result<()> {
        systemctl(&["start", "--no-block", SERVICE]).map(drop)
    }

    /// Stops and disables the timer, and removes what belongs to it.
    ///
    /// # Errors
    /// An error of the disk, or the message of systemctl.
    pub fn remove(&self) -> Result<()> {
        if self.units.join(TIMER).exists() {
            systemctl(&["disable", "--now", TIMER])?;
        }
        // The time of the last start outlives the timer, and a new one would start at once.
        for file in
            [self.units.join(TIMER), self.units.join(SERVICE), self.stamps.join(format!("stamp-{TIMER}"))]
        {
            remove_file(&file)?;
        }
        systemctl(&["daemon-reload"]).map(drop)
    }
}

/// Calls systemctl for the user instance, and returns its output.
fn systemctl(arguments: &[&str]) -> Result<String> {
    output(Command::new("systemctl").arg("--user").args(arguments))
}

/// Returns the service unit. `program` is an absolute path.
///
/// Without the program the unit is skipped: a package cannot remove units of users. Exit code 75 is *not now*, and no
/// failure. While the service runs, the timer starts no other one: a process that is frozen is ended after 3 days,
/// longer than any night takes.
#[must_use]
pub fn service(program: &str) -> String {
    format!(
        "[Unit]\n\
         Description=Site Steward backup plans\n\
         ConditionFileIsExecutable={condition}\n\
         \n\
         [Service]\n\
         Type=oneshot\n\
         ExecStart=\"{quoted}\" {RUN_DUE_PLANS}\n\
         SuccessExitStatus=75\n\
         TimeoutStartSec=3d\n",
        // `ConditionFileIsExecutable` takes no quotes, and does not expand `$`.
        condition = program.replace('%', "%%"),
        quoted = quoted(program),
    )
}

/// Returns the timer unit, which starts the service at each time and once an hour, and after a start that was missed.
#[must_use]
pub fn timer(times: &BTreeSet<TimeOfDay>) -> String {
    let calendar: String = times
        .iter()
        .map(|time| format!("OnCalendar=*-*-* {:02}:{:02}:00\n", time.hour, time.minute))
        .collect();
    format!(
        "[Unit]\n\
         Description=Starts due backup plans of Site Steward\n\
         \n\
         [Timer]\n\
         {calendar}OnCalendar=hourly\n\
         Persistent=true\n\
         AccuracySec=1min\n\
         \n\
         [Install]\n\
         WantedBy=timers.target\n"
    )
}

/// Returns a path for the inside of double quotes in `ExecStart`, where `%`, `$`, and escapes are expanded.
fn quoted(path: &str) -> String {
    path.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_units_start_the_runner_at_each_time_and_once_an_hour() {
        let times = [(3, 30), (1, 5)].map(|(hour, minute)| TimeOfDay { hour, minute });
        assert_eq!(
            timer(&times.into()),
            "[Unit]\nDescription=Starts due backup plans of Site Steward\n\n[Timer]\n\
             OnCalendar=*-*-* 01:05:00\nOnCalendar=*-*-* 03:30:00\nOnCalendar=hourly\n\
             Persistent=true\nAccuracySec=1min\n\n[Install]\nWantedBy=timers.target\n"
        );
        assert_eq!(
            service("/usr/bin/site-steward"),
            "[Unit]\nDescription=Site Steward backup plans\nConditionFileIsExecutable=/usr/bin/site-steward\n\n\
             [Service]\nType=oneshot\nExecStart=\"/usr/bin/site-steward\" run-due-plans\nSuccessExitStatus=75\n\
             TimeoutStartSec=3d\n"
        );
    }

    #[test]
    fn a_path_is_not_expanded_whatever_is_in_it() {
        let unit = service(r#"/opt/50%s off/$HOME/a "b"\c"#);
        assert!(unit.contains(r#"ExecStart="/opt/50%%s off/$$HOME/a \"b\"\\c" run-due-plans"#), "{unit}");
        assert!(unit.contains("ConditionFileIsExecutable=/opt/50%%s off/$HOME"), "{unit}");
    }
}
