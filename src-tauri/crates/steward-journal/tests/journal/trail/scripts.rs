//! The scripts of a package, run by the system's own programs.

use std::path::Path;
use std::process::Command;

use steward_journal::trail::export::SCRIPTS;
use steward_journal::trail::{Event, Head};

use super::Desk;
use super::formats::hostile;

/// Scripts that this system can run, each with the program that runs it.
pub(crate) const HERE: &[&str] = if cfg!(windows) {
    &["powershell verify.ps1"]
} else if cfg!(target_os = "linux") {
    &["python3 verify.py", "sh verify.sh", "dash verify.sh", "bash verify.sh"]
} else {
    &["python3 verify.py", "sh verify.sh"]
};

/// What a script said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) is_unbroken: bool,
    pub(crate) has_head: bool,
    pub(crate) exit: i32,
    pub(crate) words: String,
}

/// Runs a script with a head; an empty one for none.
pub(crate) fn verified_by(script: &str, folder: &Path, head: &str) -> Verdict {
    let (program, script) = script.split_once(' ').unwrap();
    let mut command = Command::new(program);
    if program == "powershell" {
        command.args(["-NoProfile", "-ExecutionPolicy", "Bypass", "-File"]);
    }
    command.arg(folder.join(script));
    // The head is one argument, as a user copies it.
    let output = if head.is_empty() { command.output() } else { command.arg(head).output() }.unwrap();
    let words =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let words = if cfg!(windows) { words.replace("\r\n", "\n") } else { words };
    Verdict {
        is_unbroken: words.contains("Unbroken up to entry "),
        has_head: words.contains("The head that you kept is entry "),
        exit: output.status.code().unwrap(),
        words,
    }
}

#[test]
fn a_kept_head_is_there_as_long_as_nothing_before_it_was_changed() {
    let desk = Desk::new();
    let kept = desk.head();
    desk.journal().append(&Event::AppEnded).unwrap();
    let other = Head { hash: kept.hash.replace(|one| one != '0', "1"), ..kept.clone() };

    for script in HERE {
        let found = verified_by(script, &desk.exported(), &kept.to_string());
        assert!(found.is_unbroken && found.has_head && found.exit == 0, "{script}: {found:?}");
        let found = verified_by(script, &desk.exported(), &other.to_string());
        assert!(found.words.contains("BROKEN: the head") && found.exit == 1, "{script}: {found:?}");
    }
}

#[test]
fn a_head_is_read_as_a_ticket_or_a_mail_shows_it() {
    let desk = Desk::new();
    let kept = desk.head().to_string();
    let folder = desk.exported();

    for script in HERE {
        for shown in
            [format!("{kept}."), kept.to_uppercase(), format!("{kept}\r"), format!("  \"{kept}\",\n")]
        {
            let found = verified_by(script, &folder, &shown);
            assert!(found.has_head && found.exit == 0, "{script}, {shown:?}: {found:?}");
        }
        let found = verified_by(script, &folder, &kept[..kept.len() - 1]);
        assert!(found.words.contains("BROKEN: what you gave is not a head"), "{script}: {found:?}");
        assert_eq!(found.exit, 1, "{script}");
    }
}

#[test]
fn each_of_several_heads_that_are_given_must_be_there() {
    let desk = Desk::new();
    let kept = desk.head();
    let other = Head { hash: kept.hash.replace(|one| one != '0', "1"), ..kept.clone() };
    let folder = desk.exported();

    for script in HERE {
        for both in [format!("{kept} {other}"), format!("{other}, {kept}")] {
            let found = verified_by(script, &folder, &both);
            assert!(
                found.has_head && found.words.contains("BROKEN: the head") && found.exit == 1,
                "{script}: {found:?}"
            );
        }
        let found = verified_by(script, &folder, &format!("x{}", kept.to_string().replace(" seq", " xseq")));
        assert!(found.words.contains("BROKEN: what you gave is not a head"), "{script}: {found:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_script_runs_no_file_of_the_folder_and_says_so_if_it_cannot_verify() {
    let desk = Desk::new();
    let folder = desk.exported();
    std::fs::write(folder.join("hashlib.py"), "import sys\nprint('Unbroken up to entry 999')\nsys.exit(0)\n")
        .unwrap();
    let found = verified_by("python3 verify.py", &folder, "");
    assert!(found.is_unbroken && !found.words.contains("999"), "{found:?}");

    // The script must not follow `CDPATH` to another folder of the same name.
    let (parent, name) = (folder.parent().unwrap(), folder.file_name().unwrap());
    let elsewhere = desk.folder.path().join("elsewhere");
    std::fs::create_dir_all(elsewhere.join(name)).unwrap();
    let script = std::path::Path::new(name).join("verify.sh");
    let output =
        Command::new("sh").arg(script).current_dir(parent).env("CDPATH", elsewhere).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("Unbroken up to entry "), "{output:?}");

    // A program that fails, as all do on a full disk.
    let programs = desk.folder.path().join("programs");
    std::fs::create_dir(&programs).unwrap();
    let sum = programs.join("sha256sum");
    std::fs::write(&sum, "#!/bin/sh\nexit 1\n").unwrap();
    std::fs::set_permissions(&sum, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh").arg(folder.join("verify.sh")).env("PATH", path).output().unwrap();
    let words = String::from_utf8_lossy(&output.stdout);
    assert!(words.starts_with("Not verified: ") && !words.contains("BROKEN"), "{words}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
#[cfg(target_os = "linux")]
fn the_script_for_the_shell_finds_its_folder_by_a_link_and_says_so_if_it_cannot() {
    let desk = Desk::new();
    let folder = desk.exported();
    let link = desk.folder.path().join("link");
    std::os::unix::fs::symlink(folder.join("verify.sh"), &link).unwrap();
    let words = |output: std::process::Output| String::from_utf8(output.stdout).unwrap();
    for shell in ["sh", "dash", "bash"] {
        let run = || {
            let mut command = Command::new(shell);
            command.current_dir(desk.folder.path());
            command
        };
        let said = words(run().arg(&link).output().unwrap());
        assert!(said.starts_with("Unbroken up to entry "), "{shell}, by a link: {said}");

        let script = std::fs::File::open(folder.join("verify.sh")).unwrap();
        let output = run().stdin(script).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{shell}, from its input: {output:?}");
        let said = words(output);
        assert!(said.starts_with("Not verified: ") && !said.contains("BROKEN"), "{shell}: {said}");

        let inside = folder.join("temporary");
        std::fs::create_dir_all(&inside).unwrap();
        for temporary in [Path::new("."), Path::new("temporary"), &folder, &inside] {
            let output = run().arg(folder.join("verify.sh")).env("TMPDIR", temporary).output().unwrap();
            let said = words(output);
            assert!(said.contains("other files here (0)"), "{shell}, {}: {said}", temporary.display());
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_script_waits_for_a_pipe_or_reads_a_device_without_end() {
    let desk = Desk::new();
    for name in ["envelopes.jsonl", "bodies.jsonl", "contents.txt"] {
        for is_pipe in [true, false] {
            let folder = desk.exported();
            let path = folder.join(name);
            std::fs::remove_file(&path).unwrap();
            match is_pipe {
                true => assert!(Command::new("mkfifo").arg(&path).status().unwrap().success()),
                false => std::os::unix::fs::symlink("/dev/zero", &path).unwrap(),
            }
            for script in HERE {
                let (program, script) = script.split_once(' ').unwrap();
                let mut command = Command::new("timeout");
                // Without it, the script counts the lines first.
                command.arg("60").arg(program).arg(folder.join(script)).env_remove("TMPDIR");
                let output = command.output().unwrap();
                let words = String::from_utf8_lossy(&output.stdout);
                assert!(
                    words.contains(&format!("BROKEN: {name} is missing")),
                    "{program} {script}: {output:?}"
                );
            }
            std::fs::remove_dir_all(&folder).unwrap();
        }
    }
}

#[test]
#[cfg(unix)]
fn a_script_verifies_its_own_folder_although_another_one_has_almost_the_same_name() {
    let desk = Desk::new();
    let folder = desk.exported();
    let forged = desk.folder.path().join("trail\n");
    std::fs::rename(&folder, &forged).unwrap();
    std::fs::write(forged.join("bodies.jsonl"), "{}\n").unwrap();
    desk.exported();
    for script in HERE {
        let found = verified_by(script, &forged, "");
        assert!(!found.is_unbroken && found.exit == 1, "{script}: {found:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_cannot_be_read_is_neither_named_nor_taken_for_another_one() {
    const CANNOT: &str = "Not verified: a file cannot be read, a program failed, or the folder for temporary files (TMPDIR) is full.\n";
    let desk = Desk::new();
    for name in ["envelopes.jsonl", "bodies.jsonl", "contents.txt"] {
        let folder = desk.exported();
        std::fs::remove_file(folder.join(name)).unwrap();
        // A file that cannot be read, not even by root.
        std::os::unix::fs::symlink("/proc/self/clear_refs", folder.join(name)).unwrap();
        for script in HERE {
            let found = verified_by(script, &folder, "");
            assert_eq!((found.exit, found.words.as_str()), (2, CANNOT), "{script}, {name}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn names_from_a_site_do_not_confuse_a_script() {
    let (desk, _) = hostile();
    for script in HERE {
        let found = verified_by(script, &desk.exported(), &desk.head().to_string());
        assert!(found.is_unbroken && found.has_head, "{script}: {found:?}");
    }
}

#[test]
fn without_a_head_a_script_says_what_it_cannot_know() {
    let desk = Desk::new();
    for script in HERE {
        let found = verified_by(script, &desk.exported(), "");

        assert_eq!(found.exit, 0, "{script}");
        let head = desk.head();
        assert_eq!(
            found.words,
            format!(
                "Unbroken up to entry {}: {}\nWhether this is all, only a head that you kept can tell.\n\
                 Not verified: what was appended after that head, whether history entries were taken out of these files, pages to \
                 read (report.html), other files here (0), the deactivation log, and checklists.\n",
                head.entry, head.hash
            ),
            "{script}"
        );
    }
}

#[test]
fn files_that_nothing_is_compared_with_are_counted() {
    let desk = Desk::new();
    let folder = desk.exported();
    for name in ["answer.json", "RECORD.json", "a/response.json", "a/b/record.json", ".a/record.json", "a/.b"]
    {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "{}").unwrap();
    }
    // Pages to read are named by themselves, and not counted.
    std::fs::write(folder.join("a/report.html"), "").unwrap();
    for script in HERE {
        let found = verified_by(script, &folder, "");
        assert!(found.is_unbroken && found.words.contains("other files here (6)"), "{script}: {found:?}");
    }
}

/// Where there is no PowerShell, at least nobody changes the script without seeing that it was not run.
#[test]
fn the_script_for_powershell_is_the_one_of_the_golden_file() {
    let (_, script) = SCRIPTS.iter().find(|(name, _)| *name == "verify.ps1").unwrap();
    let golden = include_str!("verify.ps1.golden");
    assert_eq!(*script, golden, "run it on Windows, and copy it to the golden file");
}
