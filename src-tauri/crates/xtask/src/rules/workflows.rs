//! A job that runs other people's code gets nothing that is worth stealing.
//!
//! Build scripts, procedural macros, and npm packages run with everything that their job can reach.

use super::violation::Violation;

/// Programs that run code of dependencies.
const BUILD_TOOLS: &[&str] = &["cargo", "rustup", "npm", "npx"];

/// Rights that only let a job vouch for the files that it made itself.
const VOUCHES: &[&str] = &["id-token", "attestations"];

/// Checks the jobs of one workflow.
pub(super) fn check(file: &str, source: &str) -> Vec<Violation> {
    let lines: Vec<&str> = source.lines().collect();
    let begin = lines.iter().position(|line| *line == "jobs:").unwrap_or(lines.len());
    let starts: Vec<usize> = (begin..lines.len()).filter(|at| is_job(lines[*at])).collect();
    let mut found = Vec::new();
    let mut builds = false;
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(lines.len());
        if lines[*start..end].iter().any(|line| runs_code(line)) {
            builds = true;
            found.extend(violations(file, &lines, *start, end));
        }
    }
    if builds {
        // What stands before the jobs holds for each of them.
        found.extend(violations(file, &lines, 0, begin));
    }
    found
}

/// Returns whether this line, below `jobs:`, begins a job.
fn is_job(line: &str) -> bool {
    line.strip_prefix("  ").is_some_and(|name| !name.starts_with([' ', '#']) && name.ends_with(':'))
}

fn runs_code(line: &str) -> bool {
    code(line).split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| BUILD_TOOLS.contains(&word))
}

fn violations<'l>(
    file: &'l str,
    lines: &'l [&str],
    start: usize,
    end: usize,
) -> impl Iterator<Item = Violation> + 'l {
    (start..end).filter_map(move |at| {
        Some(Violation {
            file: file.to_owned(),
            line: at + 1,
            what: out_of_place(code(lines[at]))?.to_owned(),
            why: "code of dependencies runs in this job, and could take or use it",
        })
    })
}

/// Names what a job that runs code of dependencies must not have.
fn out_of_place(line: &str) -> Option<&'static str> {
    if ["secrets.", "secrets[", "secrets:", "toJSON(secrets", "github.token"]
        .iter()
        .any(|name| line.contains(name))
    {
        return Some("a secret");
    }
    if line.starts_with("environment:") {
        return Some("an environment, which has secrets");
    }
    let (right, value) = line.split_once(':')?;
    let grants = value.trim() == "write" && !VOUCHES.contains(&right);
    (grants || line.contains("write-all")).then_some("a right to write")
}

/// Returns a line without indentation and comment.
fn code(line: &str) -> &str {
    let line = line.trim();
    if line.starts_with('#') { "" } else { line.split(" #").next().unwrap_or(line).trim_end() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A release as it was: one job builds with the keys, another installs tools with the right to write.
    const TODAY: &str = "\
name: release
permissions:
  contents: read
jobs:
  installers:
    environment: release
    steps:
      - run: cargo xtask package
        env:
          SITE_STEWARD_UPDATE_KEY: ${{ vars.UPDATE_KEY }}
          TAURI_SIGNING_PRIVATE_KEY: ${{ secrets.TAURI_SIGNING_PRIVATE_KEY }}
  draft:
    permissions:
      contents: write
      id-token: write
    steps:
      - run: |
          cd ui && npm ci
      - run: gh release create
        env:
          GH_TOKEN: ${{ github.token }}
";

    fn lines(source: &str) -> Vec<usize> {
        let mut lines: Vec<usize> =
            check("release.yml", source).into_iter().map(|found| found.line).collect();
        lines.sort_unstable();
        lines
    }

    #[test]
    fn a_job_that_builds_has_no_secret_and_no_right_to_write() {
        assert_eq!(lines(TODAY), [6, 11, 14, 21]);
    }

    #[test]
    fn a_job_that_runs_no_code_of_dependencies_may_sign_and_publish() {
        let signs = TODAY.replace("cargo xtask package", "node tauri.js signer sign").replace("npm ci", "ls");
        assert!(lines(&signs).is_empty());
    }

    #[test]
    fn what_stands_before_the_jobs_holds_for_each_of_them() {
        let all = "permissions: write-all\nenv:\n  KEY: ${{ secrets.KEY }}\njobs:\n  a:\n    steps:\n      - run: npx x\n";
        assert_eq!(lines(all), [1, 3]);
    }

    #[test]
    fn a_comment_is_no_command() {
        assert!(
            lines("jobs:\n  a:\n    # No cargo here.\n    permissions:\n      contents: write\n").is_empty()
        );
    }
}
