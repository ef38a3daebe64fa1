//! The report in a real browser, with texts that try to break it. Without a browser the test says so and does nothing.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use arena::{ReportInput, Summary, collect, shown, shown_lines};

use crate::common::{contests, options, plan, play};
use crate::hostile::TEXTS;

/// Far longer than it takes, even on a crowded machine.
const DEADLINE: Duration = Duration::from_mins(2);

/// A browser that can print a page as it stands after its scripts have run.
fn browser() -> Option<String> {
    let named = std::env::var("CHROMIUM").ok();
    let usual = ["chromium", "chromium-browser", "google-chrome", "chrome"].map(str::to_owned);
    named.into_iter().chain(usual).find(|name| {
        let version =
            Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    })
}

/// The page as the browser has it in the end.
fn dom(browser: &str, page: &Path, folder: &Path) -> String {
    let out = folder.join("dom.html");
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .args(["--virtual-time-budget=10000", "--dump-dom"])
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(fs::File::create(&out).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > DEADLINE {
            let _ = child.kill();
            let _ = child.wait();
            panic!("the browser does not end");
        }
        sleep(Duration::from_millis(50));
    }
    fs::read_to_string(out).unwrap()
}

/// The JSON that the probe left in an attribute.
fn probed(dom: &str, name: &str) -> Vec<String> {
    let start = format!("data-{name}=\"");
    let text = dom.split(&start).nth(1).unwrap_or_else(|| panic!("no {name}: the page's script did not run"));
    let text = text.split('"').next().unwrap();
    let plain = text
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", "\u{a0}")
        .replace("&amp;", "&");
    serde_json::from_str(&plain).unwrap()
}

/// Clicks on every game and notes what the page shows of it.
const PROBE: &str = "<script>
const shown = (name) => [...document.querySelectorAll('.list button')].map((button) => {
  button.click();
  return document.querySelector(name).textContent;
});
document.body.dataset.faults = JSON.stringify(shown('.fault'));
document.body.dataset.heads = JSON.stringify(shown('.head'));
document.body.dataset.pictures = JSON.stringify(shown('.picture').map(() => document.querySelector('.picture svg') ? 'yes' : 'no'));
</script>";

#[test]
fn no_text_breaks_the_report_in_a_browser() {
    let Some(browser) = browser() else {
        eprintln!("skipped: there is no Chromium here (CHROMIUM names one in an unusual place)");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let contests = contests(&["pile"]);
    let mut plan = plan(&contests, &[&["last"][..], &["x"; TEXTS.len()]].concat(), 1);
    for (number, (bot, text)) in plan.bots[1..].iter_mut().zip(TEXTS).enumerate() {
        // A name that hides something is refused; what can be seen may be as hostile as it likes.
        bot.name = if shown(text) == text { text.to_owned() } else { format!("number {number}") };
        bot.spec = format!("says:{text}");
    }
    plan.format = arena::Format::Gauntlet;
    plan.events[0].name = "\"'><img src=x onerror=document.title='broken'>".to_owned();
    plan.events[0].setup = TEXTS.join(" ");
    plan.events[0].openings = TEXTS.join("");
    plan.check().unwrap();
    play(&plan, &contests, &path, &options(1)).unwrap();
    // A journal from elsewhere can say anything for a reason.
    let mut games = Vec::new();
    arena::read_journal(&path, None, |_, game| games.push(game)).unwrap();
    let journal = fs::read(&path).unwrap();
    let mut forged = journal.split_inclusive(|&byte| byte == b'\n').next().unwrap().to_vec();
    for (number, mut game) in games.into_iter().enumerate() {
        game.result.reason = TEXTS[number % TEXTS.len()].to_owned();
        forged.extend(arena::line_bytes(&game));
    }
    fs::write(&path, forged).unwrap();
    let collected = collect(&path, &plan, &[]).unwrap();
    let summary = Summary::new(&plan, &collected.results, None);
    let input = ReportInput {
        collected: &collected,
        summary: &summary,
        journal: (&path).into(),
        machine: None,
        duration: None,
    };
    let page = folder.path().join("report.html");
    arena::write_report(&input, &contests, &mut |name, text| {
        let text = if name == "report.html" {
            text.replace("</body>", &format!("{PROBE}</body>"))
        } else {
            text.to_owned()
        };
        let target = folder.path().join(name);
        fs::create_dir_all(target.parent().unwrap())?;
        fs::write(target, text)
    })
    .unwrap();

    let dom = dom(&browser, &page, folder.path());
    assert!(dom.contains("<title>Tournament report</title>"), "the page ran what it should show");
    assert!(!dom.contains("<img") && !dom.contains("onload=\""), "a text became an element");
    let faults = probed(&dom, "faults");
    assert_eq!(faults.len(), 2 * TEXTS.len(), "every game is in the list");
    for text in TEXTS {
        let seen = shown_lines(text);
        assert!(faults.iter().any(|fault| fault.contains(&*seen)), "{text:?} is not shown: {faults:?}");
    }
    let heads = probed(&dom, "heads");
    for text in TEXTS {
        assert!(heads.iter().any(|head| head.contains(&*shown(text))), "{text:?} is not shown: {heads:?}");
    }
    assert!(probed(&dom, "pictures").iter().all(|picture| picture == "yes"));
}
