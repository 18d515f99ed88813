/// How many natural texts are rated from each band of activations: the reference code's sampler.
///
/// Texts are sorted by activation and parted at 50, 75, 95 and 100 %. Of each band a quarter of what does
/// not come from the top is drawn, or the band where it has fewer; the rest comes from the top.
///
/// # Examples
/// ```
/// use sfc_bench::papers::fade::metric::Bands;
/// let bands = Bands::of(1_000, 500, 0.1).unwrap();
/// assert_eq!((bands.drawn, bands.from_top), ([112, 112, 112, 50], 114));
/// assert_eq!(Bands::of(100, 500, 0.1), None, "there are no more: all are rated");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bands {
    /// Where bands begin and end among the sorted texts.
    pub edges: [usize; 5],
    /// Asked of each.
    pub per_band: usize,
    /// Drawn from each.
    pub drawn: [usize; 4],
    /// The most active ones besides, which may have been drawn already.
    pub from_top: usize,
    /// Whether the code takes all texts here: it slices the last 0 of a list, which is the whole list.
    pub takes_everything: bool,
}

impl Bands {
    /// Of `texts`, `wanted` are rated, a share `top` of them the most active ones; nothing where all are.
    #[must_use]
    pub fn of(texts: usize, wanted: usize, top: f64) -> Option<Self> {
        if texts <= wanted {
            return None;
        }
        let share = |percent: usize| texts * percent / 100;
        let edges = [0, share(50), share(75), share(95), texts];
        let per_band = (wanted as f64 * (1.0 - top)) as usize / 4;
        let drawn = [0, 1, 2, 3].map(|band: usize| per_band.min(edges[band + 1] - edges[band]));
        let from_top = wanted.saturating_sub(drawn.iter().sum());
        Some(Self { edges, per_band, drawn, from_top, takes_everything: from_top == 0 })
    }
}
