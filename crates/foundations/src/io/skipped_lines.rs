use super::EscapedText;

/// Comments whose lines are told.
const COMMENTS_SHOWN_MAX: usize = 5;
/// What stands for no number, signs and slashes apart, in any case.
const MISSING_WORDS: [&str; 8] = ["na", "nv", "nan", "null", "none", "nil", "missing", "inf"];

/// What of a text file was not read as numbers: a header, an index and comments. What else looks like numbers is none
/// of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkippedLines {
    header: Option<(u64, String)>,
    /// Whether the header is numbers that count columns.
    counted: bool,
    index: bool,
    /// Whether numbers are in quotes.
    quoted: bool,
    comments: usize,
    lines: Vec<u64>,
}

/// Whether numbers that count columns or rows, as pandas writes them, are labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelDetection {
    /// A first line 0, 1, 2, … is a header, and a first column of whole numbers under no name an index.
    #[default]
    Recognised,
    /// They are numbers as all others are.
    Numbers,
}

/// What a first line says of a text file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstLine {
    /// It is a header.
    pub is_header: bool,
    /// It counts columns from 0: a header, where lines of numbers follow ([`SkippedLines::take_counting_header`]).
    pub counts_columns: bool,
    /// What the first column may be besides numbers.
    pub index_column: Option<IndexColumn>,
}

/// Which first column is an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexColumn {
    /// One of whole numbers, since it has no name.
    WholeNumbers,
    /// One that counts rows from 0, since its name is of another kind than the others, or is pandas' word for it.
    RowCounts,
}

impl IndexColumn {
    /// Whether a cell of a row, from 0, may be of such an index.
    #[must_use]
    pub fn accepts(self, row: u64, cell: &str) -> bool {
        match self {
            Self::WholeNumbers => cell.parse::<u64>().is_ok_and(|number| number.to_string() == cell),
            Self::RowCounts => cell == row.to_string(),
        }
    }
}

/// Whether cells are 0, 1, 2, …
fn counts_from_zero(cells: &[&str]) -> bool {
    cells.iter().enumerate().all(|(at, cell)| *cell == at.to_string())
}

/// A cell without the quotes around it.
#[must_use]
pub fn unquote(cell: &str) -> &str {
    let inner = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"'));
    inner.map_or(cell, str::trim)
}

/// How numbers of a line are written that is not comma-separated with decimal points, and what is to be done with it;
/// none where that is not known.
#[must_use]
pub fn detect_dialect(line: &str) -> Option<(&'static str, &'static str)> {
    const SAVE_HINT: &str = "numbers between commas, with decimal points: save the file so";
    let by = |separator: fn(char) -> bool, point: bool| {
        let mut cells = line.split(separator).map(|cell| unquote(cell.trim())).filter(|c| !c.is_empty());
        let number = |cell: &str| match point {
            true => cell.parse::<f64>().is_ok(),
            false => cell.replacen(',', ".", 1).parse::<f64>().is_ok(),
        };
        cells.clone().count() > 1 && cells.all(number)
    };
    let semicolon: fn(char) -> bool = |c| c == ';';
    let tab: fn(char) -> bool = |c| c == '\t';
    let space: fn(char) -> bool = char::is_whitespace;
    let names = |separator: fn(char) -> bool| {
        let cells = line.split(separator).map(|cell| unquote(cell.trim()));
        cells.clone().count() > 1 && cells.clone().all(|cell| cell.is_empty() || is_name(cell))
    };
    let kinds = [
        (semicolon, "numbers between semicolons", "numbers between semicolons, with decimal commas"),
        (tab, "numbers between tabs", "numbers between tabs, with decimal commas"),
        (space, "numbers between spaces", "numbers between spaces, with decimal commas"),
    ];
    let found = kinds.into_iter().find_map(|(separator, points, commas)| {
        if by(separator, true) {
            Some((points, SAVE_HINT))
        } else if by(separator, false) {
            Some((commas, SAVE_HINT))
        } else {
            None
        }
    });
    let header = [(semicolon, "names between semicolons"), (tab, "names between tabs")];
    let header = header.into_iter().find(|(separator, _)| names(*separator));
    found.or(header.map(|(_, what)| (what, SAVE_HINT)))
}

/// A cell that looks like a number, or like none where there should be one: its column, from 1, and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoubtfulCell {
    /// The column, from 1.
    pub column: usize,
    /// The cell, or its beginning.
    pub cell: String,
}

impl DoubtfulCell {
    /// What a line may be instead.
    pub const ALLOWED_LINE: &'static str = "finite numbers, a header of names, or a comment from # on";

    fn new(column: usize, cell: &str) -> Self {
        /// Characters that are told.
        const CHARS_MAX: usize = 40;
        Self { column, cell: cell.chars().take(CHARS_MAX).collect() }
    }
}

impl SkippedLines {
    /// Whether a line is a comment, by its cells: it begins with #.
    ///
    /// # Errors
    /// A spreadsheet's `#N/A` or the like, or a row of numbers that begins so.
    pub fn try_take_comment<'a>(
        &mut self,
        line: u64,
        mut cells: impl Iterator<Item = &'a str>,
    ) -> Result<bool, DoubtfulCell> {
        let first = cells.next().unwrap_or_default();
        let Some(text) = first.strip_prefix('#') else { return Ok(false) };
        let (mut others, mut numbers) = (0, 0);
        for cell in cells {
            others += 1;
            numbers += usize::from(cell.parse::<f64>().is_ok());
        }
        let word = text.starts_with(char::is_alphabetic);
        if is_spreadsheet_error(first) || is_missing_word(text) || (word && others > 0 && numbers == others) {
            return Err(DoubtfulCell::new(1, first));
        }
        self.comments += 1;
        if self.lines.len() < COMMENTS_SHOWN_MAX {
            self.lines.push(line);
        }
        Ok(true)
    }

    /// Whether the first line that is no comment is a header, by its cells: none is a number.
    ///
    /// # Errors
    /// The first cell that looks like a number in another notation, or like a missing one.
    pub fn try_take_header<'a>(
        &mut self,
        line: u64,
        cells: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<bool, DoubtfulCell> {
        if cells.clone().any(|cell| cell.parse::<f64>().is_ok()) {
            return Ok(false);
        }
        let doubtful = |cell: &str| !cell.is_empty() && !is_name(cell);
        if let Some((at, cell)) = cells.clone().enumerate().find(|(_, cell)| doubtful(cell)) {
            return Err(DoubtfulCell::new(at + 1, cell));
        }
        if cells.clone().all(str::is_empty) {
            return Err(DoubtfulCell::new(1, ""));
        }
        self.record_header(line, cells);
        Ok(true)
    }

    fn record_header<'a>(&mut self, line: u64, cells: impl Iterator<Item = &'a str>) {
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
    }

    /// What the first line that is no comment is, by its cells.
    ///
    /// # Errors
    /// As [`SkippedLines::try_take_header`].
    pub fn classify_first_line(
        &mut self,
        line: u64,
        cells: &[&str],
        labels: LabelDetection,
    ) -> Result<FirstLine, DoubtfulCell> {
        /// Words of pandas for an index that had no name.
        const UNNAMED_INDEX: [&str; 2] = ["index", "Unnamed: 0"];
        let recognised = labels == LabelDetection::Recognised;
        if let ([first, others @ ..], true) = (cells, recognised)
            && others.len() > 1
            && counts_from_zero(others)
            && (first.is_empty() || is_name(first))
        {
            self.counted = true;
            self.record_header(line, cells.iter().copied());
            let index = if first.is_empty() { IndexColumn::WholeNumbers } else { IndexColumn::RowCounts };
            return Ok(FirstLine { is_header: true, counts_columns: false, index_column: Some(index) });
        }
        if self.try_take_header(line, cells.iter().copied())? {
            let index = match cells {
                ["", _, ..] => Some(IndexColumn::WholeNumbers),
                [first, _, ..] if UNNAMED_INDEX.contains(first) => Some(IndexColumn::RowCounts),
                _ => None,
            };
            let index = index.filter(|_| recognised);
            return Ok(FirstLine { is_header: true, counts_columns: false, index_column: index });
        }
        let counts = recognised && cells.len() > 1 && counts_from_zero(cells);
        Ok(FirstLine { counts_columns: counts, ..FirstLine::default() })
    }

    /// Takes a first line that counts columns for a header, where it is one: numbers follow, and of two or three columns
    /// some are no whole numbers, since those may be labels or ratings, 0, 1 and 2.
    pub fn take_counting_header(&mut self, line: u64, columns: usize, rows: u64, whole: bool) -> bool {
        let counted = rows > 1 && (columns > 3 || !whole);
        if counted {
            self.counted = true;
            let names: Vec<String> = (0..columns.min(20)).map(|at| at.to_string()).collect();
            self.record_header(line, names.iter().map(String::as_str));
        }
        counted
    }

    /// Takes the first column for an index.
    pub fn mark_index_column(&mut self) {
        self.index = true;
    }

    /// The line of the header, and whether the first column is an index; for whoever reads the file again.
    #[must_use]
    pub fn header_and_index(&self) -> (Option<u64>, bool) {
        (self.header.as_ref().map(|(line, _)| *line), self.index)
    }

    /// Says that numbers are in quotes.
    pub fn mark_quoted(&mut self) {
        self.quoted = true;
    }

    /// Whether lines of numbers are not all and nothing but numbers between commas.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        !(self.counted || self.index || self.quoted)
    }

    /// What was left out of a file, in sentences.
    #[must_use]
    pub fn describe(&self, file: &str) -> Vec<String> {
        let mut all = Vec::new();
        if let Some((line, names)) = &self.header {
            let names = EscapedText(names);
            let numbers = if self.counted { " Written as 0.0, 1.0, … these are numbers." } else { "" };
            all.push(format!("{file}: line {line} was taken for a header: {names}.{numbers}"));
        }
        if self.index {
            all.push(format!(
                "{file}: the first column was taken for an index and left out. Under a name of its own it is numbers."
            ));
        }
        let lines: Vec<String> = self.lines.iter().map(u64::to_string).collect();
        let more = if self.comments > COMMENTS_SHOWN_MAX { ", …" } else { "." };
        let lines = lines.join(", ");
        match self.comments {
            0 => {}
            1 => all.push(format!("{file}: line {lines} begins with # and was left out.")),
            n => all.push(format!("{file}: {n} lines begin with # and were left out: {lines}{more}")),
        }
        all
    }
}

/// `#N/A`, `#DIV/0!`, `#NAME?` and what they are in other languages.
fn is_spreadsheet_error(cell: &str) -> bool {
    let Some(text) = cell.strip_prefix('#') else { return false };
    let capital = |c: char| c.is_uppercase() || c.is_numeric() || matches!(c, '/' | '_' | '!' | '?');
    !text.is_empty() && text.chars().all(capital) && text.ends_with(['!', '?'])
}

/// Letters and digits of a cell.
fn letters_and_digits(cell: &str) -> impl Iterator<Item = char> {
    cell.chars().filter(|c| c.is_alphanumeric())
}

fn is_missing_word(cell: &str) -> bool {
    let word: String = letters_and_digits(cell).flat_map(char::to_lowercase).take(8).collect();
    MISSING_WORDS.contains(&word.as_str())
}

/// Whether a cell that is no number is the name of something: its first letter or digit is a letter,
/// and it is no word for what is missing.
fn is_name(cell: &str) -> bool {
    let first = cell.chars().find(|c| c.is_alphanumeric() || *c == '_');
    first.is_some_and(|c| !c.is_numeric()) && !is_missing_word(cell) && !is_spreadsheet_error(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(line: &str) -> Result<bool, DoubtfulCell> {
        SkippedLines::default().try_take_header(1, line.split(','))
    }

    fn comment(line: &str) -> Result<bool, DoubtfulCell> {
        SkippedLines::default().try_take_comment(1, line.split(','))
    }

    #[test]
    fn names_are_a_header_and_numbers_in_another_notation_are_not() {
        for line in ["x,y", "\"x\",\"y\"", ",a,b", "dim 0,dim 1", "λ,‖x‖", "_0,_1", "value,name"] {
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
            assert_eq!(header(line), Err(DoubtfulCell { column, cell }), "{line}");
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
        let mut left = SkippedLines::default();
        assert!(left.describe("a.csv").is_empty());
        left.try_take_comment(1, ["# so"].into_iter()).unwrap();
        left.try_take_header(2, ["x\u{1b}", "y"].into_iter()).unwrap();
        assert_eq!(
            left.describe("a.csv"),
            ["a.csv: line 2 was taken for a header: x\\u{1b}, y.", "a.csv: line 1 begins with # and was left out."]
        );
        for line in 4..20 {
            left.try_take_comment(line, ["#"].into_iter()).unwrap();
        }
        assert!(left.describe("a.csv")[1].ends_with("17 lines begin with # and were left out: 1, 4, 5, 6, 7, …"));
        let mut wide = SkippedLines::default();
        wide.try_take_header(1, (0..1000).map(|_| "name")).unwrap();
        assert!(wide.describe("a.csv")[0].len() < 150);
    }
}
