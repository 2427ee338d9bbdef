//! Position and size of the window, restored at the next start.

use serde::{Deserialize, Serialize};
use tauri::{Manager, PhysicalPosition, PhysicalSize, WebviewWindow};

use steward_core::files::JsonStore;
use steward_core::steward::Steward;

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

/// Restores the position and size. If no screen contains it, the default of the system remains.
pub(super) fn restore(window: &WebviewWindow) {
    let Some(before) = store(window).and_then(|store| store.get()) else { return };
    let monitors = window.available_monitors().unwrap_or_default();
    let screens: Vec<Area> = monitors
        .iter()
        .map(|monitor| {
            let free = monitor.work_area();
            Area { x: free.position.x, y: free.position.y, width: free.size.width, height: free.size.height }
        })
        .collect();
    let Some(area) = on_screen(before.area, &screens) else { return };
    let placed = window
        .set_size(PhysicalSize::new(area.width, area.height))
        .and_then(|()| window.set_position(PhysicalPosition::new(area.x, area.y)))
        .and_then(|()| if before.maximized { window.maximize() } else { Ok(()) });
    if let Err(error) = placed {
        tracing::warn!(%error, "the window could not be put where it was");
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

/// Returns the area moved and reduced to fit the screen that it overlaps most; `None` if it overlaps none.
fn on_screen(area: Area, screens: &[Area]) -> Option<Area> {
    let screen = screens.iter().max_by_key(|screen| common(area, **screen))?;
    if common(area, *screen) == 0 {
        return None;
    }
    let (width, height) = (area.width.min(screen.width), area.height.min(screen.height));
    let within = |at: i32, start: i32, free: u32| at.clamp(start, start.saturating_add_unsigned(free));
    Some(Area {
        x: within(area.x, screen.x, screen.width - width),
        y: within(area.y, screen.y, screen.height - height),
        width,
        height,
    })
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
}
