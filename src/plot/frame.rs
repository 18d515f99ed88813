//! Axes: the rectangle of the data, its grid, ticks and titles.

use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::types::RangedCoordf64;
use plotters_backend::DrawingBackend;

use super::format::format_decimals;
use super::layout::{DrawError, PlotRect};
use super::legend::{LegendItem, legend_height};
use super::measure::text_size;
use super::parts::{Axis, nice_step};
use super::pen::{CssPoint, Pen};

/// A drawn coordinate system.
pub(super) struct Frame {
    pub rect: PlotRect,
    coordinates: Cartesian2d<RangedCoordf64, RangedCoordf64>,
}

impl Frame {
    /// Where a value is, in CSS pixels.
    pub fn point_at<DB: DrawingBackend>(&self, pen: &Pen<'_, DB>, x: f64, y: f64) -> CssPoint {
        use plotters::coord::CoordTranslate;
        let (x, y) = self.coordinates.translate(&(x, y));
        (pen.to_css(x), pen.to_css(y))
    }
}

/// Ticks of an axis with their labels.
pub(super) struct Ticks {
    pub values: Vec<f64>,
    pub labels: Vec<String>,
}

/// At most `most` steps between round values.
pub(super) fn axis_ticks(axis: &Axis, most: usize) -> Ticks {
    let step = nice_step((axis.max - axis.min) / most.max(1) as f64);
    // As many decimals as make the step whole.
    let mut digits = 0;
    let mut scaled = step;
    while digits < 6 && (scaled - scaled.round()).abs() >= 1e-6 * scaled {
        (digits, scaled) = (digits + 1, scaled * 10.0);
    }
    let first = (axis.min / step - 1e-6).ceil() as i64;
    let last = (axis.max / step + 1e-6).floor() as i64;
    let values: Vec<f64> = (first..=last).take(64).map(|i| i as f64 * step).collect();
    let labels = values.iter().map(|v| format_decimals(*v, digits)).collect();
    Ticks { values, labels }
}

/// The height of the title of a vertical axis, which lies above it.
pub(super) fn title_height(size: f64) -> f64 {
    (1.9 * size).round()
}

/// The height of tick labels, `lines` of them, and the title under a horizontal axis.
pub(super) fn foot_height(lines: usize, size: f64) -> f64 {
    (6.0 + lines as f64 * 1.3 * size + 1.7 * size).round()
}

/// The height at which curves and bars keep a pleasant proportion.
pub(super) fn plot_height(width: f64) -> f64 {
    (0.52 * width).clamp(190.0, 400.0)
}

/// The height of a drawing with a legend over a plot with both axes.
pub(super) fn framed_height(legend: &[LegendItem<'_>], width: f64) -> f64 {
    let size = text_size(width);
    legend_height(legend, width, size) + title_height(size) + plot_height(width) + foot_height(1, size)
}

impl<DB: DrawingBackend> Pen<'_, DB> {
    /// The ticks of a vertical axis `height` high.
    pub fn vertical_ticks(&self, axis: &Axis, height: f64) -> Ticks {
        axis_ticks(axis, ((height / 42.0) as usize).clamp(1, 10))
    }

    /// The ticks of a horizontal axis `width` wide: as many as their labels leave apart.
    pub fn horizontal_ticks(&self, axis: &Axis, width: f64) -> Ticks {
        let size = self.default_text_format().size;
        for most in (2..=10).rev() {
            let ticks = axis_ticks(axis, most);
            let widest = self.widest_text(&ticks.labels);
            let apart = width / (ticks.values.len().max(2) - 1) as f64;
            if widest + 1.2 * size <= apart {
                return ticks;
            }
        }
        axis_ticks(axis, 1)
    }

    /// The width of the widest of some texts.
    pub fn widest_text<T: AsRef<str>>(&self, texts: &[T]) -> f64 {
        let size = self.default_text_format().size;
        texts.iter().map(|text| self.measure_text(text.as_ref(), size, false)).fold(0.0, f64::max)
    }

    /// The title of a vertical axis, lying above it; returns the height it takes.
    pub fn draw_vertical_title(&self, title: &str, y: f64) -> Result<f64, DrawError> {
        let set = self.default_text_format();
        let height = title_height(set.size);
        let title = self.truncate_to_fit(title, set.size, false, self.width);
        self.draw_text(&title, (0.0, y + 0.5 * set.size), set)?;
        Ok(height)
    }

    /// The title of a horizontal axis, centred at the foot of the drawing.
    pub fn draw_horizontal_title(&self, title: &str, rect: PlotRect) -> Result<(), DrawError> {
        let set = self.default_text_format();
        let title = self.truncate_to_fit(title, set.size, false, self.width);
        let wide = self.measure_text(&title, set.size, false);
        let half = wide / 2.0;
        let x = (rect.x + rect.w / 2.0).min(self.width - half).max(half);
        self.draw_text(&title, (x, self.height - 0.7 * set.size), set.align_centre())
    }

    /// As [`foot_height`], at the size of ordinary text.
    pub fn foot_space(&self, lines: usize) -> f64 {
        foot_height(lines, self.default_text_format().size)
    }

    /// Grid, labels and title of a vertical axis beside `rect`.
    pub fn draw_vertical_axis(&self, axis: &Axis, rect: PlotRect) -> Result<(), DrawError> {
        let set = self.default_text_format().align_right();
        let ticks = self.vertical_ticks(axis, rect.h);
        for (value, label) in ticks.values.iter().zip(&ticks.labels) {
            let share = (value - axis.min) / (axis.max - axis.min);
            let y = rect.y + rect.h * (1.0 - share);
            let zero = value.abs() < 1e-12;
            let colour = if zero { self.theme.axis } else { self.theme.grid };
            self.draw_horizontal_line(rect.x, rect.x + rect.w, y, colour)?;
            self.draw_text(label, (rect.x - 0.6 * set.size, y), set)?;
        }
        Ok(())
    }

    /// Both axes with everything on them, from `top` to the foot of the drawing.
    pub fn draw_frame(&self, x: &Axis, y: &Axis, top: f64) -> Result<Frame, DrawError> {
        self.draw_frame_beside(x, y, top, 0.0)
    }

    /// As [`Self::draw_frame`], with as much room at the right.
    pub fn draw_frame_beside(&self, x: &Axis, y: &Axis, top: f64, room: f64) -> Result<Frame, DrawError> {
        let set = self.default_text_format();
        let top = top + self.draw_vertical_title(&y.title, top)?;
        let bottom = self.height - self.foot_space(1);
        let height = (bottom - top).max(20.0);
        let labels = self.vertical_ticks(y, height).labels;
        let beside = (self.widest_text(&labels) + 0.9 * set.size).round();
        // The outermost labels stick out by half their width; wide ones are made room for once the
        // ticks are chosen, or the room would change the choice.
        let half = |label: &str| 0.5 * self.widest_text(&["0.00", label]);
        let first_guess = self.width - beside - (half("") + 2.0).max(room).round();
        let ticks = self.horizontal_ticks(x, self.snap_to_edge(first_guess.max(20.0)));
        let end = |label: Option<&String>| half(label.map_or("", String::as_str));
        let left = beside.max(end(ticks.labels.first()).ceil());
        let right = (end(ticks.labels.last()) + 2.0).max(room).round();
        let width = (self.width - left - right).max(20.0);
        let rect = PlotRect {
            x: self.snap_to_edge(left),
            y: self.snap_to_edge(top),
            w: self.snap_to_edge(width),
            h: self.snap_to_edge(height),
        };
        self.draw_vertical_axis(y, rect)?;
        let foot = rect.y + rect.h;
        for (value, label) in ticks.values.iter().zip(&ticks.labels) {
            let share = (value - x.min) / (x.max - x.min);
            let at = rect.x + rect.w * share;
            self.draw_vertical_line(at, foot, foot + 4.0, self.theme.axis)?;
            self.draw_text(label, (at, foot + 6.0 + 0.6 * set.size), set.align_centre())?;
        }
        self.draw_horizontal_line(rect.x, rect.x + rect.w, foot, self.theme.axis)?;
        self.draw_horizontal_title(&x.title, rect)?;
        let coordinates = Cartesian2d::new(
            x.min..x.max,
            y.min..y.max,
            (
                self.css_to_backend(rect.x)..self.css_to_backend(rect.x + rect.w),
                self.css_to_backend(foot)..self.css_to_backend(rect.y),
            ),
        );
        Ok(Frame { rect, coordinates })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(min: f64, max: f64, most: usize) -> Vec<String> {
        let axis = Axis { title: String::new(), symbol: String::new(), min, max };
        axis_ticks(&axis, most).labels
    }

    #[test]
    fn ticks_are_round_and_reach_both_ends() {
        assert_eq!(labels(0.0, 1.0, 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(0.0, 1.0, 4), ["0.00", "0.25", "0.50", "0.75", "1.00"]);
        assert_eq!(labels(0.0, 1.0, 1), ["0", "1"]);
        assert_eq!(labels(-1.0, 1.0, 4), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(0.0, 60.0, 3), ["0", "20", "40", "60"]);
        assert_eq!(labels(0.0, 10.0, 4), ["0", "5", "10"]);
    }
}
