//! Claims about models of which only tables are printed: larger ones, and two that are ranked otherwise.

use super::{
    BASE_MODELS, Claim, Verdict, claim_from_counts, count_steps_going, describe_step_directions, new_claim,
    steps_between, verdict_of_counts,
};
use crate::papers::mui::metric::Direction;
use crate::papers::mui::printed::{DATA_SETS, TABLE_1, TABLE_5, TABLE_8};
use crate::papers::mui::tables::find_row;
use crate::plot::format::{fixed, join_with_and};
use crate::plot::min_max;
use crate::statistics::{LogFit, mean};

/// The larger models of Table 5 but for the one that is made for code.
pub const LARGER_MODELS: [&str; 6] = [
    "Vicuna-13B",
    "Llama-2-13B-Chat",
    "Qwen1.5-14B-Chat",
    "Qwen2.5-14B-Instruct",
    "Vicuna-33B",
    "Qwen2.5-32B-Instruct",
];

/// Correlation and p-value of the index with the logarithm of the accuracy over some models of Table 5, of each data
/// set; none where there are too few of them.
fn law_correlations<'a>(models: impl Iterator<Item = &'a str> + Clone) -> Vec<(f64, f64)> {
    let of = |data_set: usize| {
        let (accuracies, indices): (Vec<f64>, Vec<f64>) =
            models.clone().filter_map(|model| find_row(&TABLE_5, model)?.entry(data_set)).unzip();
        let line = *LogFit::fit(&accuracies, &indices).ok()?.line();
        Some((line.correlation()?, line.p()?))
    };
    (0..DATA_SETS.len()).filter_map(of).collect()
}

/// In how many of them the index falls, more clearly than by chance.
fn count_significant_falls(fits: &[(f64, f64)]) -> usize {
    fits.iter().filter(|(r, p)| *r < 0.0 && *p < 0.05).count()
}

pub(super) fn larger_models_claim() -> Claim {
    let base = law_correlations(BASE_MODELS.into_iter());
    let all = law_correlations(BASE_MODELS.into_iter().chain(LARGER_MODELS));
    let alone = law_correlations(LARGER_MODELS.into_iter());
    let (least, most) = min_max(alone.iter().map(|(r, _)| *r));
    new_claim(
        [
            "larger models",
            "Section 3.1",
            "The results of larger models in Table 5 are basically consistent with the claims.",
        ],
        if count_significant_falls(&all) >= count_significant_falls(&base) { Verdict::Holds } else { Verdict::Fails },
        format!(
            "Over the general-purpose models the index falls with the logarithm of the accuracy (p < 0.05) on {} of {} data sets; with the six larger models of Table 5 added, on {}. Over these six alone r is {} to {}.",
            count_significant_falls(&base),
            base.len(),
            count_significant_falls(&all),
            fixed(least, 2),
            fixed(most, 2),
        ),
        Some((count_significant_falls(&all), all.len())),
    )
}

/// The second line of Figure 14.
pub(super) fn second_series_claim() -> Claim {
    let rows = ["Qwen1.5-7B-Chat", "Qwen2.5-7B-Instruct"].map(|model| find_row(&TABLE_5, model));
    let all = match rows {
        [Some(from), Some(to)] => steps_between("Table 5", from, to),
        _ => Vec::new(),
    };
    let drawn: Vec<_> = all.iter().filter(|step| ["MATH", "MMLU"].contains(&step.data_set.as_str())).collect();
    let right = drawn.iter().filter(|step| step.direction == Direction::Evolving).count();
    let anywhere = count_steps_going(&all, Direction::Evolving);
    new_claim(
        [
            "series, Qwen",
            "Figure 14",
            "From Qwen1.5 to Qwen2.5 the index falls and the performance rises, on MATH and MMLU.",
        ],
        verdict_of_counts(right, drawn.len()),
        format!(
            "Both steps that are drawn are there: {}. Over all data sets of Table 5 {anywhere} of {} steps are evolving.",
            describe_step_directions(drawn),
            all.len()
        ),
        Some((right, 2)),
    )
}

/// A single step of the pre-training, on every data set.
pub(super) fn intermediate_step_claim() -> Claim {
    let named = |tokens: &str| TABLE_8.iter().find(|row| row.model.ends_with(tokens));
    let pair = named("-1.5T").zip(named("-2T"));
    let all = pair.map_or_else(Vec::new, |(from, to)| steps_between("Table 8", from, to));
    let of = |direction: Direction| all.iter().filter(move |step| step.direction == direction);
    let names = |direction: Direction| {
        let names: Vec<String> = of(direction).map(|step| step.data_set.clone()).collect();
        if names.is_empty() { "none".to_owned() } else { join_with_and(&names) }
    };
    let both = [Direction::Coarsening, Direction::Evolving]
        .into_iter()
        .filter(|direction| of(*direction).next().is_some())
        .count();
    claim_from_counts(
        [
            "pre-training, step by step",
            "Figure 7",
            "From 1.5T to 2T tokens coarsening and evolving go with the accumulating, on different data sets.",
        ],
        (both, 2),
        format!(
            "By Table 8 the step is coarsening on {}, evolving on {}, accumulating on {}. Each is one difference of two checkpoints, without a spread: on HumanEval of 164 problems one answer is 0.6 points of accuracy, and the index changes by 0.1.",
            names(Direction::Coarsening),
            names(Direction::Evolving),
            names(Direction::Accumulating),
        ),
    )
}

/// What PUR is said to mend in the order of two models.
pub(super) fn gemma_and_llama_claim() -> Claim {
    let pair = find_row(&TABLE_1, "Gemma-2-9B-Instruct").zip(find_row(&TABLE_1, "Llama-3.1-8B-Instruct"));
    let [mut opposite, mut mended] = [Vec::new(), Vec::new()];
    let mut averages = [[0.0; 2]; 2];
    if let Some((gemma, llama)) = pair {
        for (data_set, (of_gemma, of_llama)) in gemma.entries().zip(llama.entries()).enumerate() {
            if of_llama.0 > of_gemma.0 {
                opposite.push(DATA_SETS[data_set].to_owned());
                if of_gemma.1 > of_llama.1 {
                    mended.push(DATA_SETS[data_set].to_owned());
                }
            }
        }
        averages = [gemma, llama].map(|row| {
            let of = |part: fn((f64, f64)) -> f64| row.entries().map(part).collect::<Vec<_>>();
            [of(|pair| pair.0), of(|pair| pair.1)].map(|all| mean(&all).unwrap_or(f64::NAN))
        });
    }
    let [[gemma, gemma_pur], [llama, llama_pur]] = averages;
    claim_from_counts(
        [
            "Gemma-2 and Llama-3.1",
            "Section 3.5",
            "By performance alone Gemma-2 ranks below Llama-3.1, and PUR corrects this.",
        ],
        (mended.len(), opposite.len()),
        format!(
            "Accuracy puts Llama-3.1 first on {} of six data sets ({}), and on average ({llama:.1} against {gemma:.1}). PUR turns it round on {} of these ({}), and on average ({gemma_pur:.1} against {llama_pur:.1}). That Gemma-2 is the stronger one is what the reference says, which was ordered by hand.",
            opposite.len(),
            join_with_and(&opposite),
            mended.len(),
            join_with_and(&mended),
        ),
    )
}
