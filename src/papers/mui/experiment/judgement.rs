use serde::Serialize;

use crate::papers::mui::claims::Verdict;

/// What the numbers of an experiment say of a claim of the paper, on the toy model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiJudgement"))]
pub struct ClaimJudgement {
    /// The figure whose numbers it follows from: "mui-diversity".
    pub figure: String,
    /// What is claimed, and where.
    pub claim: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// The same in words: "Holds here".
    pub words: String,
    /// The numbers that it follows from, in a sentence without its full stop.
    pub found: String,
}

impl ClaimJudgement {
    pub(super) fn new(figure: &str, claim: &str, verdict: Verdict, found: String) -> Self {
        let words = match verdict {
            Verdict::Holds => "Holds here",
            Verdict::Partly => "Holds here in part",
            Verdict::Fails => "Does not hold here",
            Verdict::Open => "Inconclusive at this size",
        };
        Self { figure: figure.to_owned(), claim: claim.to_owned(), verdict, words: words.to_owned(), found }
    }

    /// "Holds here: after 128 answers …"
    #[must_use]
    pub fn sentence(&self) -> String {
        format!("{}: {}.", self.words, self.found)
    }
}

/// Verdict on what holds in some of several cases.
pub(super) fn verdict_of_counts(holds: usize, of: usize) -> Verdict {
    match holds {
        _ if of == 0 => Verdict::Open,
        0 => Verdict::Fails,
        holds if holds == of => Verdict::Holds,
        _ => Verdict::Partly,
    }
}

/// The probability that a fair coin falls at least this unevenly, on either side.
pub(super) fn sign_test_p(heads: usize, throws: usize) -> f64 {
    let fewer = heads.min(throws - heads.min(throws));
    let (mut ways, mut sum) = (1.0, 0.0);
    for k in 0..=fewer {
        sum += ways;
        ways *= (throws - k) as f64 / (k + 1) as f64;
    }
    (2.0 * libm::scalbn(sum, -(throws as i32))).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coin_is_as_uneven_as_the_binomial_says() {
        // 2·(1 + 16 + 120 + 560)/2^16.
        assert!((sign_test_p(13, 16) - 1_394.0 / 65_536.0).abs() < 1e-15);
        assert!((sign_test_p(3, 16) - sign_test_p(13, 16)).abs() < 1e-15);
        assert!((sign_test_p(8, 16) - 1.0).abs() < 1e-15 && (sign_test_p(0, 0) - 1.0).abs() < 1e-15);
    }
}
