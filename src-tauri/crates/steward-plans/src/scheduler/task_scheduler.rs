//! The XML of a task of the Windows Task Scheduler.

use std::collections::BTreeSet;
use std::io::Result;
use std::path::PathBuf;
use std::process::Command;

use steward_core::files;

use super::{RUN_DUE_PLANS, Registration, output, remove_file, xml};
use crate::schedule::TimeOfDay;

/// Folder of the tasks. All users share it, so that the name of a task contains that of its user.
pub const FOLDER: &str = "\\Site Steward";

/// A task has at most 48 triggers, one of which is the hourly one.
const MOST_TIMES: usize = 47;

/// The task of a user.
#[derive(Debug, Clone)]
pub struct TaskScheduler {
    /// Path of `schtasks.exe`.
    pub program: PathBuf,
    /// Name of the user.
    pub user: String,
    /// File with what was registered last: Windows returns a task in a form of its own.
    pub registered: PathBuf,
}

impl TaskScheduler {
    /// Returns whether the task exists, and was registered last for this program and these times.
    #[must_use]
    pub fn registration(&self, program: &str, times: &BTreeSet<TimeOfDay>) -> Registration {
        match self.call(&["/Query", "/TN", &self.name()]) {
            Err(_) => Registration::Missing,
            Ok(_) if std::fs::read(&self.registered).is_ok_and(|last| last == file(program, times)) => {
                Registration::Registered
            }
            Ok(_) => Registration::Differs,
        }
    }

    /// Creates the task, or replaces it.
    ///
    /// # Errors
    /// An error of the disk, or the message of schtasks.
    pub fn register(&self, program: &str, times: &BTreeSet<TimeOfDay>) -> Result<()> {
        files::write_whole(&self.registered, &file(program, times))?;
        let file = self.registered.to_string_lossy();
        let created = self.call(&["/Create", "/TN", &self.name(), "/XML", &file, "/F"]);
        if created.is_err() {
            // The file must not name a task that Windows did not accept.
            remove_file(&self.registered)?;
        }
        created.map(drop)
    }

    /// Starts the runner now, as the task does.
    ///
    /// # Errors
    /// The message of schtasks.
    pub fn start_now(&self) -> Result<()> {
        self.call(&["/Run", "/TN", &self.name()]).map(drop)
    }

    /// Deletes the task.
    ///
    /// # Errors
    /// An error of the disk, or the message of schtasks.
    pub fn remove(&self) -> Result<()> {
        remove_file(&self.registered)?;
        match self.call(&["/Query", "/TN", &self.name()]) {
            Ok(_) => self.call(&["/Delete", "/TN", &self.name(), "/F"]).map(drop),
            Err(_) => Ok(()),
        }
    }

    fn name(&self) -> String {
        // In the name of a task, a backslash separates folders.
        format!("{FOLDER}\\plans-{}", self.user.replace(['\\', '/', ':', '*', '?', '"', '<', '>', '|'], "_"))
    }

    fn call(&self, arguments: &[&str]) -> Result<String> {
        output(Command::new(&self.program).args(arguments))
    }
}

/// Returns the file for `schtasks /Create /XML`: UTF-16LE with a byte order mark, which every version accepts.
#[must_use]
pub fn file(program: &str, times: &BTreeSet<TimeOfDay>) -> Vec<u8> {
    let text = task(program, times);
    [0xFEFF_u16].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// Returns the task. `program` is a path in which Windows expands variables.
///
/// It runs only while its user is signed in, also with a locked screen: otherwise the keyring cannot be read. By
/// default, Windows would not start it on battery power. While it runs, no other one is started: one that is frozen is
/// ended after 3 days, longer than any night takes.
fn task(program: &str, times: &BTreeSet<TimeOfDay>) -> String {
    // Without an offset, the time is local. The date can be any in the past.
    let daily = |time: &TimeOfDay| {
        format!(
            "    <CalendarTrigger>\n      \
             <StartBoundary>2026-01-01T{:02}:{:02}:00</StartBoundary>\n      \
             <ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>\n    \
             </CalendarTrigger>\n",
            time.hour, time.minute
        )
    };
    let triggers: String = times.iter().take(MOST_TIMES).map(daily).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n\
         <Task version=\"1.2\" xmlns=\"http://schemas.microsoft.com/windows/2004/02/mit/task\">\n  \
         <RegistrationInfo><Description>Starts due backup plans of Site Steward</Description></RegistrationInfo>\n  \
         <Triggers>\n\
         {triggers}    \
         <TimeTrigger>\n      \
         <Repetition><Interval>PT1H</Interval></Repetition>\n      \
         <StartBoundary>2026-01-01T00:00:00</StartBoundary>\n    \
         </TimeTrigger>\n  \
         </Triggers>\n  \
         <Principals>\n    \
         <Principal id=\"Author\"><LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal>\n  \
         </Principals>\n  \
         <Settings>\n    \
         <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>\n    \
         <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>\n    \
         <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>\n    \
         <StartWhenAvailable>true</StartWhenAvailable>\n    \
         <RunOnlyIfNetworkAvailable>false</RunOnlyIfNetworkAvailable>\n    \
         <ExecutionTimeLimit>P3D</ExecutionTimeLimit>\n    \
         <Priority>7</Priority>\n  \
         </Settings>\n  \
         <Actions Context=\"Author\">\n    \
         <Exec><Command>{program}</Command><Arguments>{RUN_DUE_PLANS}</Arguments></Exec>\n  \
         </Actions>\n\
         </Task>\n",
        program = xml(program),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_task_starts_the_runner_at_each_time_and_once_an_hour() {
        let times = [(3, 30)].map(|(hour, minute)| TimeOfDay { hour, minute });
        let program = r"%LOCALAPPDATA%\Site Steward\site-steward.exe";
        assert_eq!(task(program, &times.into()), include_str!("task.xml"));
    }

    #[test]
    fn the_file_is_utf_16_with_a_byte_order_mark() {
        let file = file(r"C:\Ä\site-steward.exe", &BTreeSet::new());
        assert_eq!(&file[..4], b"\xFF\xFE<\0");
        let units: Vec<u16> =
            file[2..].chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        assert!(String::from_utf16(&units).unwrap().contains(r"<Command>C:\Ä\site-steward.exe</Command>"));
    }

    #[test]
    fn there_are_never_more_triggers_than_a_task_can_have() {
        let times = (0..24).flat_map(|hour| [0, 15, 30].map(|minute| TimeOfDay { hour, minute })).collect();
        let task = task("site-steward.exe", &times);
        assert_eq!(task.matches("<StartBoundary>").count(), 48);
    }
}

/// With the scheduler of the system. No task is started.
#[cfg(all(test, windows))]
mod with_schtasks {
    use std::path::Path;

    use super::*;

    const PROGRAM: &str = r"C:\Program Files\Site Steward\site-steward.exe";

    #[test]
    fn a_task_is_registered_with_its_settings_replaced_and_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let system = PathBuf::from(std::env::var_os("SystemRoot").unwrap()).join("System32");
        let scheduler = TaskScheduler {
            program: system.join("schtasks.exe"),
            // No user has this name: the tasks of the one who tests stay.
            user: format!("test-{}", std::process::id()),
            registered: folder.path().join("task.xml"),
        };
        let stored = system.join(r"Tasks\Site Steward").join(format!("plans-{}", scheduler.user));

        for hour in [3, 4] {
            let times = BTreeSet::from([TimeOfDay { hour, minute: 30 }]);
            scheduler.register(PROGRAM, &times).unwrap();
            let stored = text(&stored);
            for line in settings(&task(PROGRAM, &times)) {
                assert!(stored.contains(line), "{line} is not in {stored}");
            }
            assert_eq!(scheduler.registration(PROGRAM, &times), Registration::Registered);
            assert_eq!(scheduler.registration(PROGRAM, &BTreeSet::new()), Registration::Differs);
        }
        scheduler.remove().unwrap();
        assert!(!stored.exists() && !scheduler.registered.exists());
    }

    /// Returns the lines of a task whose defaults would end or prevent a run. Wine keeps neither triggers nor the
    /// program.
    fn settings(task: &str) -> Vec<&str> {
        let (_, rest) = task.split_once("<Settings>").unwrap();
        let lines: Vec<_> = rest.split_once("</Settings>").unwrap().0.trim().lines().map(str::trim).collect();
        assert_eq!(lines.len(), 7);
        lines
    }

    /// Returns the text of a stored task: in UTF-16 by Windows, in UTF-8 by Wine, both with a byte order mark.
    fn text(file: &Path) -> String {
        let bytes = std::fs::read(file).unwrap();
        match bytes.strip_prefix(b"\xEF\xBB\xBF") {
            Some(text) => String::from_utf8(text.to_vec()).unwrap(),
            None => {
                let units = bytes[2..].chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
                String::from_utf16(&units.collect::<Vec<_>>()).unwrap()
            }
        }
    }
}
