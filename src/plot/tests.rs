//! What no single part of the drawing can say of itself.

use super::format::fixed;
use super::parts::{Axis, BarFill, ColourRole};
use super::*;

#[test]
fn a_long_number_has_fewer_digits_rather_than_no_label() {
    let bar = |value: f64| Some(Bar { value, text: fixed(value, 3), best: false });
    let series = |name: &str, values: [f64; 3]| BarSeries {
        name: name.to_owned(),
        note: None,
        role: ColourRole::Score,
        fill: BarFill::Solid,
        bars: values.map(bar).to_vec(),
    };
    let group = |label: &str| BarGroup { label: label.to_owned(), detail: None, role: None };
    let values = [-5.19, 0.905, 0.877];
    let body = ChartBody::Bars(Bars {
        x_title: String::new(),
        y: Axis::unit_range("value", "", values),
        groups: ["a", "b", "c"].map(group).to_vec(),
        series: vec![series("C", values), series("SFC", values)],
    });
    let [id, title, summary, caption] = ["bars", "", "", ""].map(str::to_owned);
    let chart = Chart { id, title, summary, caption, body };
    let drawn = |width: u32| to_svg(&chart, width, 260, &Theme::light()).unwrap();
    let wide = drawn(640);
    assert!(wide.contains("−5.190") || wide.contains("−5.19"), "{wide}");
    let narrow = drawn(240);
    assert!(narrow.contains("−5"), "{narrow}");
}
