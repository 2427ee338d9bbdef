//! Load on every processor, beside which the busy runs take place.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Number of additions between two looks at the clock, a few milliseconds.
const ADDITIONS: u64 = 1_000_000;

/// One busy thread for each processor. They end when this is dropped, and at the latest after the limit.
pub(super) struct Load {
    ended: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    /// Starts the threads.
    pub(super) fn start(limit: Duration) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let end = Instant::now() + limit;
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let threads = (0..processors).map(|_| {
            let ended = Arc::clone(&ended);
            thread::spawn(move || {
                while !ended.load(Ordering::Relaxed) && Instant::now() < end {
                    // Not a pause instruction, which would leave the processor to others.
                    (0..ADDITIONS).for_each(|number| {
                        black_box(number);
                    });
                }
            })
        });
        Self { threads: threads.collect(), ended }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // A thread that panicked has ended too.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_load_has_ended() {
        let load = Load::start(Duration::from_secs(600));
        let ended = Arc::clone(&load.ended);
        drop(load);
        // Each thread had a copy.
        assert_eq!(Arc::strong_count(&ended), 1);
    }

    #[test]
    fn load_ends_by_itself_at_its_limit() {
        let mut load = Load::start(Duration::from_millis(1));
        for thread in load.threads.drain(..) {
            thread.join().unwrap();
        }
        assert!(!load.ended.load(Ordering::Relaxed));
    }
}
