use super::Legible;

/// Comments whose lines are told.
const TOLD: usize = 5;
/// What stands for no number, signs and slashes apart, in any case.
const MISSING: [&str; 8] = ["na", "nv", "nan", "null", "none", "nil", "missing", "inf"];

/// What of a text file was not read as numbers: a header and comments. What looks like numbers is neither.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    header: Option<(u64, String)>,
    comments: usize,
    lines: Vec<u64>,
}

/// A cell that looks like a number, or like none where there should be one: its column, from 1, and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubtful {
    /// The column, from 1.
    pub column: usize,
    /// The cell, or its beginning.
    pub cell: String,
}

impl Doubtful {
    /// What a line may be instead.
    pub const ALLOWED: &'static str = "finite numbers, a header of names, or a comment from # on";

    fn of(column: usize, cell: &str) -> Self {
        /// Characters that are told.
        const MOST: usize = 40;
        Self { column, cell: cell.chars().take(MOST).collect() }
    }
}

impl LeftOut {
    /// Whether a line is a comment, by its cells: it begins with #.
    ///
    /// # Errors
    /// A spreadsheet's `#N/A` or the like, or a row of numbers that begins so.
    pub fn comment<'a>(
        &mut self,
        line: u64,
        mut cells: impl Iterator<Item = &'a str>,
    ) -> Result<bool, Doubtful> {
        let first = cells.next().unwrap_or_default();
        let Some(text) = first.strip_prefix('#') else { return Ok(false) };
        let (mut others, mut numbers) = (0, 0);
        for cell in cells {
            others += 1;
            numbers += usize::from(cell.parse::<f64>().is_ok());
        }
        let word = text.starts_with(char::is_alphabetic);
        if spreadsheet(first) || missing(text) || (word && others > 0 && numbers == others) {
            return Err(Doubtful::of(1, first));
        }
        self.comments += 1;
        if self.lines.len() < TOLD {
            self.lines.push(line);
        }
        Ok(true)
    }

    /// Whether the first line that is no comment is a header, by its cells: none is a number.
    ///
    /// # Errors
    /// The first cell that looks like a number in another notation, or like a missing one.
    pub fn header<'a>(
        &mut self,
        line: u64,
        cells: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<bool, Doubtful> {
        if cells.clone().any(|cell| cell.parse::<f64>().is_ok()) {
            return Ok(false);
        }
        let doubtful = |cell: &str| !cell.is_empty() && !is_name(cell);
        if let Some((at, cell)) = cells.clone().enumerate().find(|(_, cell)| doubtful(cell)) {
            return Err(Doubtful::of(at + 1, cell));
        }
        if cells.clone().all(str::is_empty) {
            return Err(Doubtful::of(1, ""));
        }
        let mut names = String::new();
        for (at, cell) in cells.enumerate() {
            if names.len() > 60 {
                names += ", …";
                break;
            }
            names += if at > 0 { ", " } else { "" };
            names.extend(cell.chars().take(40));
        }
        self.header = Some((line, names));
        Ok(true)
    }

    /// What was left out of a file, in sentences.
    #[must_use]
    pub fn sentences(&self, file: &str) -> Vec<String> {
        let mut all = Vec::new();
        if let Some((line, names)) = &self.header {
            let names = Legible(names);
            all.push(format!("{file}: line {line} was taken for a header: {names}."));
        }
        let lines: Vec<String> = self.lines.iter().map(u64::to_string).collect();
        let more = if self.comments > TOLD { ", …" } else { "." };
        let lines = lines.join(", ");
        match self.comments {
            0 => {}
            1 => all.push(format!("{file}: line {lines} begins with # and was left out.")),
            n => {
                all.push(format!("{file}: {n} lines begin with # and were left out: {lines}{more}"))
            }
        }
        all
    }
}

/// `#N/A`, `#DIV/0!`, `#NAME?` and what they are in other languages.
fn spreadsheet(cell: &str) -> bool {
    let Some(text) = cell.strip_prefix('#') else { return false };
    let capital =
        |c: char| c.is_uppercase() || c.is_numeric() || matches!(c, '/' | '_' | '!' | '?');
    !text.is_empty() && text.chars().all(capital) && text.ends_with(['!', '?'])
}

/// Letters and digits of a cell.
fn letters(cell: &str) -> impl Iterator<Item = char> {
    cell.chars().filter(|c| c.is_alphanumeric())
}

fn missing(cell: &str) -> bool {
    let word: String = letters(cell).flat_map(char::to_lowercase).take(8).collect();
    MISSING.contains(&word.as_str())
}

/// Whether a cell that is no number is the name of something: its first letter or digit is a letter,
/// and it is no word for what is missing.
fn is_name(cell: &str) -> bool {
    let first = cell.chars().find(|c| c.is_alphanumeric() || *c == '_');
    first.is_some_and(|c| !c.is_numeric()) && !missing(cell) && !spreadsheet(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(line: &str) -> Result<bool, Doubtful> {
        LeftOut::default().header(1, line.split(','))
    }

    fn comment(line: &str) -> Result<bool, Doubtful> {
        LeftOut::default().comment(1, line.split(','))
    }

    #[test]
    fn names_are_a_header_and_numbers_in_another_notation_are_not() {
        for line in ["x,y", "\"x\",\"y\"", ",a,b", "dim 0,dim 1", "λ,‖x‖", "_0,_1", "value,name"]
        {
            assert_eq!(header(line), Ok(true), "{line}");
        }
        for line in ["1,x", "x,1e5", "nan,x", "-inf,y"] {
            assert_eq!(header(line), Ok(false), "{line}");
        }
        for (line, column, cell) in [
            ("−1,−2", 1, "−1"),
            ("0x10,0x20", 1, "0x10"),
            ("NA,x", 1, "NA"),
            ("x,n/a", 2, "n/a"),
            ("x,#N/A", 2, "#N/A"),
            ("x,#DIV/0!", 2, "#DIV/0!"),
            ("\"1\",\"2\"", 1, "\"1\""),
            ("1_000,2_000", 1, "1_000"),
            ("１,２", 1, "１"),
            ("٣,٤", 1, "٣"),
            ("x,$5", 2, "$5"),
            ("x,5%", 2, "5%"),
            ("x,—", 2, "—"),
            ("½,⅓", 1, "½"),
            ("1;2", 1, "1;2"),
            (",", 1, ""),
        ] {
            let cell = cell.to_owned();
            assert_eq!(header(line), Err(Doubtful { column, cell }), "{line}");
        }
    }

    #[test]
    fn rows_that_begin_like_a_comment_are_none() {
        for line in ["#", "# x", "# 1,2", "#1,2", "#x,y", "# N/A is none,x", "#a b,1,x", "##"] {
            assert_eq!(comment(line), Ok(true), "{line}");
        }
        for line in ["#N/A,1", "#N/A", "#NV,2,3", "#DIV/0!,x", "#WERT!", "#NaN,1", "#x,1,2"] {
            assert!(comment(line).is_err(), "{line}");
        }
        assert_eq!(comment("1,2"), Ok(false));
    }

    #[test]
    fn what_was_left_out_is_told() {
        let mut left = LeftOut::default();
        assert!(left.sentences("a.csv").is_empty());
        left.comment(1, ["# so"].into_iter()).unwrap();
        left.header(2, ["x\u{1b}", "y"].into_iter()).unwrap();
        assert_eq!(
            left.sentences("a.csv"),
            [
                "a.csv: line 2 was taken for a header: x\\u{1b}, y.",
                "a.csv: line 1 begins with # and was left out."
            ]
        );
        for line in 4..20 {
            left.comment(line, ["#"].into_iter()).unwrap();
        }
        assert!(
            left.sentences("a.csv")[1]
                .ends_with("17 lines begin with # and were left out: 1, 4, 5, 6, 7, …")
        );
        let mut wide = LeftOut::default();
        wide.header(1, (0..1000).map(|_| "name")).unwrap();
        assert!(wide.sentences("a.csv")[0].len() < 150);
    }
}
