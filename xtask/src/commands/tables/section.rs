//! A table of the document: its rows, and how it is written down.

use std::fmt::Write as _;

use super::verdict::Verdict;

/// Where a claim or an idea comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The text of the report says it.
    Report,
    /// It stands in the comments, unused functions, test benches and logs beside that program.
    Beside,
    /// We added it, for comparison.
    Ours,
}

impl Source {
    fn text(self) -> &'static str {
        match self {
            Source::Report => "report",
            Source::Beside => "beside the program",
            Source::Ours => "ours",
        }
    }
}

/// One table of the document: a title, what it is about, and the rows.
#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Section {
    /// The table of a report's claims: the claim, where it comes from, how it was tested, what came out, and what that makes
    /// of the claim.
    pub(crate) fn claims(title: &str, text: &str) -> Section {
        Section {
            title: title.to_owned(),
            text: text.to_owned(),
            columns: vec!["claim", "from", "how it was tested", "what came out", "so it"],
            rows: Vec::new(),
        }
    }

    /// Adds a claim.
    pub(crate) fn claim(
        &mut self,
        claim: &str,
        source: Source,
        tested: impl Into<String>,
        result: impl Into<String>,
        verdict: Verdict,
    ) {
        let source = source.text().to_owned();
        self.rows.push(vec![claim.to_owned(), source, tested.into(), result.into(), verdict.to_string()]);
    }

    /// The same as one object.
    pub(crate) fn json(&self, game: &str) -> serde_json::Value {
        let Section { title, text, columns, rows } = self;
        serde_json::json!({ "game": game, "title": title, "text": text, "columns": columns, "rows": rows })
    }

    pub(crate) fn markdown(&self) -> String {
        let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
        let mut out = format!("### {}\n\n", self.title);
        if !self.text.is_empty() {
            let _ = writeln!(out, "{}\n", self.text);
        }
        let _ = writeln!(out, "| {} |", self.columns.join(" | "));
        let _ = writeln!(out, "|{}", "---|".repeat(self.columns.len()));
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_markdown() {
        let mut section = Section::claims("Claims", "Text.");
        section.claim("a | b", Source::Report, "so", "well", Verdict::of(true));
        assert_eq!(
            section.json("hus").to_string(),
            r#"{"columns":["claim","from","how it was tested","what came out","so it"],"game":"hus","rows":[["a | b","report","so","well","holds"]],"text":"Text.","title":"Claims"}"#
        );
        assert_eq!(
            section.markdown(),
            "### Claims\n\nText.\n\n| claim | from | how it was tested | what came out | so it |\n\
             |---|---|---|---|---|\n| a \\| b | report | so | well | holds |\n"
        );
    }
}
