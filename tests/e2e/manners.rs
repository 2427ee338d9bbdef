//! The window among the others of a desktop: what the window system sees of it, and what the system is told.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::StreamExt;
use steward_testkit::window::{Program, Window, first_ground};
use steward_testkit::{until, until_some};
use tokio::process::Command;
use tokio::time::timeout;
use zbus::zvariant::Value;
use zbus::{Connection, MessageStream};

use crate::practice::TestApp;

const LIMIT: Duration = Duration::from_secs(30);

/// What the page of a dark window stands on.
const DARK: &str = "#242424";

const DMABUF: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

#[tokio::test]
async fn back_and_forward_are_keys_and_buttons_of_the_mouse() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.focus().await.unwrap();
    let is_on =
        async |title: &str| window.see_any(&format!("//main//h1[normalize-space(.)='{title}']")).await;
    window.key("ctrl+comma").await.unwrap();
    is_on("Settings").await.unwrap();
    window.key("ctrl+shift+h").await.unwrap();
    is_on("History").await.unwrap();

    window.key("alt+Left").await.unwrap();
    is_on("Settings").await.unwrap();
    window.key("alt+Right").await.unwrap();
    is_on("History").await.unwrap();
    window.press_mouse(8).await.unwrap();
    is_on("Settings").await.unwrap();
    window.press_mouse(9).await.unwrap();
    is_on("History").await.unwrap();
    window.close().await.unwrap();
}

#[tokio::test]
async fn the_window_comes_back_where_it_was_without_a_flash_and_is_called_like_its_site() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.is_called("Site Steward").await.unwrap();
    window.press("Settings").await.unwrap();
    window.choose("Dark").await.unwrap();
    let kept = "return window.__TAURI_INTERNALS__.invoke('preferences')
                    .then(({ preferences }) => preferences.theme === 'dark')";
    window.wait_until(kept).await.unwrap();
    let area = window.put((140, 90), (1010, 680)).await.unwrap();
    window.ask_to_close().await.unwrap();
    window.gone().await.unwrap();

    // What is on the screen first is dark already.
    let (window, ground) = tokio::join!(desk.window(), first_ground());
    assert_eq!(ground.unwrap(), DARK);
    window.is_at(area).await.unwrap();
    window.start_practice().await.unwrap();
    window.is_called("Practice · Site Steward").await.unwrap();
    window.close().await.unwrap();
}

#[tokio::test]
async fn a_run_that_ends_unseen_is_told_by_the_system_and_who_asked_for_rest_sees_nothing_move() {
    let mut desk = TestApp::new();
    ask_for_rest(&mut desk);
    // The screen on which it was is gone.
    std::fs::create_dir_all(desk.program.folder()).unwrap();
    let elsewhere =
        r#"{"format":1,"content":{"x":5000,"y":4000,"width":1000,"height":700,"maximized":false}}"#;
    std::fs::write(desk.program.folder().join("window.json"), elsewhere).unwrap();
    let mut notices = Notices::listen().await;

    let window = desk.window().await;
    window.focus().await.unwrap();
    let area = window.area().await.unwrap();
    assert!(area.x >= 0 && area.x + area.width <= 1280, "{area:?}");
    assert!(area.y >= 0 && area.y + area.height <= 900, "{area:?}");
    window.start_practice().await.unwrap();
    window.export_portal().await.unwrap();
    window.add_fault("The response is slow", "Server export", &[("Delay in seconds", "3")]).await.unwrap();
    window.press("Server export").await.unwrap();
    window.choose("Folder on the server").await.unwrap();
    window.press("Use the practice folder").await.unwrap();
    window.press("Export server").await.unwrap();
    window.see("Running: Server export on Practice").await.unwrap();
    assert_eq!(moving(&window).await, [""; 0]);
    window.put_away().await.unwrap();

    // Who looked at the portal export saw it end, and is told nothing.
    let told = notices.next().await;
    assert_eq!(told, ("Server export on Practice".to_owned(), "Succeeded.".to_owned()));
    // Whoever starts the program once more gets the window that is there.
    assert!(timeout(LIMIT, by_itself(&desk.program).status()).await.unwrap().unwrap().success());
    window.focus().await.unwrap();
    window.see("Exported Practice in").await.unwrap();
    window.key("ctrl+k").await.unwrap();
    window.has_focus("Search sites, operations, pages, and actions").await.unwrap();
    assert_eq!(moving(&window).await, [""; 0]);
    window.key("Escape").await.unwrap();
    // At once, and not one part after the other.
    let turn_dark = "const color = () => getComputedStyle(document.querySelector('h1')).color;
        const light = color();
        document.documentElement.dataset.mantineColorScheme = 'dark';
        return color() !== light;";
    assert_eq!(window.ask_page(turn_dark).await.unwrap(), true);
    window.close().await.unwrap();
}

#[tokio::test]
async fn a_reminder_is_told_by_the_system_once_when_it_is_due() {
    let desk = TestApp::new();
    let mut notices = Notices::listen().await;
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    for service in ["Hosted/Hydrants.FeatureServer", "Hosted/StreetTrees.FeatureServer"] {
        window.deactivate_webhooks(service).await.unwrap();
        let journal = rusqlite::Connection::open(desk.program.folder().join("journal.db")).unwrap();
        let changed =
            journal.execute("UPDATE deactivation SET remind_at = 1 WHERE service = ?", [service]).unwrap();
        assert_eq!(changed, 1);
        // Were the first one told again, the second would not be alone.
        let about = format!("The webhooks of {service} are still deactivated.");
        assert_eq!(notices.next().await, ("Reminder: Practice".to_owned(), about));
        window.press("Back to the services").await.unwrap();
    }
    window.close().await.unwrap();
}

/// As the settings of a desktop say it to every program.
fn ask_for_rest(desk: &mut TestApp) {
    let settings = desk.place("config");
    std::fs::create_dir_all(settings.join("gtk-3.0")).unwrap();
    std::fs::write(settings.join("gtk-3.0/settings.ini"), "[Settings]\ngtk-enable-animations=false\n")
        .unwrap();
    // The environment of a program is of texts that stay.
    let settings = Box::leak(settings.display().to_string().into_boxed_str());
    desk.program.environment.push(("XDG_CONFIG_HOME", settings));
}

/// Whatever would take its time to become another, or never come to rest.
async fn moving(window: &Window) -> Vec<String> {
    let script = "const moves = ({ animationName, animationDuration, animationIterationCount, transitionDuration }) =>
            [...animationDuration.split(','), ...transitionDuration.split(',')].some((time) => parseFloat(time) > 0.001)
            || (animationName !== 'none' && animationIterationCount.includes('infinite'));
        return [...document.querySelectorAll('*')]
            .filter((one) => [null, '::before', '::after'].some((part) => moves(getComputedStyle(one, part))))
            .map((one) => one.outerHTML.slice(0, 160));";
    serde_json::from_value(window.ask_page(script).await.unwrap()).unwrap()
}

/// Stands in for the part of a desktop that shows notifications.
struct Notices {
    asked: MessageStream,
    bus: Connection,
}

impl Notices {
    async fn listen() -> Self {
        let bus = Connection::session().await.unwrap();
        bus.request_name("org.freedesktop.Notifications").await.unwrap();
        Self { asked: MessageStream::from(&bus), bus }
    }

    /// Title and body of the next one.
    async fn next(&mut self) -> (String, String) {
        type Asked<'a> =
            (&'a str, u32, &'a str, &'a str, &'a str, Vec<&'a str>, HashMap<&'a str, Value<'a>>, i32);
        loop {
            let message = timeout(LIMIT, self.asked.next()).await.unwrap().unwrap().unwrap();
            let header = message.header();
            if header.member().is_none_or(|member| member != "Notify") {
                continue;
            }
            self.bus.reply(&header, &1_u32).await.unwrap();
            let body = message.body();
            let (_, _, _, title, text, ..): Asked<'_> = body.deserialize().unwrap();
            return (title.to_owned(), text.to_owned());
        }
    }
}

#[tokio::test]
async fn blank_windows_are_worked_around_unless_a_person_decided_about_that() {
    let desk = TestApp::new();
    assert_eq!(renderer(&desk.program, None).await.as_deref(), Some("1"));
    assert_eq!(renderer(&desk.program, Some("0")).await.as_deref(), Some("0"));
}

/// What WebKit is told when the program is started with this. The desktop of the journeys has an answer of its own, so it
/// is taken away first.
async fn renderer(program: &Program, decided: Option<&str>) -> Option<String> {
    let mut command = by_itself(program);
    command.env_remove(DMABUF).envs(decided.map(|value| (DMABUF, value)));
    let mut running = command.spawn().unwrap();
    let started = Path::new("/proc").join(running.id().unwrap().to_string());
    let web = until_some("the process of the page", async || web_process(&started)).await;
    let told = variable(&web, DMABUF);
    running.kill().await.unwrap();
    told
}

#[tokio::test]
async fn a_page_whose_process_ends_is_loaded_again() {
    let desk = TestApp::new();
    let mut running = by_itself(&desk.program).spawn().unwrap();
    usable(&desk.program, 1).await;
    let web = web_process(&Path::new("/proc").join(running.id().unwrap().to_string())).unwrap();
    let killed = Command::new("kill").arg("-KILL").arg(web.file_name().unwrap()).status().await.unwrap();
    assert!(killed.success());
    usable(&desk.program, 2).await;
    running.kill().await.unwrap();
}

/// The program as its desktop entry starts it: without a driver.
fn by_itself(program: &Program) -> Command {
    let mut command = Command::new(&program.binary);
    command.env("XDG_DATA_HOME", &program.data).kill_on_drop(true);
    command
}

/// Waits until the window has said so many times that it can be used.
async fn usable(program: &Program, times: usize) {
    let log = program.folder().join("logs/site-steward.log");
    let lines = || std::fs::read_to_string(&log).unwrap_or_default();
    until("the window", async || lines().matches("the window can be used").count() >= times).await;
}

/// The process that paints the page of a program.
fn web_process(program: &Path) -> Option<PathBuf> {
    let threads = std::fs::read_dir(program.join("task")).ok()?;
    let children: String = threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok())
        .collect();
    children.split_whitespace().map(|child| Path::new("/proc").join(child)).find(|child| {
        std::fs::read(child.join("cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains("WebKitWebProcess"))
    })
}

fn variable(process: &Path, name: &str) -> Option<String> {
    let environment = std::fs::read(process.join("environ")).unwrap();
    let environment = String::from_utf8_lossy(&environment);
    environment.split('\0').find_map(|one| Some(one.strip_prefix(name)?.strip_prefix('=')?.to_owned()))
}
