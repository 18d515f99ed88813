use serde::{Deserialize, Serialize};

use super::Reading;
use crate::order::argsort_ascending;
use crate::rng::NumpyRng;
use crate::settings::named;

named! {
    /// Which natural texts the rater rates: responsiveness and purity are of those alone.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeRatedTexts"))]
    #[serde(rename_all = "lowercase")]
    pub enum RatedTexts {
        /// All of them.
        #[default]
        All = "all",
        /// A [`Sample`] of every feature's own, by its activations.
        Sampled = "sampled",
    }
}

/// How many natural texts are rated from each band of activations: the reference code's sampler.
///
/// Texts are sorted by activation and parted at 50, 75, 95 and 100 %. Of each band a quarter of what does
/// not come from the top is drawn, or the band where it has fewer; the rest comes from the top.
///
/// # Examples
/// ```
/// use sfc_bench::papers::fade::metric::SamplingBands;
/// let bands = SamplingBands::plan(1_000, 500, 0.1).unwrap();
/// assert_eq!((bands.drawn_per_band, bands.top_count), ([112, 112, 112, 50], 114));
/// assert_eq!(SamplingBands::plan(100, 500, 0.1), None, "there are no more: all are rated");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplingBands {
    /// Where bands begin and end among the sorted texts.
    pub edges: [usize; 5],
    /// Asked of each.
    pub wanted_per_band: usize,
    /// Drawn from each.
    pub drawn_per_band: [usize; 4],
    /// The most active ones besides, which may have been drawn already.
    pub top_count: usize,
    /// Whether the code takes all texts here: it slices the last 0 of a list, which is the whole list.
    pub takes_everything: bool,
}

impl SamplingBands {
    /// Of `texts`, `wanted` are rated, a share `top` of them the most active ones; nothing where all are.
    #[must_use]
    pub fn plan(texts: usize, wanted: usize, top: f64) -> Option<Self> {
        if texts <= wanted {
            return None;
        }
        let share = |percent: usize| texts * percent / 100;
        let edges = [0, share(50), share(75), share(95), texts];
        let per_band = (wanted as f64 * (1.0 - top)) as usize / 4;
        let drawn = [0, 1, 2, 3].map(|band: usize| per_band.min(edges[band + 1] - edges[band]));
        let from_top = wanted.saturating_sub(drawn.iter().sum());
        Some(Self {
            edges,
            wanted_per_band: per_band,
            drawn_per_band: drawn,
            top_count: from_top,
            takes_everything: from_top == 0,
        })
    }
}

/// Which of a feature's natural texts are rated where a sample of them is: their numbers, rising.
///
/// Both readings draw the same texts from the [`SamplingBands`] and differ in what comes from the top. The code takes the most
/// active texts, which may have been drawn already and count once, so that there are fewer than were asked for; and all
/// texts where none is left to take, as `sorted[-0:]` is the whole list. The document takes the most active ones of
/// those that were not drawn, so that there are as many as were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    document: Vec<usize>,
    code: Vec<usize>,
}

impl Sample {
    /// Draws from the bands of `activations` as [`SamplingBands::plan`] has them, by NumPy's `RandomState(seed).choice` without
    /// replacement, band after band; nothing where all texts are rated. Texts of one activation are sorted by their
    /// number.
    ///
    /// # Examples
    /// ```
    /// use sfc_bench::papers::fade::metric::{Reading, Sample};
    /// let activations: Vec<f64> = (0..1_000).map(f64::from).collect();
    /// let sample = Sample::draw(&activations, 500, 0.1, 0).unwrap();
    /// assert_eq!(sample.text_indices(Reading::Document).len(), 500);
    /// assert!(sample.text_indices(Reading::Code).len() < 450, "most of the top was drawn already");
    /// let sample = Sample::draw(&activations, 100, 0.0, 0).unwrap();
    /// assert_eq!(sample.text_indices(Reading::Document).len(), 100);
    /// assert_eq!(sample.text_indices(Reading::Code).len(), 1_000, "nothing is left to take from the top");
    /// ```
    #[must_use]
    pub fn draw(activations: &[f64], wanted: usize, top: f64, seed: u32) -> Option<Self> {
        let bands = SamplingBands::plan(activations.len(), wanted, top)?;
        // Zero has one sign here, as it has for NumPy.
        let sorted = argsort_ascending(activations.iter().map(|activation| activation + 0.0));
        let mut draws = NumpyRng::new(seed);
        let mut rated = vec![false; activations.len()];
        let mut rest = sorted.as_slice();
        for (edges, count) in bands.edges.windows(2).zip(bands.drawn_per_band) {
            let (band, higher) = rest.split_at(edges[1] - edges[0]);
            rest = higher;
            if count == band.len() {
                band.iter().for_each(|text| rated[*text] = true);
                continue;
            }
            for at in draws.choice(band.len() as u32, count) {
                rated[band[at as usize]] = true;
            }
        }
        let taken = |rated: &[bool]| (0..rated.len()).filter(|text| rated[*text]).collect();
        let falling = || sorted.iter().rev();
        let mut code = rated.clone();
        let from_top = if bands.takes_everything { code.len() } else { bands.top_count };
        falling().take(from_top).for_each(|text| code[*text] = true);
        let mut document = rated.clone();
        let more = falling().filter(|text| !rated[**text]).take(bands.top_count);
        more.for_each(|text| document[*text] = true);
        Some(Self { document: taken(&document), code: taken(&code) })
    }

    /// Of something that each text has, what the texts have that are rated in a reading.
    #[must_use]
    pub fn select<T: Copy>(&self, of_texts: &[T], reading: Reading) -> Vec<T> {
        self.text_indices(reading).iter().filter_map(|text| of_texts.get(*text)).copied().collect()
    }

    /// Numbers of the texts that are rated in a reading.
    #[must_use]
    pub fn text_indices(&self, reading: Reading) -> &[usize] {
        match reading {
            Reading::Document => &self.document,
            Reading::Code => &self.code,
        }
    }
}
