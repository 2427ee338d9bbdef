//! An entry of XDG autostart, where there is no user instance of systemd: the runner stays until the session ends.

use super::RUN_DUE_PLANS;

/// Name of the file in `autostart/` of the configuration folder.
pub const FILE: &str = "org.sitesteward.desktop.plans.desktop";

/// Second argument with which the runner stays, and sleeps from one time to the next.
pub const STAY: &str = "--stay";

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
        // A string, in which only the backslash is special.
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
