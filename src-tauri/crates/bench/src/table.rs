//! Table of results.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::site::Memory;

/// Results of all measurements.
#[derive(Default)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
    pub(crate) lines: Vec<Line>,
    pub(crate) failures: Vec<String>,
}

/// Header of the rows.
const ROWS: &str = "| what | ours | peer | the peer's | ratio | goal | met | memory idle | memory peak |\n\
                    |---|--:|---|--:|--:|---|---|--:|--:|\n";

/// Work that the practice site and another program did.
pub(crate) struct Row {
    pub(crate) what: String,
    pub(crate) ours: Duration,
    pub(crate) peer: &'static str,
    pub(crate) theirs: Duration,
    pub(crate) goal: Goal,
    pub(crate) memory: Memory,
}

/// Required ratio of the two times.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// At least this many times as fast as the other program.
    AsFast(f64),
    /// At most this many times the time of the other program.
    Within(f64),
}

/// Measured number, with its limit.
pub(crate) struct Line {
    what: String,
    measured: f64,
    beside: Option<(&'static str, f64)>,
    limit: Limit,
}

/// Maximum of a number.
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    Millis(f64),
    Count(f64),
    /// This many times the number of the other program, which has this unit.
    Times(f64, &'static str),
    /// No limit: the number is only shown.
    None,
}

impl Line {
    pub(crate) fn new(what: impl Into<String>, measured: f64, limit: Limit) -> Self {
        Self { what: what.into(), measured, beside: None, limit }
    }

    /// Returns a line for a time in milliseconds that must not exceed that of another program.
    pub(crate) fn beside(what: impl Into<String>, measured: f64, peer: &'static str, theirs: f64) -> Self {
        Self::compared(what, measured, (peer, theirs), Limit::Times(1.0, " ms"))
    }

    /// Returns a line for a number that is limited by that of another program.
    pub(crate) fn compared(
        what: impl Into<String>,
        measured: f64,
        beside: (&'static str, f64),
        limit: Limit,
    ) -> Self {
        Self { what: what.into(), measured, beside: Some(beside), limit }
    }

    fn text(&self) -> String {
        let theirs = self.beside.map_or(f64::NAN, |(_, theirs)| theirs);
        let (most, unit, goal) = match self.limit {
            Limit::Millis(most) => (most, " ms", format!("≤ {most:.0} ms")),
            Limit::Count(most) => (most, "", format!("≤ {most:.0}")),
            Limit::Times(times, unit) => (times * theirs, unit, format!("≤ {times} ×")),
            Limit::None => (f64::INFINITY, "", String::new()),
        };
        let peer = self.beside.map_or_else(String::new, |(peer, theirs)| {
            format!("{peer}: {theirs:.0}{unit}; ratio {:.2}", self.measured / theirs)
        });
        let met = if self.measured <= most { "yes" } else { "NO" };
        format!("| {} | {:.1}{unit} | {peer} | {goal} | {met} |", self.what, self.measured)
    }
}

impl Table {
    /// Records the error of a part that failed, and writes the results so far. They remain if a later part fails or the
    /// run is stopped.
    pub(crate) fn note(&mut self, part: &str, outcome: Result<()>, out: &Path) -> Result<()> {
        if let Err(error) = outcome {
            eprintln!("{part}: {error:#}");
            self.failures.push(format!("{part}: {error:#}"));
        }
        fs::write(out, self.text()).with_context(|| format!("cannot write {}", out.display()))
    }

    /// Returns the table as Markdown.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        if !self.lines.is_empty() {
            text.push_str("| what | measured | beside | goal | met |\n|---|--:|---|---|---|\n");
        }
        for line in &self.lines {
            let _ = writeln!(text, "{}", line.text());
        }
        if !self.rows.is_empty() {
            text.push_str(ROWS);
        }
        for row in &self.rows {
            let (ratio, goal, met) = row.verdict();
            let (ours, theirs) = (seconds(row.ours), seconds(row.theirs));
            let Memory { idle, peak } = row.memory;
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "| {} | {ours} | {} | {theirs} | {ratio:.2} | {goal} | {} | {idle} MiB | {peak} MiB |",
                row.what,
                row.peer,
                if met { "yes" } else { "NO" },
            );
        }
        for failure in &self.failures {
            let _ = writeln!(text, "\nNot measured: {failure}");
        }
        text
    }
}

impl Row {
    /// Returns the ratio of the goal, the goal as text, and whether it is met.
    fn verdict(&self) -> (f64, String, bool) {
        let (ours, theirs) = (self.ours.as_secs_f64(), self.theirs.as_secs_f64());
        match self.goal {
            Goal::AsFast(times) => (theirs / ours, format!("≥ {times} × as fast"), theirs / ours >= times),
            Goal::Within(times) => (ours / theirs, format!("≤ {times} × its time"), ours / theirs <= times),
        }
    }
}

fn seconds(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{:.1} ms", time.as_secs_f64() * 1000.0)
    } else {
        format!("{:.2} s", time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ours: u64, theirs: u64, goal: Goal) -> Row {
        let (ours, theirs) = (Duration::from_millis(ours), Duration::from_millis(theirs));
        Row { what: "work".into(), ours, peer: "peer", theirs, goal, memory: Memory { idle: 1, peak: 2 } }
    }

    #[test]
    fn a_goal_says_which_way_the_ratio_goes() {
        assert!(row(100, 310, Goal::AsFast(3.0)).verdict().2);
        assert!(!row(100, 290, Goal::AsFast(3.0)).verdict().2);
        assert!(row(140, 100, Goal::Within(1.5)).verdict().2);
        assert!(!row(160, 100, Goal::Within(1.5)).verdict().2);
    }

    #[test]
    fn a_number_stands_beside_its_goal_and_is_judged_by_it() {
        let line = |measured, limit| Line::new("sort", measured, limit).text();
        assert_eq!(line(100.4, Limit::Millis(100.0)), "| sort | 100.4 ms |  | ≤ 100 ms | NO |");
        assert_eq!(line(2_000.0, Limit::Count(2_000.0)), "| sort | 2000.0 |  | ≤ 2000 | yes |");
        assert_eq!(line(7.0, Limit::None), "| sort | 7.0 |  |  | yes |");
    }

    #[test]
    fn a_number_beside_anothers_is_judged_by_the_ratio() {
        let line =
            |measured| Line::compared("start", measured, ("peer", 100.0), Limit::Times(1.3, " ms")).text();
        assert_eq!(line(120.0), "| start | 120.0 ms | peer: 100 ms; ratio 1.20 | ≤ 1.3 × | yes |");
        assert!(line(131.0).ends_with("| NO |"));
    }

    #[test]
    fn only_what_was_measured_has_a_heading() {
        let mut table = Table::default();
        table.lines.push(Line::beside("painted", 90.0, "peer", 91.0));
        let text = table.text();
        assert!(text.contains("| painted | 90.0 ms | peer: 91 ms; ratio 0.99 | ≤ 1 × | yes |"), "{text}");
        assert!(!text.contains("the peer's"), "{text}");
    }

    #[test]
    fn what_failed_is_in_the_text() {
        let mut table = Table::default();
        table.rows.push(row(1500, 3000, Goal::AsFast(2.0)));
        let file = tempfile::NamedTempFile::new().unwrap();
        table.note("a part", Err(anyhow::anyhow!("the reason")), file.path()).unwrap();
        let text = fs::read_to_string(file.path()).unwrap();
        assert!(
            text.contains("| work | 1.50 s | peer | 3.00 s | 2.00 | ≥ 2 × as fast | yes | 1 MiB | 2 MiB |")
        );
        assert!(text.ends_with("Not measured: a part: the reason\n"));
    }
}
