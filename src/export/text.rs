//! Data as text: CSV, Markdown and LaTeX.

use crate::plot::{Align, Chart, ChartData, DataCell, DataValue, Status};
use crate::study::escape_formula;

/// RFC 4180; numbers in the shortest form that reads back as the same number.
pub(super) fn to_csv(data: &ChartData) -> String {
    let field = |value: &DataValue| match value {
        DataValue::Missing => String::new(),
        DataValue::Flag(flag) => flag.to_string(),
        DataValue::Number(number) => number.to_string(),
        DataValue::Text(text) => quote_field(text),
    };
    let mut text = String::new();
    let mut line = |fields: Vec<String>| {
        text += &fields.join(",");
        text += "\r\n";
    };
    line(data.columns.iter().map(|title| quote_field(title)).collect());
    for row in &data.rows {
        line(row.iter().map(field).collect());
    }
    text
}

fn quote_field(field: &str) -> String {
    let field = escape_formula(field);
    if field.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.into_owned()
    }
}

/// A cell with its comparison: "0.083 ✓", "0.875 ✗ (0.874)".
fn format_cell(cell: &DataCell) -> String {
    let mark = match cell.status {
        Some(Status::Agrees) => " ✓",
        Some(Status::Differs) => " ✗",
        _ => "",
    };
    match &cell.printed {
        Some(printed) if *printed != cell.text => format!("{}{mark} ({printed})", cell.text),
        _ => format!("{}{mark}", cell.text),
    }
}

/// What the marks of a table mean; nothing where it has none.
fn describe_marks(chart: &Chart) -> &'static str {
    let has = |status| chart.data_table().rows.iter().flatten().any(|cell| cell.status == Some(status));
    if has(Status::Agrees) || has(Status::Differs) {
        " ✓ rounds to the printed value, ✗ does not (the printed value in parentheses)."
    } else {
        ""
    }
}

/// The title, a table as GitHub reads it, the caption.
pub(super) fn to_markdown(chart: &Chart) -> String {
    let escaped = |text: &str| {
        let mut escaped = String::new();
        for c in text.chars() {
            if matches!(c, '|' | '\\' | '*' | '`' | '<' | '[' | ']') {
                escaped.push('\\');
            }
            escaped.push(c);
        }
        escaped
    };
    let table = chart.data_table();
    let mut text = format!("**{}**\n\n", escaped(&chart.title));
    let mut line = |fields: Vec<String>| text += &format!("| {} |\n", fields.join(" | "));
    line(table.columns.iter().map(|column| escaped(&column.title)).collect());
    let rule = |align| if align == Align::Left { ":---" } else { "---:" }.to_owned();
    line(table.columns.iter().map(|column| rule(column.align)).collect());
    for row in &table.rows {
        line(row.iter().map(|cell| escaped(&format_cell(cell))).collect());
    }
    text + &format!("\n{}{}\n", escaped(&chart.caption), describe_marks(chart))
}

/// A floating table for pdfLaTeX with booktabs and nothing else.
pub(super) fn to_latex(chart: &Chart) -> String {
    let table = chart.data_table();
    // LaTeX numbers it itself.
    let title = chart.title.split_once(". ").map_or(chart.title.as_str(), |(_, title)| title);
    let caption = escape_latex(&format!("{title}. {}{}", chart.caption, describe_marks(chart)));
    let columns: String = table.columns.iter().map(|c| if c.align == Align::Left { 'l' } else { 'r' }).collect();
    let line = |fields: Vec<String>| format!("    {} \\\\\n", fields.join(" & "));
    let head = line(table.columns.iter().map(|column| escape_latex(&column.title)).collect());
    let rows: String =
        table.rows.iter().map(|row| line(row.iter().map(|cell| escape_latex(&format_cell(cell))).collect())).collect();
    format!(
        "% Needs \\usepackage{{booktabs}}.\n\
         \\begin{{table}}\n  \\centering\n  \\caption{{{caption}}}\n  \\label{{tab:{}}}\n  \
         \\begin{{tabular}}{{{columns}}}\n    \\toprule\n{head}    \\midrule\n{rows}    \
         \\bottomrule\n  \\end{{tabular}}\n\\end{{table}}\n",
        chart.id
    )
}

/// Text for LaTeX in its oldest font encoding, where even `<` and `|` are not themselves.
fn escape_latex(text: &str) -> String {
    let mut escaped = String::new();
    for (i, part) in text.split("C_GT").enumerate() {
        if i > 0 {
            escaped += "$C_{\\mathrm{GT}}$";
        }
        part.chars().for_each(|c| escape_latex_char(c, &mut escaped));
    }
    escaped
}

fn escape_latex_char(c: char, out: &mut String) {
    let math = |symbol: &str| format!("${symbol}$");
    let set = match c {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{c}"),
        '\\' => "\\textbackslash{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        '"' | '”' => "''".to_owned(),
        '“' => "``".to_owned(),
        '‘' => "`".to_owned(),
        '’' => "'".to_owned(),
        '–' => "--".to_owned(),
        '—' => "---".to_owned(),
        '…' => "\\ldots{}".to_owned(),
        '<' | '>' | '|' => math(&c.to_string()),
        '−' => math("-"),
        '‖' => math("\\Vert"),
        '×' => math("\\times"),
        '·' => math("\\cdot"),
        '±' => math("\\pm"),
        '≤' => math("\\le"),
        '≥' => math("\\ge"),
        '≈' => math("\\approx"),
        '→' => math("\\rightarrow"),
        '²' => math("^2"),
        '⁻' => math("^-"),
        'λ' => math("\\lambda"),
        'α' => math("\\alpha"),
        'β' => math("\\beta"),
        'γ' => math("\\gamma"),
        'σ' => math("\\sigma"),
        'Σ' => math("\\Sigma"),
        'Δ' => math("\\Delta"),
        // The marks of other packages; these two every LaTeX has.
        '✓' => math("\\surd"),
        '✗' => math("\\times"),
        ' '..='~' => c.to_string(),
        // What LaTeX has no letter for would stop it.
        _ => "?".to_owned(),
    };
    out.push_str(&set);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_latex_reads_as_a_command_gets_through() {
        assert_eq!(escape_latex(r"a\b{c}$d&e#f^g_h~i%j"), {
            r"a\textbackslash{}b\{c\}\$d\&e\#f\textasciicircum{}g\_h\textasciitilde{}i\%j"
        });
        assert_eq!(escape_latex("λ = 0.5, C_GT ✓ ✗"), { r"$\lambda$ = 0.5, $C_{\mathrm{GT}}$ $\surd$ $\times$" });
        assert_eq!(escape_latex("|Pareto|/N"), "$|$Pareto$|$/N");
        assert_eq!(escape_latex("猫\u{7}"), "??");
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(quote_field("a b"), "a b");
        assert_eq!(quote_field("a,b"), "\"a,b\"");
        assert_eq!(quote_field("say \"a\"\r\n"), "\"say \"\"a\"\"\r\n\"");
        let data = ChartData {
            columns: vec!["x, y".to_owned(), "ok".to_owned()],
            rows: vec![vec![DataValue::Number(-0.1), DataValue::Missing], vec![DataValue::Flag(true); 2]],
        };
        assert_eq!(to_csv(&data), "\"x, y\",ok\r\n-0.1,\r\ntrue,true\r\n");
    }

    #[test]
    fn names_are_no_formulas() {
        let columns = ["=A1", "-1e-3", "-x", "@SUM(1)"].map(str::to_owned).to_vec();
        let text = DataValue::Text("=HYPERLINK(\"a\",1)".to_owned());
        let data = ChartData { columns, rows: vec![vec![text, DataValue::Number(-2.5)]] };
        assert_eq!(to_csv(&data), "'=A1,-1e-3,'-x,'@SUM(1)\r\n\"'=HYPERLINK(\"\"a\"\",1)\",-2.5\r\n");
    }
}
