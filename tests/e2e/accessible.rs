use practice_site::PracticeSite;
use steward_testkit::window::Window;

use crate::practice::TestApp;
use crate::restart::add_site;
use crate::screens::{SCREENS, visit};

/// What axe found, with the place where it was found.
struct Findings<'a> {
    window: &'a Window,
    found: Vec<String>,
}

impl Findings<'_> {
    async fn look(&mut self, place: &str) {
        // What is still fading in has less contrast than it will have.
        self.window.settle().await.unwrap();
        let findings = self.window.axe_findings().await.unwrap();
        self.found.extend(findings.into_iter().map(|finding| format!("{place}: {finding}")));
    }

    /// In both themes, and nothing is pressed for it: a dialog that is open stays open.
    async fn look_in_both_themes(&mut self, place: &str) {
        for theme in ["dark", "light"] {
            let wear = format!("document.documentElement.dataset.mantineColorScheme = '{theme}'");
            self.window.ask_page(&wear).await.unwrap();
            self.look(&format!("{place}, {theme}")).await;
        }
    }
}

#[tokio::test]
async fn axe_finds_nothing_on_any_screen_in_either_theme() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.focus().await.unwrap();
    let mut findings = Findings { window: &window, found: Vec::new() };
    findings.look("first screen").await;
    window.start_practice().await.unwrap();
    for theme in ["Light", "Dark"] {
        visit(&window, "ctrl+comma").await;
        window.choose(theme).await.unwrap();
        for (keys, screen) in SCREENS {
            visit(&window, keys).await;
            findings.look(&format!("{screen}, {theme}")).await;
        }
        visit(&window, "ctrl+shift+s").await;
        window.press("Add site").await.unwrap();
        if theme == "Light" {
            window.see("Find site").await.unwrap();
            findings.look("add a site").await;
            window.press("Enter URLs manually").await.unwrap();
            window.press("Proxy and certificates").await.unwrap();
        }
        window.see("Portal URL").await.unwrap();
        findings.look(&format!("add a site by hand, {theme}")).await;
        window.press("Help").await.unwrap();
        window.see_any("//main//h1").await.unwrap();
        findings.look(&format!("help, {theme}")).await;
        window.key("ctrl+k").await.unwrap();
        window.has_focus("Search sites, operations, pages, and actions").await.unwrap();
        findings.look(&format!("palette, {theme}")).await;
        window.key("Escape").await.unwrap();
    }
    assert_eq!(findings.found, [""; 0]);
    window.close().await.unwrap();
}

#[tokio::test]
async fn axe_finds_nothing_in_dialogs_results_and_details_of_a_small_window_in_either_theme() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.focus().await.unwrap();
    window.resize(900, 600).await.unwrap();
    window.start_practice().await.unwrap();
    let mut findings = Findings { window: &window, found: Vec::new() };

    window.press("Simulated faults").await.unwrap();
    window.see("Add a fault").await.unwrap();
    findings.look_in_both_themes("simulated faults").await;

    window.press("Portal export").await.unwrap();
    window.fill("Folder the portal can write to", "/no/such/folder").await.unwrap();
    window.press("Export portal").await.unwrap();
    window.see("The site rejected the request").await.unwrap();
    findings.look_in_both_themes("rejection").await;
    window.export_server(&desk.place("practice.agssite")).await.unwrap();
    findings.look_in_both_themes("server export, result").await;
    window.import_server().await.unwrap();
    findings.look_in_both_themes("import report").await;
    window.press("Undo this import").await.unwrap();
    window.see("Undo the import into Practice?").await.unwrap();
    findings.look_in_both_themes("dialog: undo the import").await;
    window.press("Cancel").await.unwrap();

    window.press("Webhooks").await.unwrap();
    window.select("Hosted/Hydrants.FeatureServer").await.unwrap();
    window.press("Deactivate webhooks of 1 service").await.unwrap();
    window.see_any("//*[@role='dialog']//button[normalize-space(.)='Deactivate webhooks']").await.unwrap();
    findings.look_in_both_themes("dialog: deactivate webhooks").await;
    window.press("Deactivate webhooks").await.unwrap();
    window.see("Succeeded").await.unwrap();
    findings.look_in_both_themes("webhooks, result").await;
    window.press("Back to the services").await.unwrap();
    window.press_at("//button[starts-with(normalize-space(.), 'Deactivation log (')]").await.unwrap();
    window.see("Mark as resolved").await.unwrap();
    findings.look_in_both_themes("deactivation log").await;

    window.find_items().await.unwrap();
    findings.look_in_both_themes("data store items, result").await;
    window.press_at("(//*[@role='row']//*[@role='gridcell'])[1]").await.unwrap();
    findings.look_in_both_themes("data store items, details").await;
    window.key("Escape").await.unwrap();

    window.press("Participants").await.unwrap();
    window.choose_guest().await.unwrap();
    window.fill("Email address", "kim.harbour@example.net").await.unwrap();
    window.press_at("//button[starts-with(normalize-space(.), 'Update contact of ')]").await.unwrap();
    window.see_any("//*[@role='dialog']//button[normalize-space(.)='Update contact']").await.unwrap();
    findings.look_in_both_themes("dialog: update a contact").await;
    window.press("Cancel").await.unwrap();
    window.press("Contacts file (CSV)").await.unwrap();
    window.see("Updates many contacts from a CSV file").await.unwrap();
    findings.look_in_both_themes("contacts file").await;
    window.press("Invitations").await.unwrap();
    window.see("Select the invitations to refresh").await.unwrap();
    findings.look_in_both_themes("invitations").await;
    window.press("By ID").await.unwrap();
    findings.look_in_both_themes("invitations by identifier").await;

    window.press("History").await.unwrap();
    window.press_at("(//*[@role='row']//*[normalize-space(.)='Server import'])[1]").await.unwrap();
    window.see("Request and response").await.unwrap();
    findings.look_in_both_themes("history, details").await;
    window.key("Escape").await.unwrap();
    window.key("ctrl+2").await.unwrap();
    window.key("question").await.unwrap();
    window.see("Keyboard shortcuts").await.unwrap();
    findings.look_in_both_themes("shortcuts").await;
    assert_eq!(findings.found, [""; 0]);
    window.close().await.unwrap();
}

#[tokio::test]
async fn axe_finds_nothing_at_a_read_only_site_among_the_sites_and_in_the_settings() {
    let desk = TestApp::new();
    let site = PracticeSite::start(desk.site_options()).await.unwrap();
    let window = desk.window().await;
    window.focus().await.unwrap();
    let mut findings = Findings { window: &window, found: Vec::new() };
    add_site(&window, site.ready(), "Production").await;
    window.press("Edit site").await.unwrap();
    window.see("Name and color").await.unwrap();
    findings.look_in_both_themes("edit a site").await;
    window.choose("Read-only").await.unwrap();
    window.press("Save").await.unwrap();
    window.see("This site is read-only").await.unwrap();
    findings.look_in_both_themes("read-only: overview").await;
    for (operation, shown) in [
        ("Server import", "Replaces the configuration of the server site"),
        ("Webhooks", "Hydrants.FeatureServer"),
        ("Participants", "Flood Response"),
        ("Invitations", "Less than 24 hours left"),
    ] {
        window.press(operation).await.unwrap();
        window.see("This site is read-only").await.unwrap();
        window.see(shown).await.unwrap();
        findings.look_in_both_themes(&format!("read-only: {operation}")).await;
    }

    visit(&window, "ctrl+shift+s").await;
    window.press("More commands for City GIS").await.unwrap();
    window.press("Remove").await.unwrap();
    window.see("Remove City GIS?").await.unwrap();
    findings.look_in_both_themes("dialog: remove a site").await;
    window.press("Cancel").await.unwrap();
    window.press("More commands for all sites").await.unwrap();
    window.press("Import profiles").await.unwrap();
    window.see("Choose file").await.unwrap();
    findings.look_in_both_themes("dialog: import profiles").await;
    window.press("Close").await.unwrap();

    window.press("Settings").await.unwrap();
    window.press("Run diagnostics").await.unwrap();
    window.see("Run diagnostics again").await.unwrap();
    findings.look_in_both_themes("diagnostics").await;
    window.press("Show licenses").await.unwrap();
    window.see("Apache License").await.unwrap();
    findings.look_in_both_themes("dialog: licenses").await;
    assert_eq!(findings.found, [""; 0]);
    window.close().await.unwrap();
    site.stop().await;
}

#[tokio::test]
async fn axe_finds_nothing_while_something_runs_nor_where_its_outcome_is_unknown() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.focus().await.unwrap();
    let mut findings = Findings { window: &window, found: Vec::new() };
    window.start_practice().await.unwrap();
    window.add_fault("The response is slow", "Server export", &[("Delay in seconds", "120")]).await.unwrap();
    window.press("Server export").await.unwrap();
    window.choose("Folder on the server").await.unwrap();
    window.press("Use the practice folder").await.unwrap();
    window.press("Export server").await.unwrap();
    window.see("Running: Server export on Practice").await.unwrap();
    findings.look_in_both_themes("running").await;
    window.ask_to_close().await.unwrap();
    window.see("Close the app while 1 operation is running?").await.unwrap();
    findings.look_in_both_themes("dialog: close the window").await;
    window.press("Keep window open").await.unwrap();
    window.press("Stop waiting for Server export on Practice").await.unwrap();
    window.see("Stop waiting for Server export on Practice?").await.unwrap();
    findings.look_in_both_themes("dialog: stop waiting").await;
    window.press_at("//*[@role='dialog']//button[normalize-space(.)='Stop waiting']").await.unwrap();
    window.see("Check outcome").await.unwrap();
    findings.look_in_both_themes("unknown outcome").await;
    window.press("Check outcome").await.unwrap();
    window.see("Set the outcome").await.unwrap();
    findings.look_in_both_themes("history, outcome check").await;
    window.key("Escape").await.unwrap();
    assert_eq!(findings.found, [""; 0]);
    window.close().await.unwrap();
}

#[tokio::test]
async fn axe_finds_nothing_in_open_menus() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.focus().await.unwrap();
    let mut findings = Findings { window: &window, found: Vec::new() };
    window.start_practice().await.unwrap();
    for name in ["Menu", "Select a site: Practice", "steward (administrator)"] {
        window.press(name).await.unwrap();
        window.see_any("//*[@role='menu']").await.unwrap();
        findings.look_in_both_themes(name).await;
        window.key("Escape").await.unwrap();
        window.wait_until("return document.querySelector('[role=menu]') === null").await.unwrap();
    }
    visit(&window, "ctrl+shift+h").await;
    window.press("Save list").await.unwrap();
    window.see_any("//*[@role='menu']").await.unwrap();
    findings.look_in_both_themes("Save list").await;
    assert_eq!(findings.found, Vec::<String>::new());
    window.close().await.unwrap();
}

#[tokio::test]
async fn at_double_size_nothing_is_cut_off_at_the_side_and_axe_finds_nothing() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.focus().await.unwrap();
    window.start_practice().await.unwrap();
    visit(&window, "ctrl+comma").await;
    let usual = window.ask_page("return window.innerWidth").await.unwrap();
    window.pick("Zoom", "200%").await.unwrap();
    // Half as much of the page fits into the same window.
    window.wait_until(&format!("return Math.abs(window.innerWidth - {usual} / 2) <= 1")).await.unwrap();
    let mut cut = Vec::new();
    let mut findings = Findings { window: &window, found: Vec::new() };
    for (keys, screen) in SCREENS {
        visit(&window, keys).await;
        cut.extend(beyond(&window).await.into_iter().map(|one| format!("{screen}: {one}")));
        findings.look(screen).await;
    }
    assert_eq!(cut, [""; 0]);
    assert_eq!(findings.found, [""; 0]);
    window.close().await.unwrap();
}

#[tokio::test]
async fn a_part_that_is_loaded_after_the_start_keeps_its_own_style() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.focus().await.unwrap();
    window.start_practice().await.unwrap();
    visit(&window, "ctrl+7").await;
    // The button that a tab is made of, which the start has loaded, has no padding.
    let paddings = "return [...document.querySelectorAll('main [role=tab]')]
        .map((tab) => Number.parseFloat(getComputedStyle(tab).paddingInlineStart) > 0)";
    assert_eq!(window.ask_page(paddings).await.unwrap(), serde_json::json!([true, true, true]));
    // What the window says of all parts goes before their own style, whenever that is loaded.
    let edge = "const main = document.querySelector('main'), probe = main.appendChild(document.createElement('i'));
        probe.style.color = 'var(--edge)';
        const [wanted, radio] = [probe, main.querySelector('input[type=radio]')].map((one) => getComputedStyle(one));
        return wanted.color === radio.borderTopColor";
    assert_eq!(window.ask_page(edge).await.unwrap(), serde_json::json!(true));
    // It does not go before what that style says of an error, and a field shows by its edge alone that it has the focus.
    visit(&window, "ctrl+8").await;
    window.press("By ID").await.unwrap();
    window.press("Refresh invitation").await.unwrap();
    let error = "const wrong = document.querySelector('main [aria-invalid=true]');
        if (!wrong) return false;
        const probe = document.querySelector('main').appendChild(document.createElement('i'));
        probe.style.color = 'var(--mantine-color-error)';
        wrong.focus();
        const { borderTopColor, outlineStyle } = getComputedStyle(wrong);
        return borderTopColor === getComputedStyle(probe).color && outlineStyle === 'none'";
    window.wait_until(error).await.unwrap();
    window.close().await.unwrap();
}

/// Controls that stand beyond the right edge and that no scrolling brings into view.
async fn beyond(window: &Window) -> Vec<String> {
    let script = "const scrolls = (one) => {
            for (let up = one.parentElement; up && up !== document.body; up = up.parentElement) {
                if (/auto|scroll/.test(getComputedStyle(up).overflowX) && up.scrollWidth > up.clientWidth && !up.matches('main')) return true;
            }
            return false;
        };
        return [...document.querySelectorAll('main button, main input, main a, header button')]
            .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
            .filter((one) => one.getBoundingClientRect().right > document.documentElement.getBoundingClientRect().right + 1 && !scrolls(one))
            .map((one) => one.outerHTML.slice(0, 160));";
    serde_json::from_value(window.ask_page(script).await.unwrap()).unwrap()
}
