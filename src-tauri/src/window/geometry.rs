//! Position and size of the window, restored at the next start.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tauri::{LogicalSize, Manager, Monitor, PhysicalPosition, PhysicalSize, WebviewWindow};

use steward_app::steward::Steward;
use steward_core::files::JsonStore;

/// A rectangle, in physical pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Area {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
}

/// Stored geometry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Remembered {
    #[serde(flatten)]
    area: Area,
    maximized: bool,
}

/// A screen.
#[derive(Debug, Clone, Copy)]
struct Screen {
    /// Part without task bars, in physical pixels.
    free: Area,
    /// Physical pixels of a logical one.
    scale: f64,
}

impl Screen {
    fn of(monitor: &Monitor) -> Self {
        let free = monitor.work_area();
        let free =
            Area { x: free.position.x, y: free.position.y, width: free.size.width, height: free.size.height };
        Self { free, scale: monitor.scale_factor() }
    }
}

/// Smallest size that the window has on its screen, so that it is set only when it changes.
#[derive(Default)]
pub(super) struct Minimum(Mutex<Option<LogicalSize<f64>>>);

/// Restores the position and size. If no screen contains it, the default of the system remains, as far as the screen
/// has room for it.
pub(super) fn restore(window: &WebviewWindow) {
    let screens: Vec<_> = window.available_monitors().unwrap_or_default().iter().map(Screen::of).collect();
    let before = store(window).and_then(|store| store.get());
    let frame = frame(window);
    let placed = match before.and_then(|before| Some((before, nearest(before.area, &screens)?))) {
        Some((before, screen)) => {
            let area = fitted_into(before.area, screen.free, frame);
            // First the minimum: the system would enlarge the window to it.
            allow_to_fit(window, screen);
            window
                .set_size(PhysicalSize::new(area.width, area.height))
                .and_then(|()| window.set_position(PhysicalPosition::new(area.x, area.y)))
                .and_then(|()| if before.maximized { window.maximize() } else { Ok(()) })
        }
        None => fit(window).and_then(|()| shrink(window, frame)),
    };
    if let Err(error) = placed {
        tracing::warn!(%error, "the window could not be put where it was");
    }
}

/// Keeps the minimum below the size of the screen where the window is: it can be moved to a smaller one.
pub(super) fn fit(window: &WebviewWindow) -> tauri::Result<()> {
    if let Some(monitor) = window.current_monitor()? {
        allow_to_fit(window, &Screen::of(&monitor));
    }
    Ok(())
}

/// Makes a window smaller that is larger than its screen.
fn shrink(window: &WebviewWindow, frame: PhysicalSize<u32>) -> tauri::Result<()> {
    let Some(monitor) = window.current_monitor()? else { return Ok(()) };
    let (at, size) = (window.outer_position()?, window.inner_size()?);
    let area = Area { x: at.x, y: at.y, width: size.width, height: size.height };
    let fitting = fitted_into(area, Screen::of(&monitor).free, frame);
    if (fitting.width, fitting.height) == (area.width, area.height) {
        return Ok(());
    }
    window.set_size(PhysicalSize::new(fitting.width, fitting.height))?;
    window.set_position(PhysicalPosition::new(fitting.x, fitting.y))
}

fn allow_to_fit(window: &WebviewWindow, screen: &Screen) {
    let config = window.config().app.windows.first();
    let wanted = config.and_then(|config| Some(LogicalSize::new(config.min_width?, config.min_height?)));
    let (Some(wanted), Some(set)) = (wanted, window.try_state::<Minimum>()) else { return };
    let minimum = minimum_on(wanted, screen, frame(window));
    let mut set = set.0.lock().unwrap_or_else(PoisonError::into_inner);
    if *set == Some(minimum) {
        return;
    }
    match window.set_min_size(Some(minimum)) {
        Ok(()) => *set = Some(minimum),
        Err(error) => tracing::warn!(%error, "the smallest size of the window could not be set"),
    }
}

/// Returns the smallest size of the content of the window on a screen: as wanted, and never larger than the screen.
fn minimum_on(wanted: LogicalSize<f64>, screen: &Screen, frame: PhysicalSize<u32>) -> LogicalSize<f64> {
    let room = |long: u32, frame: u32| (f64::from(long.saturating_sub(frame)) / screen.scale).floor();
    LogicalSize::new(
        wanted.width.min(room(screen.free.width, frame.width)),
        wanted.height.min(room(screen.free.height, frame.height)),
    )
}

/// Returns the size of the border and the title bar, in physical pixels.
fn frame(window: &WebviewWindow) -> PhysicalSize<u32> {
    match (window.outer_size(), window.inner_size()) {
        (Ok(outer), Ok(inner)) => PhysicalSize::new(
            outer.width.saturating_sub(inner.width),
            outer.height.saturating_sub(inner.height),
        ),
        _ => PhysicalSize::default(),
    }
}

/// Stores the position and size.
pub(super) fn remember(window: &WebviewWindow) {
    // A minimized or full-screen window has no position of its own.
    let is = |asked: tauri::Result<bool>| asked.unwrap_or(false);
    if is(window.is_minimized()) || is(window.is_fullscreen()) {
        return;
    }
    let maximized = is(window.is_maximized());
    let present = match (window.outer_position(), window.inner_size()) {
        (Ok(at), Ok(size)) => Some(Area { x: at.x, y: at.y, width: size.width, height: size.height }),
        _ => None,
    };
    let Some(store) = store(window) else { return };
    store.change(|kept| {
        let before = kept.filter(|_| maximized).map(|before| before.area);
        if let Some(area) = before.or(present) {
            *kept = Some(Remembered { area, maximized });
        }
    });
}

/// Opens the file, which is read once at the start and once at the end. `None` after a start that failed.
fn store(window: &WebviewWindow) -> Option<JsonStore<Option<Remembered>>> {
    Some(JsonStore::open(window.try_state::<Steward>()?.data_folder.join("window.json")))
}

/// Returns the screen that an area overlaps most; `None` if it overlaps none.
fn nearest(area: Area, screens: &[Screen]) -> Option<&Screen> {
    let screen = screens.iter().max_by_key(|screen| common(area, screen.free))?;
    (common(area, screen.free) > 0).then_some(screen)
}

/// Returns the area of the content, moved and reduced so that the window with its frame fits the screen.
fn fitted_into(area: Area, screen: Area, frame: PhysicalSize<u32>) -> Area {
    let room = |long: u32, frame: u32| long.saturating_sub(frame);
    let (widest, highest) = (room(screen.width, frame.width), room(screen.height, frame.height));
    let (width, height) = (area.width.min(widest), area.height.min(highest));
    let at = |at: i32, start: i32, free: u32| at.clamp(start, start.saturating_add_unsigned(free));
    Area { x: at(area.x, screen.x, widest - width), y: at(area.y, screen.y, highest - height), width, height }
}

/// Returns the number of pixels that two areas share.
fn common(one: Area, other: Area) -> i64 {
    let overlap = |at: i32, long: u32, other_at: i32, other_long: u32| {
        let end = (i64::from(at) + i64::from(long)).min(i64::from(other_at) + i64::from(other_long));
        (end - i64::from(at.max(other_at))).max(0)
    };
    overlap(one.x, one.width, other.x, other.width) * overlap(one.y, one.height, other.y, other.height)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: Area = Area { x: 0, y: 0, width: 1920, height: 1040 };
    const SECOND: Area = Area { x: 1920, y: 0, width: 1280, height: 984 };

    const NO_FRAME: PhysicalSize<u32> = PhysicalSize::new(0, 0);

    fn on_screen(area: Area, screens: &[Area]) -> Option<Area> {
        let screens: Vec<_> = screens.iter().map(|free| Screen { free: *free, scale: 1.0 }).collect();
        nearest(area, &screens).map(|screen| fitted_into(area, screen.free, NO_FRAME))
    }

    const fn area(x: i32, y: i32, width: u32, height: u32) -> Area {
        Area { x, y, width, height }
    }

    #[test]
    fn the_geometry_file_of_format_1_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("window.json");
        std::fs::write(&file, include_str!("../../../tests/fixtures/data-folders/format-1/window.json"))
            .unwrap();
        let before = JsonStore::<Option<Remembered>>::open(file).get().unwrap();
        assert_eq!((before.area, before.maximized), (area(120, 80, 1280, 860), false));
    }

    #[test]
    fn a_window_that_is_on_a_screen_stays_where_it_was() {
        let before = area(2000, 40, 900, 600);
        assert_eq!(on_screen(before, &[SCREEN, SECOND]), Some(before));
    }

    #[test]
    fn a_window_that_hangs_over_the_edge_is_moved_in() {
        assert_eq!(on_screen(area(-300, -40, 1280, 800), &[SCREEN]), Some(area(0, 0, 1280, 800)));
        assert_eq!(on_screen(area(1500, 700, 1280, 800), &[SCREEN]), Some(area(640, 240, 1280, 800)));
    }

    #[test]
    fn a_window_that_is_larger_than_the_screen_is_made_smaller() {
        assert_eq!(on_screen(area(10, 10, 3840, 2160), &[SCREEN]), Some(SCREEN));
    }

    #[test]
    fn a_window_of_a_screen_that_is_gone_is_placed_anew() {
        assert_eq!(on_screen(area(2000, 40, 900, 600), &[SCREEN]), None);
        assert_eq!(on_screen(area(0, 0, 900, 600), &[]), None);
    }

    #[test]
    fn the_smallest_size_is_never_above_what_the_screen_has_free() {
        let wanted = LogicalSize::new(900.0, 600.0);
        for (free, scale, frame, minimum) in [
            // 100 %: as wanted.
            ((1920, 1040), 1.0, (16, 39), (900.0, 600.0)),
            ((1366, 728), 1.0, (16, 39), (900.0, 600.0)),
            // 150 % on 1366 × 768, with and without a task bar.
            ((1366, 768), 1.5, (0, 0), (900.0, 512.0)),
            ((1366, 708), 1.5, (24, 56), (894.0, 434.0)),
            ((1280, 720), 1.5, (0, 45), (853.0, 450.0)),
            ((1366, 728), 1.25, (20, 48), (900.0, 544.0)),
            ((1920, 1040), 1.75, (28, 64), (900.0, 557.0)),
            ((1920, 1032), 2.0, (32, 74), (900.0, 479.0)),
            ((3840, 2080), 3.0, (48, 112), (900.0, 600.0)),
            ((1080, 1880), 1.5, (24, 56), (704.0, 600.0)),
            ((800, 560), 1.0, (16, 39), (784.0, 521.0)),
            ((10, 10), 1.0, (16, 39), (0.0, 0.0)),
        ] {
            let screen = Screen { free: area(0, 0, free.0, free.1), scale };
            let found = minimum_on(wanted, &screen, PhysicalSize::new(frame.0, frame.1));
            assert_eq!((found.width, found.height), minimum, "{free:?} at {scale}");
            let outer = (found.width * scale + f64::from(frame.0), found.height * scale + f64::from(frame.1));
            assert!(free.0 < frame.0 || (outer.0 <= f64::from(free.0) && outer.1 <= f64::from(free.1)));
        }
    }

    #[test]
    fn a_window_fits_its_screen_with_its_frame() {
        let frame = PhysicalSize::new(24, 56);
        let screen = area(0, 0, 1366, 708);
        assert_eq!(fitted_into(area(10, 10, 1920, 1200), screen, frame), area(0, 0, 1342, 652));
        assert_eq!(fitted_into(area(500, 300, 900, 500), screen, frame), area(442, 152, 900, 500));
    }
}
