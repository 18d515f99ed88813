//! Colours, for light and for dark surroundings.

use plotters::style::RGBColor;

use super::parts::{ColourRole, Status};

/// Every colour a drawing uses.
///
/// The colours of roles keep a contrast of at least 3:1 to the surface, and any two that meet in a
/// chart stay at least 10 apart (CIEDE2000) for readers without red, green or blue cones (they are
/// Okabe and Ito's, moved until they did); text keeps at least 4.5:1.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// Font families, in order of preference.
    pub font: String,
    /// Painted behind the chart; nothing is, when none.
    pub background: Option<RGBColor>,
    /// What the chart stands on: painted around markers, and assumed behind text.
    pub surface: RGBColor,
    /// Text that matters.
    pub ink: RGBColor,
    /// Text that explains: axis titles, notes.
    pub muted: RGBColor,
    /// Axis lines and ticks.
    pub axis: RGBColor,
    /// Grid lines and rules between rows.
    pub grid: RGBColor,
    /// Behind the best row of a table.
    pub best_row_tint: RGBColor,
    /// Cells that agree with the paper.
    pub agreement_colour: RGBColor,
    /// Cells that do not.
    pub difference_colour: RGBColor,
    /// The heatmap's colours at equal steps, from least to most.
    pub ramp: [RGBColor; 5],
    roles: [RGBColor; 8],
}

impl Theme {
    /// Dark on light.
    pub fn light() -> Self {
        Self {
            font: FONT.to_owned(),
            background: None,
            surface: from_hex(0xffffff),
            ink: from_hex(0x1c2126),
            muted: from_hex(0x5a636d),
            axis: from_hex(0xa9b1ba),
            grid: from_hex(0xe8ebee),
            best_row_tint: from_hex(0xeef4fa),
            agreement_colour: from_hex(0x00734f),
            difference_colour: from_hex(0xb3391a),
            ramp: [0xf3f6f9, 0xcfe1ef, 0x8dbadb, 0x3d84ba, 0x0d4a7d].map(from_hex),
            roles: [0x096eca, 0xb85004, 0x038a62, 0xad538e, 0x1c2126, 0xbc8400, 0x2f8fcb, 0x848888].map(from_hex),
        }
    }

    /// Light on dark.
    pub fn dark() -> Self {
        Self {
            font: FONT.to_owned(),
            background: None,
            surface: from_hex(0x14181c),
            ink: from_hex(0xe9ecef),
            muted: from_hex(0x9fa8b2),
            axis: from_hex(0x57606a),
            grid: from_hex(0x272d33),
            best_row_tint: from_hex(0x1b2733),
            agreement_colour: from_hex(0x3fc79a),
            difference_colour: from_hex(0xff8a66),
            ramp: [0x1d242b, 0x1f3f59, 0x27658f, 0x4b9acb, 0xb4dbf5].map(from_hex),
            roles: [0x37b9fe, 0xe18047, 0x34af81, 0xd79cc6, 0xe9ecef, 0xe8ae07, 0x3c8ec0, 0x7f8994].map(from_hex),
        }
    }

    /// The colour of a role.
    #[inline(never)]
    pub fn role_colour(&self, role: ColourRole) -> RGBColor {
        let [sparsity, fidelity, completeness, truth, score, yours, extra, neutral] = self.roles;
        match role {
            ColourRole::Sparsity => sparsity,
            ColourRole::Fidelity => fidelity,
            ColourRole::Completeness => completeness,
            ColourRole::GroundTruth => truth,
            ColourRole::Score => score,
            ColourRole::Yours => yours,
            ColourRole::Extra => extra,
            ColourRole::Neutral => neutral,
        }
    }

    /// The colour of a point by its place among all: neighbours differ the most, as the first colours
    /// come round and round, every other time deeper.
    pub(super) fn point_colour(&self, order: usize) -> RGBColor {
        let roles = [
            ColourRole::Sparsity,
            ColourRole::Fidelity,
            ColourRole::Completeness,
            ColourRole::GroundTruth,
            ColourRole::Yours,
        ];
        let colour = self.role_colour(roles[order % roles.len()]);
        if order / roles.len() % 2 == 1 { mix_colours(colour, self.ink, INK_SHARE) } else { colour }
    }

    /// The colour of a cell's text and glyph.
    pub fn status_colour(&self, status: Status) -> RGBColor {
        match status {
            Status::Plain | Status::NotCompared | Status::Ordinary => self.ink,
            Status::Agrees => self.agreement_colour,
            Status::Differs | Status::Unusual => self.difference_colour,
        }
    }

    /// The heatmap's colour at `share` ∈ [0, 1] of its range.
    pub fn heat_colour(&self, share: f64) -> RGBColor {
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        let place = share * 4.0;
        let mut lower = self.ramp[0];
        for (i, upper) in self.ramp.iter().enumerate().skip(1) {
            if place <= i as f64 {
                return mix_colours(lower, *upper, place - (i - 1) as f64);
            }
            lower = *upper;
        }
        lower
    }

    /// Black or white, whichever reads better on `colour`: at least 4.5:1 on any.
    pub fn text_colour_on(&self, colour: RGBColor) -> RGBColor {
        [from_hex(0x000000), from_hex(0xffffff)]
            .into_iter()
            .max_by(|a, b| contrast_ratio(*a, colour).total_cmp(&contrast_ratio(*b, colour)))
            .unwrap_or(self.ink)
    }
}

/// How much of the ink every other round of colours has.
const INK_SHARE: f64 = 0.45;

const FONT: &str = "system-ui, sans-serif";

fn from_hex(rgb: u32) -> RGBColor {
    let [_, r, g, b] = rgb.to_be_bytes();
    RGBColor(r, g, b)
}

/// `share` of `b` in `a`.
#[inline(never)]
pub(super) fn mix_colours(a: RGBColor, b: RGBColor, share: f64) -> RGBColor {
    let channel = |a: u8, b: u8| {
        let (a, b) = (f64::from(a), f64::from(b));
        (a + (b - a) * share).round().clamp(0.0, 255.0) as u8
    };
    RGBColor(channel(a.0, b.0), channel(a.1, b.1), channel(a.2, b.2))
}

/// WCAG's contrast ratio, from 1 to 21.
pub(super) fn contrast_ratio(a: RGBColor, b: RGBColor) -> f64 {
    let luminance = |c: RGBColor| {
        let linear = |v: u8| {
            let v = f64::from(v) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { libm::pow((v + 0.055) / 1.055, 2.4) }
        };
        0.2126 * linear(c.0) + 0.7152 * linear(c.1) + 0.0722 * linear(c.2)
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROLES: [ColourRole; 8] = [
        ColourRole::Sparsity,
        ColourRole::Fidelity,
        ColourRole::Completeness,
        ColourRole::GroundTruth,
        ColourRole::Score,
        ColourRole::Yours,
        ColourRole::Extra,
        ColourRole::Neutral,
    ];

    #[test]
    fn colours_keep_their_contrast() {
        for theme in [Theme::light(), Theme::dark()] {
            for role in ROLES {
                let ratio = contrast_ratio(theme.role_colour(role), theme.surface);
                assert!(ratio >= 3.0, "{role:?}: {ratio:.2}");
            }
            for text in [theme.ink, theme.muted, theme.agreement_colour, theme.difference_colour] {
                for behind in [theme.surface, theme.best_row_tint] {
                    let ratio = contrast_ratio(text, behind);
                    assert!(ratio >= 4.5, "{text:?} on {behind:?}: {ratio:.2}");
                }
            }
        }
    }

    #[test]
    fn numbers_read_on_every_heatmap_colour() {
        for theme in [Theme::light(), Theme::dark()] {
            for i in 0..=1000 {
                let colour = theme.heat_colour(f64::from(i) / 1000.0);
                let ratio = contrast_ratio(theme.text_colour_on(colour), colour);
                assert!(ratio >= 4.5, "{i}: {ratio:.2}");
            }
        }
    }

    #[test]
    fn heat_clamps_and_ends_at_the_ramps_ends() {
        let theme = Theme::light();
        assert_eq!(theme.heat_colour(0.0), theme.ramp[0]);
        assert_eq!(theme.heat_colour(1.0), theme.ramp[4]);
        assert_eq!(theme.heat_colour(-3.0), theme.ramp[0]);
        assert_eq!(theme.heat_colour(7.0), theme.ramp[4]);
        assert_eq!(theme.heat_colour(f64::NAN), theme.ramp[0]);
    }
}
