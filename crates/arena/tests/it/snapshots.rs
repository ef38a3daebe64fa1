//! What people and programs see, pinned: tables, files, the page.

use crate::common::{contests, options, plan, play};
use arena::statistics::Sprt;
use arena::{Plan, ReportInput, Summary, collect};

/// Without the times, which are never the same twice.
fn summary(plan: &Plan, games: &[&str]) -> Summary {
    let folder = tempfile::tempdir().unwrap();
    let report = play(plan, &contests(games), &folder.path().join("journal"), &options(2)).unwrap();
    let mut summary = Summary::new(plan, &report.results, Some(0));
    for row in summary.events.iter_mut().flat_map(|event| &mut event.standings.rows) {
        assert!(row.withdrawn || row.time_per_move.is_some());
        row.time_per_move = None;
    }
    summary
}

#[test]
fn tables_and_files() {
    let games = ["pile", "duel"];
    let plan = plan(&contests(&games), &["random", "last", "panics"], 6);
    let summary = summary(&plan, &games);
    let texts: Vec<String> = summary.events.iter().map(|event| arena::event_text(&event.standings)).collect();
    insta::assert_snapshot!("tables", texts.join("\n"));
    insta::assert_snapshot!("standings_csv", summary.csv().unwrap());
    insta::assert_snapshot!("summary_json", summary.json());
}

#[test]
fn a_match_of_two() {
    let games = ["pile"];
    let text = |bots: &[&str]| {
        let plan = plan(&contests(&games), bots, 8);
        arena::event_text(&summary(&plan, &games).events[0].standings)
    };
    let lines = ["random", "illegal"].map(|opponent| text(&["last", opponent]));
    insta::assert_snapshot!("match", lines.join("\n"));
}

#[test]
fn a_sequential_test() {
    let games = ["pile"];
    let plan =
        Plan { sprt: Some(Sprt::new(0.0, 100.0)), ..plan(&contests(&games), &["random", "illegal"], 100) };
    insta::assert_snapshot!("sprt", arena::sprt_text(&summary(&plan, &games)).unwrap());
}

#[test]
fn a_line_of_the_journal_and_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let contests = contests(&["pile"]);
    let plan = plan(&contests, &["random", "illegal"], 2);
    play(&plan, &contests, &path, &options(1)).unwrap();
    let journal = std::fs::read_to_string(&path).unwrap();
    // Times and the checksum over them are the only things that change.
    let line = journal.lines().nth(1).unwrap();
    insta::assert_snapshot!("journal_line", line.split("\"micros\"").next().unwrap());

    let collected = collect(&path, &plan, &contests).unwrap();
    assert!(collected.problems.is_empty(), "{:?}", collected.problems);
    let summary = Summary::new(&plan, &collected.results, None);
    let input = ReportInput {
        collected: &collected,
        summary: &summary,
        journal: (&path).into(),
        machine: None,
        duration: None,
    };
    let mut files = Vec::new();
    arena::write_report(&input, &contests, &mut |name, text| {
        files.push((name.to_owned(), text.to_owned()));
        Ok(())
    })
    .unwrap();
    assert_eq!(files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["report.html"]);
    let page = &files[0].1;
    assert!(page.len() < 200_000);
    assert!(!page.contains("NaN") && !page.contains("src=\"http"));
    // The games as the page holds them: elements once, frames as differences.
    let reel = page.split("id=\"reel-pile\">").nth(1).unwrap().split("</script>").next().unwrap();
    insta::assert_snapshot!("reel", reel);
}

#[test]
fn games_beyond_the_page_go_into_side_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let contests = contests(&["pile"]);
    let plan = plan(&contests, &["random", "last"], 150);
    play(&plan, &contests, &path, &options(2)).unwrap();
    let collected = collect(&path, &plan, &contests).unwrap();
    assert!(collected.problems.is_empty(), "{:?}", collected.problems);
    let summary = Summary::new(&plan, &collected.results, None);
    let input = ReportInput {
        collected: &collected,
        summary: &summary,
        journal: (&path).into(),
        machine: None,
        duration: None,
    };
    let mut names = Vec::new();
    let mut games = 0;
    arena::write_report(&input, &contests, &mut |name, text| {
        names.push(name.to_owned());
        games += text.matches("{\"index\":").count();
        Ok(())
    })
    .unwrap();
    assert_eq!(names.last().unwrap(), "report.html");
    assert!(names.len() >= 3 && names[0] == "games/pile-01.js", "{names:?}");
    assert_eq!(games, 300, "every game is in the page or in a side file, once");
}
