//! Texts from outside that try to break the page, the terminal or a spreadsheet.

use arena::{Plan, PlanError, ReportInput, Summary, collect};

use crate::common::{contests, options, plan, play};

/// What a bot or a journal may bring along.
pub(crate) const TEXTS: [&str; 12] = [
    "<!--<script>",
    "</script><script>document.title='broken'</script>",
    "]]><svg onload=alert(1)>",
    "<img src=x onerror=document.title='broken'>",
    "\\u003c/script>",
    "\u{2028}\u{2029}",
    "\"'`${document.title='broken'}",
    "&lt;script&gt;",
    "\u{1b}]52;c;aGVsbG8=\u{7}\u{1b}[2J",
    "\u{202e}won",
    "a\nb\r\nc\0d",
    "__proto__",
];

/// Two bots and hostile words of the one that fails.
fn hostile_report(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let contests = contests(&["pile"]);
    let mut plan = plan(&contests, &["last", "illegal"], 1);
    // A name that could be in a journal from elsewhere, though no run takes it.
    if arena_takes(&plan, text) {
        text.clone_into(&mut plan.bots[1].name);
    }
    plan.bots[1].spec = format!("says:{text}");
    text.clone_into(&mut plan.events[0].openings);
    play(&plan, &contests, &path, &options(1)).unwrap();
    let collected = collect(&path, &plan, &[]).unwrap();
    let summary = Summary::new(&plan, &collected.results, None);
    let input = ReportInput {
        collected: &collected,
        summary: &summary,
        journal: (&path).into(),
        machine: None,
        duration: None,
    };
    let mut page = String::new();
    arena::write_report(&input, &contests, &mut |_, text| {
        text.clone_into(&mut page);
        Ok(())
    })
    .unwrap();
    page
}

fn arena_takes(plan: &Plan, name: &str) -> bool {
    let mut plan = plan.clone();
    name.clone_into(&mut plan.bots[1].name);
    plan.check().is_ok()
}

/// Between the tags of the page's data no `<` stands, so nothing in it can end or swallow the element.
#[test]
fn no_text_gets_out_of_the_pages_data() {
    for text in TEXTS {
        let page = hostile_report(text);
        let data = page.split("<script type=\"application/json\"").nth(1).unwrap();
        let data = data.split_once('>').unwrap().1;
        let (data, rest) = data.split_once('<').unwrap();
        assert!(rest.starts_with("/script>"), "{text:?}: {}", &rest[..60.min(rest.len())]);
        let reel: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(reel["games"].as_array().map(Vec::len), Some(2), "{text:?}");
        let note = reel["games"][0]["note"].as_str().unwrap();
        let seen = arena::shown_lines(text);
        assert!(note.contains(&*seen), "{text:?}: {note}");
        assert!(page.matches("<script").count() == 2, "{text:?}");
        assert!(!page.contains("<img") && !page.contains('\u{202e}') && !page.contains('\u{1b}'), "{text:?}");
    }
}

#[test]
fn names_that_hide_something_are_refused() {
    let contests = contests(&["pile"]);
    for name in ["", "a\nb", "\u{1b}[31m", "\u{202e}won", "a\u{200b}", &"x".repeat(301)] {
        let mut plan = plan(&contests, &["last", "illegal"], 1);
        name.clone_into(&mut plan.bots[1].name);
        let error = plan.check().unwrap_err();
        assert!(matches!(error, PlanError::Name { what: "bot", .. }), "{error}");
        assert!(!error.to_string().contains(['\u{1b}', '\n', '\u{202e}']), "{error}");
    }
    let mut plan = plan(&contests, &["last", "illegal"], 1);
    plan.events[0].name = "a\u{7}".to_owned();
    assert!(matches!(plan.check(), Err(PlanError::Name { what: "game", .. })));
}

#[test]
fn a_spreadsheet_takes_no_name_for_a_formula() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile"]);
    let mut plan = plan(&contests, &["last", "illegal", "random", "random:2"], 1);
    for (bot, name) in plan.bots.iter_mut().zip(["=1+1", "+x", "-2", "@sum"]) {
        name.clone_into(&mut bot.name);
    }
    let report = play(&plan, &contests, &folder.path().join("journal"), &options(1)).unwrap();
    let csv = Summary::new(&plan, &report.results, None).csv().unwrap();
    for name in [",'=1+1,", ",'+x,", ",'-2,", ",'@sum,"] {
        assert!(csv.contains(name), "{csv}");
    }
    // Numbers stay numbers.
    assert!(csv.contains(",-"), "{csv}");
}

/// Bytes of a journal that a stranger made and sealed.
#[test]
fn a_sealed_plan_without_bots_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile"]);
    for change in ["bots", "limits", "events", "rounds"] {
        let mut plan = plan(&contests, &["last", "random"], 1);
        match change {
            "bots" => plan.bots.clear(),
            "limits" => plan.events[0].limits.clear(),
            "events" => plan.events.clear(),
            _ => plan.rounds = 0,
        }
        let path = folder.path().join(change);
        arena::Journal::open(&path).unwrap().begin(&plan, None).unwrap();
        let error = arena::plan_of(&path).unwrap_err().to_string();
        assert!(error.contains("no readable first line"), "{change}: {error}");
        let error = collect(&path, &plan, &[]).unwrap_err().to_string();
        assert!(error.contains("needs") || error.contains("limits"), "{change}: {error}");
    }
}
