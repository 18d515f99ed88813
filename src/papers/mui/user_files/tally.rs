//! What is kept of a file of neurons while its answers go by.

use super::super::metric::{
    AnswerScores, CODE_ENTRIES_MAX, Neuron, NeuronUnion, NoSuchNeuron, Reading, SortedScores, Threshold, UseCounts,
    neurons_in_share,
};

/// Numbers of scores of which the index is shown: those of the reference code's own list, and fewer.
const K_VALUES: [usize; 6] = [1, 5, 10, 50, 100, 200];
/// The same of all layers together.
const GLOBAL_K_VALUES: [usize; 3] = [10, 100, 500];
/// Shares of a layer’s largest score.
const TOP_SCORE_SHARES: [f64; 3] = [0.8, 0.9, 0.95];
/// The share of a layer's neurons that the paper takes.
const PAPER_NEURON_SHARE: f64 = 0.001;
/// Features of an autoencoder that the paper takes.
const PAPER_FEATURE_K: usize = 50;
/// Neurons of a layer where a thousandth of them is none, as of the toy model.
const SMALL_MODEL_K: usize = 5;

/// How many scores of a layer count: what is asked, else the paper's number.
pub(super) fn default_k(asked: Option<usize>, features: bool, neurons: usize) -> usize {
    let usual = match neurons_in_share(PAPER_NEURON_SHARE, neurons) {
        _ if features => PAPER_FEATURE_K,
        0 => SMALL_MODEL_K,
        some => some,
    };
    asked.unwrap_or(usual).min(CODE_ENTRIES_MAX)
}

/// What of an answer's scores is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenSelection {
    /// Those of all tokens.
    All,
    /// Each neuron's sum over the tokens (Eq. 15).
    Summed,
    /// Those of the last token.
    Last,
}

/// A threshold besides the first, with what it finds.
pub(super) struct ThresholdUnions {
    threshold: Threshold,
    tokens: TokenSelection,
    document: NeuronUnion,
    code: NeuronUnion,
}

impl ThresholdUnions {
    /// The index by the code's reading where this is the threshold, of all tokens.
    pub fn code_mui_at(&self, threshold: Threshold) -> Option<f64> {
        let same = self.threshold == threshold && self.tokens == TokenSelection::All;
        same.then(|| self.code.mui())
    }

    /// In words, and the index in both readings.
    pub fn to_result(&self) -> (String, f64, f64) {
        let tokens = match self.tokens {
            TokenSelection::All => "",
            TokenSelection::Summed => ", of sums over tokens (Eq. 15)",
            TokenSelection::Last => ", of the last token",
        };
        let words = format!("{}{tokens}", self.threshold);
        (words, self.document.mui(), self.code.mui())
    }
}

/// An answer on its way in.
pub(super) enum AnswerNeurons<'a> {
    /// Scores; of tokens that stand apart, also the last one's.
    Scores(&'a AnswerScores, Option<&'a AnswerScores>),
    /// The neurons that it uses, each once.
    Set(&'a [Neuron]),
}

/// What is known of a file's answers.
pub(super) struct AnswerTally {
    pub layers: usize,
    pub neurons: usize,
    pub threshold: Threshold,
    /// Uses by all answers, by right ones, by wrong ones.
    pub all_uses: UseCounts,
    pub right_uses: Option<UseCounts>,
    pub wrong_uses: Option<UseCounts>,
    /// The code's reading, of all and of right answers.
    pub code_union: NeuronUnion,
    pub code_right_union: NeuronUnion,
    pub other_thresholds: Vec<ThresholdUnions>,
    /// Answers that use nothing.
    pub empty_answers: usize,
}

impl AnswerTally {
    /// Of no answer, with thresholds that are asked for besides. `apart` says that tokens can be told apart, and that
    /// all their scores are there.
    pub fn new([layers, neurons]: [usize; 2], k: usize, scored: bool, apart: bool, besides: &[Threshold]) -> Self {
        let first = Threshold::TopK(k);
        let mut wanted: Vec<(Threshold, TokenSelection)> = Vec::new();
        if scored {
            let mut ks: Vec<usize> = K_VALUES.into_iter().filter(|other| *other <= neurons).collect();
            ks.extend([k, neurons_in_share(PAPER_NEURON_SHARE, neurons)].into_iter().filter(|k| *k > 0));
            ks.sort_unstable();
            ks.dedup();
            wanted.extend(ks.into_iter().map(|k| (Threshold::TopK(k), TokenSelection::All)));
            let all = layers.saturating_mul(neurons);
            let global = GLOBAL_K_VALUES.into_iter().filter(|k| *k <= all).map(Threshold::GlobalTopK);
            let shares = TOP_SCORE_SHARES.into_iter().map(Threshold::TopScore);
            wanted.extend(global.chain(shares).map(|threshold| (threshold, TokenSelection::All)));
            for besides in besides {
                if !wanted.contains(&(*besides, TokenSelection::All)) {
                    wanted.push((*besides, TokenSelection::All));
                }
            }
            if apart {
                wanted.extend([(first, TokenSelection::Summed), (first, TokenSelection::Last)]);
            }
        }
        let union = || NeuronUnion::new(layers, neurons);
        let others = wanted.into_iter().map(|(threshold, tokens)| ThresholdUnions {
            threshold,
            tokens,
            document: union(),
            code: union(),
        });
        Self {
            layers,
            neurons,
            threshold: first,
            all_uses: UseCounts::new(layers, neurons),
            right_uses: None,
            wrong_uses: None,
            code_union: union(),
            code_right_union: union(),
            other_thresholds: others.collect(),
            empty_answers: 0,
        }
    }

    /// Takes an answer, and whether it is right where that is known.
    pub fn add_answer(&mut self, answer: &AnswerNeurons<'_>, right: Option<bool>) -> Result<(), NoSuchNeuron> {
        let (document, code) = match answer {
            AnswerNeurons::Set(set) => (set.to_vec(), set.to_vec()),
            AnswerNeurons::Scores(scores, last) => {
                let ranked = scores.to_sorted();
                let summed = self.other_thresholds.iter().any(|other| other.tokens == TokenSelection::Summed);
                let summed = summed.then(|| scores.sum_over_tokens());
                let (summed, last) = (summed.as_ref().map(AnswerScores::to_sorted), last.map(AnswerScores::to_sorted));
                for other in &mut self.other_thresholds {
                    let of: Option<&SortedScores<'_>> = match other.tokens {
                        TokenSelection::All => Some(&ranked),
                        TokenSelection::Summed => summed.as_ref(),
                        TokenSelection::Last => last.as_ref(),
                    };
                    let Some(of) = of else { continue };
                    other.document.add_answer(&of.select_positive(other.threshold))?;
                    other.code.add_answer(&of.select(other.threshold, Reading::Code))?;
                }
                (ranked.select_positive(self.threshold), ranked.select(self.threshold, Reading::Code))
            }
        };
        self.all_uses.add_answer(&document)?;
        self.code_union.add_answer(&code)?;
        self.empty_answers += usize::from(document.is_empty());
        let (layers, neurons) = (self.layers, self.neurons);
        if let Some(right) = right {
            let part = if right { &mut self.right_uses } else { &mut self.wrong_uses };
            part.get_or_insert_with(|| UseCounts::new(layers, neurons)).add_answer(&document)?;
            if right {
                self.code_right_union.add_answer(&code)?;
            }
        }
        Ok(())
    }

    /// Whether a threshold asks for more scores of a layer than so many.
    pub fn needs_more_scores_than(&self, listed: usize) -> bool {
        let asks = |threshold| matches!(threshold, Threshold::TopK(k) if k > listed);
        asks(self.threshold) || self.other_thresholds.iter().any(|other| asks(other.threshold))
    }

    /// How many answers are right, and how many are told to be right or wrong.
    pub fn count_right_and_known(&self) -> (usize, usize) {
        let [right, wrong] =
            [&self.right_uses, &self.wrong_uses].map(|part| part.as_ref().map_or(0, UseCounts::answer_count));
        (right, right + wrong)
    }
}
