//! Commands of `cargo xtask`, one module each.
//!
//! [`ALL`] lists them in the order of the help.

mod bench;
mod bindings;
mod check_macos;
mod check_windows;
mod debian_rust;
mod demo;
mod desktop;
mod icons;
mod latest;
pub(crate) mod licences;
mod package;
mod rules;
mod run;
mod screenshots;
mod steps;
mod task;
mod test;
mod weekly;

use self::task::Task;

/// All commands, in the order of the help.
pub(crate) const ALL: &[Task] = &[
    run::TASK,
    test::TASK,
    weekly::TASK,
    demo::TASK,
    screenshots::TASK,
    bench::TASK,
    package::TASK,
    latest::TASK,
    check_windows::TASK,
    check_macos::TASK,
    rules::TASK,
    bindings::TASK,
    icons::TASK,
    licences::TASK,
    desktop::TASK,
];

/// Prints the list of commands.
pub(crate) fn print_help() {
    println!("cargo xtask COMMAND\n");
    for task in ALL {
        println!("  {:15}{}", task.name, task.about);
    }
    println!("\nEach installs what it needs first, or says what to install.");
}
