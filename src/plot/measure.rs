//! An estimate of text widths for where no font can be asked.
//!
//! The advances are those of a wide interface font, so that text set in whatever sans-serif the
//! reader has is narrower than planned rather than cut off.

/// Advance widths of U+0020 … U+007E in thousandths of the font size.
const ADVANCE_WIDTHS: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
    748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
    615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
    337, 636, 838,
];

/// Bold letters are wider by about this much.
const BOLD_FACTOR: f64 = 1.11;

/// The width of one line of text, in the unit of `size`.
pub(crate) fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    let thousandths: u32 = text.chars().map(char_advance).sum();
    f64::from(thousandths) / 1000.0 * size * if bold { BOLD_FACTOR } else { 1.0 }
}

fn char_advance(c: char) -> u32 {
    let index = (c as usize).checked_sub(0x20);
    if let Some(width) = index.and_then(|i| ADVANCE_WIDTHS.get(i)) {
        return u32::from(*width);
    }
    match c {
        '–' => 500,
        '—' | '…' => 1000,
        '−' | '×' | '≥' | '≤' => 838,
        '·' => 318,
        // Greek and Latin with accents are like other small letters; the rest (CJK) is square.
        '\u{80}'..='\u{4ff}' => 636,
        _ => 1000,
    }
}

/// The font size of a chart's ordinary text at a width, both in CSS pixels.
pub(crate) fn text_size(width: f64) -> f64 {
    if width < 420.0 {
        11.0
    } else if width < 900.0 {
        12.0
    } else {
        13.0
    }
}
