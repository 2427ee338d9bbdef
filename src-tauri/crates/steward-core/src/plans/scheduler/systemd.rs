//! Two unit files of the user instance of systemd.

use std::collections::BTreeSet;

use super::RUN_DUE_PLANS;
use crate::plans::schedule::TimeOfDay;

/// Name of the service unit.
pub const SERVICE: &str = "site-steward-plans.service";

/// Name of the timer unit.
pub const TIMER: &str = "site-steward-plans.timer";

/// Returns the service unit. `program` is an absolute path.
///
/// Without the program the unit is skipped: a package cannot remove units of users. Exit code 75 is *not now*, and no
/// failure.
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
         SuccessExitStatus=75\n",
        // Not quoted there, and `$` is not expanded.
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
             [Service]\nType=oneshot\nExecStart=\"/usr/bin/site-steward\" run-due-plans\nSuccessExitStatus=75\n"
        );
    }

    #[test]
    fn a_path_is_not_expanded_whatever_is_in_it() {
        let unit = service(r#"/opt/50%s off/$HOME/a "b"\c"#);
        assert!(unit.contains(r#"ExecStart="/opt/50%%s off/$$HOME/a \"b\"\\c" run-due-plans"#), "{unit}");
        assert!(unit.contains("ConditionFileIsExecutable=/opt/50%%s off/$HOME"), "{unit}");
    }
}
