//! What pictures look at beside the metrics' results: the stream's rows, words and texts, one by one.

use super::{Activations, CONTEXT_TOKENS, EncodedDictionary, ResidualStream, row_slice};
use crate::Matrix;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::adaptive_sparsity::complexity_and_k;
use crate::papers::measurement::metric::nla_sae::direction_words;
use crate::papers::measurement::metric::weight_lens::feature_words;
use crate::statistics::MetricError;
use crate::synthetic::language::VOCABULARY;
use crate::toy_model::residual_stream::residual_stream_after;

/// Words on either side of the one that a piece of text is about.
const WORDS_AROUND: usize = 3;

/// A word of the vocabulary, by its place there.
fn token_word(token: usize) -> &'static str {
    VOCABULARY.get(token).copied().unwrap_or_default()
}

impl ResidualStream {
    /// Complexity and number of active features of rows of the stream.
    pub(in crate::papers::measurement) fn complexity_and_k(
        &self,
        subject: &EncodedDictionary,
        rows: &[f32],
    ) -> Result<(Vec<f64>, Vec<f64>), MeasurementError> {
        let codes = subject.dictionary.encode(rows);
        let rows = Matrix::from_f32(rows.len() / self.width, self.width, rows.iter().copied())?;
        let active = Activations::DenseF32 { values: &codes, features: subject.latent_count() };
        Ok(complexity_and_k(&rows, active)?)
    }

    /// The rows of each text's last position.
    pub(in crate::papers::measurement) fn last_position_rows(&self) -> Vec<f32> {
        let texts = self.all.chunks_exact((CONTEXT_TOKENS - 1) * self.width);
        texts.flat_map(|text| text.iter().skip(text.len() - self.width)).copied().collect()
    }

    /// The words that each text ends with.
    pub(in crate::papers::measurement) fn text_endings(&self) -> Vec<String> {
        (0..self.texts.len()).map(|text| self.excerpt(text, CONTEXT_TOKENS - 2)).collect()
    }

    /// The residual stream after a layer, at the positions drawn.
    pub(in crate::papers::measurement) fn residual_after_layer(
        &self,
        layer: usize,
    ) -> Result<Matrix, MeasurementError> {
        let rows = residual_stream_after(&self.model, &self.texts, layer)?;
        let chosen = self.drawn.iter().flat_map(|at| row_slice(&rows, self.width, *at as usize));
        Ok(Matrix::from_f32(self.drawn.len(), self.width, chosen.copied())?)
    }

    /// A place of a text, the first word not counted, in its surroundings: "the cat [near] the dogs".
    fn excerpt(&self, text: usize, place: usize) -> String {
        let Some(text) = self.texts.get(text) else { return String::new() };
        let at = place + 1;
        let from = at.saturating_sub(WORDS_AROUND).max(1);
        let some = text.iter().enumerate().skip(from).take(at + WORDS_AROUND + 1 - from);
        let each = some.map(|(index, token)| match token_word(*token as usize) {
            word if index == at => format!("[{word}]"),
            word => word.to_owned(),
        });
        each.collect::<Vec<_>>().join(" ")
    }

    /// A text where a feature is strongest in it.
    pub(in crate::papers::measurement) fn strongest_excerpt(
        &self,
        subject: &EncodedDictionary,
        feature: usize,
        text: usize,
    ) -> String {
        let span = (CONTEXT_TOKENS - 1) * self.width;
        let stream = self.all.get(text * span..(text + 1) * span).unwrap_or_default();
        let codes = subject.dictionary.encode(stream);
        let rows = codes.chunks_exact(subject.latent_count().max(1));
        let strengths = rows.filter_map(|row| row.get(feature)).map(|value| value.abs());
        let strongest = strengths
            .enumerate()
            .fold((0, f32::NEG_INFINITY), |best, (at, value)| if value > best.1 { (at, value) } else { best });
        self.excerpt(text, strongest.0)
    }

    /// M08's two lists of words of a feature: what it promotes, and on what it is active.
    pub(in crate::papers::measurement) fn lens_words(
        &self,
        subject: &EncodedDictionary,
        k: usize,
        feature: usize,
    ) -> Result<[Vec<String>; 2], MeasurementError> {
        let active = subject.activations();
        let lists = feature_words(&subject.decoder, &self.unembed, active, &self.tokens, k, feature)?;
        Ok(lists.map(|list| list.into_iter().map(|at| token_word(at).to_owned()).collect()))
    }

    /// EX34's two lists of words of a feature's direction: those where it is strong, and those that it promotes (+) or
    /// suppresses (−).
    pub(in crate::papers::measurement) fn direction_words(
        &self,
        subject: &EncodedDictionary,
        k: usize,
        feature: usize,
    ) -> Result<[Vec<String>; 2], MeasurementError> {
        let len = subject.decoder.rows();
        if feature >= len {
            return Err(MetricError::Index { what: "feature", index: feature, len }.into());
        }
        let (rows, direction) = (self.rows_matrix()?, subject.decoder.row(feature));
        let found = direction_words(direction, &rows, &self.tokens, &self.unembed, k)?;
        let signed = |(at, promoted): (usize, bool)| format!("{}{}", if promoted { '+' } else { '−' }, token_word(at));
        Ok([
            found.strong_on.into_iter().map(|at| token_word(at).to_owned()).collect(),
            found.promoted_or_suppressed.into_iter().map(signed).collect(),
        ])
    }
}

impl EncodedDictionary {
    /// Its decoder's rows.
    pub(in crate::papers::measurement) const fn decoder(&self) -> &Matrix {
        &self.decoder
    }

    /// How many features' |activations| exceed a threshold, at each position drawn.
    pub(in crate::papers::measurement) fn active_counts(&self, threshold: f64) -> Vec<usize> {
        let rows = self.codes.chunks_exact(self.latent_count().max(1));
        let active = |value: &&f32| f64::from(value.abs()) > threshold;
        rows.map(|row| row.iter().filter(active).count()).collect()
    }
}
