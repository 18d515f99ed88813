//! What is kept of a file of neurons while its answers go by.

use super::super::metric::{
    CODE_KEEPS, Neuron, NoSuchNeuron, Ranked, Reading, Scores, Threshold, Union, Uses, permille,
};

/// Numbers of scores of which the index is shown: those of the reference code's own list, and fewer.
const KS: [usize; 6] = [1, 5, 10, 50, 100, 200];
/// The same of all layers together.
const GLOBAL: [usize; 3] = [10, 100, 500];
/// Shares of a layer’s largest score.
const SHARES: [f64; 3] = [0.8, 0.9, 0.95];
/// The share of a layer's neurons that the paper takes.
const PAPER: f64 = 0.001;
/// Features of an autoencoder that the paper takes.
const FEATURES: usize = 50;
/// Neurons of a layer where a thousandth of them is none, as of the toy model.
const FEW: usize = 5;

/// How many scores of a layer count: what is asked, else the paper's number.
pub(super) fn number(asked: Option<usize>, features: bool, neurons: usize) -> usize {
    let usual = match permille(PAPER, neurons) {
        _ if features => FEATURES,
        0 => FEW,
        some => some,
    };
    asked.unwrap_or(usual).min(CODE_KEEPS)
}

/// What of an answer's scores is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tokens {
    /// Those of all tokens.
    Each,
    /// Each neuron's sum over the tokens (Eq. 15).
    Summed,
    /// Those of the last token.
    Last,
}

/// A threshold besides the first, with what it finds.
pub(super) struct Other {
    threshold: Threshold,
    tokens: Tokens,
    document: Union,
    code: Union,
}

impl Other {
    /// The index by the code's reading where this is the threshold, of all tokens.
    pub fn code_at(&self, threshold: Threshold) -> Option<f64> {
        let same = self.threshold == threshold && self.tokens == Tokens::Each;
        same.then(|| self.code.index())
    }

    /// In words, and the index in both readings.
    pub fn found(&self) -> (String, f64, f64) {
        let tokens = match self.tokens {
            Tokens::Each => "",
            Tokens::Summed => ", of sums over tokens (Eq. 15)",
            Tokens::Last => ", of the last token",
        };
        let words = format!("{}{tokens}", self.threshold);
        (words, self.document.index(), self.code.index())
    }
}

/// An answer on its way in.
pub(super) enum Answer<'a> {
    /// Scores; of tokens that stand apart, also the last one's.
    Scores(&'a Scores, Option<&'a Scores>),
    /// The neurons that it uses, each once.
    Set(&'a [Neuron]),
}

/// What is known of a file's answers.
pub(super) struct Tally {
    pub layers: usize,
    pub neurons: usize,
    pub threshold: Threshold,
    /// Uses by all answers, by right ones, by wrong ones.
    pub all: Uses,
    pub right: Option<Uses>,
    pub wrong: Option<Uses>,
    /// The code's reading, of all and of right answers.
    pub code: Union,
    pub code_right: Union,
    pub others: Vec<Other>,
    /// Answers that use nothing.
    pub nothing: usize,
}

impl Tally {
    /// Of no answer, with thresholds that are asked for besides. `apart` says that tokens can be told apart, and that
    /// all their scores are there.
    pub fn new(
        [layers, neurons]: [usize; 2],
        k: usize,
        scored: bool,
        apart: bool,
        besides: &[Threshold],
    ) -> Self {
        let first = Threshold::TopK(k);
        let mut wanted: Vec<(Threshold, Tokens)> = Vec::new();
        if scored {
            let mut ks: Vec<usize> = KS.into_iter().filter(|other| *other <= neurons).collect();
            ks.extend([k, permille(PAPER, neurons)].into_iter().filter(|k| *k > 0));
            ks.sort_unstable();
            ks.dedup();
            wanted.extend(ks.into_iter().map(|k| (Threshold::TopK(k), Tokens::Each)));
            let all = layers.saturating_mul(neurons);
            let global = GLOBAL.into_iter().filter(|k| *k <= all).map(Threshold::GlobalTopK);
            let shares = SHARES.into_iter().map(Threshold::TopScore);
            wanted.extend(global.chain(shares).map(|threshold| (threshold, Tokens::Each)));
            for besides in besides {
                if !wanted.contains(&(*besides, Tokens::Each)) {
                    wanted.push((*besides, Tokens::Each));
                }
            }
            if apart {
                wanted.extend([(first, Tokens::Summed), (first, Tokens::Last)]);
            }
        }
        let union = || Union::new(layers, neurons);
        let others = wanted.into_iter().map(|(threshold, tokens)| Other {
            threshold,
            tokens,
            document: union(),
            code: union(),
        });
        Self {
            layers,
            neurons,
            threshold: first,
            all: Uses::new(layers, neurons),
            right: None,
            wrong: None,
            code: union(),
            code_right: union(),
            others: others.collect(),
            nothing: 0,
        }
    }

    /// Takes an answer, and whether it is right where that is known.
    pub fn add(&mut self, answer: &Answer<'_>, right: Option<bool>) -> Result<(), NoSuchNeuron> {
        let (document, code) = match answer {
            Answer::Set(set) => (set.to_vec(), set.to_vec()),
            Answer::Scores(scores, last) => {
                let ranked = scores.ranked();
                let summed = self.others.iter().any(|other| other.tokens == Tokens::Summed);
                let summed = summed.then(|| scores.summed());
                let (summed, last) =
                    (summed.as_ref().map(Scores::ranked), last.map(Scores::ranked));
                for other in &mut self.others {
                    let of: Option<&Ranked<'_>> = match other.tokens {
                        Tokens::Each => Some(&ranked),
                        Tokens::Summed => summed.as_ref(),
                        Tokens::Last => last.as_ref(),
                    };
                    let Some(of) = of else { continue };
                    other.document.add(&of.promoting(other.threshold))?;
                    other.code.add(&of.selected(other.threshold, Reading::Code))?;
                }
                (ranked.promoting(self.threshold), ranked.selected(self.threshold, Reading::Code))
            }
        };
        self.all.add(&document)?;
        self.code.add(&code)?;
        self.nothing += usize::from(document.is_empty());
        let (layers, neurons) = (self.layers, self.neurons);
        if let Some(right) = right {
            let part = if right { &mut self.right } else { &mut self.wrong };
            part.get_or_insert_with(|| Uses::new(layers, neurons)).add(&document)?;
            if right {
                self.code_right.add(&code)?;
            }
        }
        Ok(())
    }

    /// Whether a threshold asks for more scores of a layer than so many.
    pub fn wants(&self, listed: usize) -> bool {
        let asks = |threshold| matches!(threshold, Threshold::TopK(k) if k > listed);
        asks(self.threshold) || self.others.iter().any(|other| asks(other.threshold))
    }

    /// How many answers are right, and how many are told to be right or wrong.
    pub fn told(&self) -> (usize, usize) {
        let [right, wrong] =
            [&self.right, &self.wrong].map(|part| part.as_ref().map_or(0, Uses::answers));
        (right, right + wrong)
    }
}
