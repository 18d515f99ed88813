//! Claims about other methods of finding neurons, and about the autoencoders that features are of.

use super::{Claim, Verdict, claim_from_counts, new_claim};
use crate::papers::mui::printed::{
    DATA_SETS, RECONSTRUCTION_LOSSES, Row, TABLE_5, TABLE_6, TABLE_11, TABLE_12, TABLE_13, TABLE_14,
};
use crate::papers::mui::tables::find_row;
use crate::plot::min_max;
use crate::statistics::spearman;

/// The tables of the neurons of the same models by other methods and thresholds than Table 5's.
const OTHER_METHOD_TABLES: [(&str, &[Row]); 4] =
    [("Table 11", &TABLE_11), ("Table 12", &TABLE_12), ("Table 13", &TABLE_13), ("Table 14", &TABLE_14)];

/// How the indices of three models are ordered on a data set: of each pair, which is larger.
fn mui_order(table: &[Row], data_set: usize) -> Option<[std::cmp::Ordering; 3]> {
    let of = |model: &str| Some(find_row(table, model)?.entry(data_set)?.1);
    let (a, b, c) = (of("Vicuna-7B")?, of("Llama-2-7B-Chat")?, of("Llama-3.1-8B-Instruct")?);
    Some([a.total_cmp(&b), b.total_cmp(&c), a.total_cmp(&c)])
}

/// Figure 27.
pub(super) fn rank_order_claim() -> Claim {
    let (mut same, mut all) = (0, 0);
    let mut by_table: Vec<String> = Vec::new();
    for (name, table) in OTHER_METHOD_TABLES {
        let pairs: Vec<_> =
            (0..DATA_SETS.len()).filter_map(|at| mui_order(&TABLE_5, at).zip(mui_order(table, at))).collect();
        let right = pairs.iter().filter(|(ours, theirs)| ours == theirs).count();
        by_table.push(format!("{right} of {} in {name}", pairs.len()));
        same += right;
        all += pairs.len();
    }
    claim_from_counts(
        [
            "rank order",
            "Figure 27",
            "The indices of Vicuna, Llama-2 and Llama-3 have the same rank order whichever neurons are taken.",
        ],
        (same, all),
        format!(
            "Of the orders of Vicuna-7B, Llama-2-7B and Llama-3.1-8B on a data set, as printed, {same} of {all} are those of Table 5: {}. The figure’s own Llama-3-8B is in none of these tables.",
            by_table.join(", ")
        ),
    )
}

/// Where the methods differ by the paper's own words.
pub(super) fn activation_order_claim() -> Claim {
    let larger = |table: &[Row]| {
        let of = |model: &str| find_row(table, model);
        let pair = of("Qwen2.5-7B-Instruct").zip(of("Llama-3.1-8B-Instruct"));
        pair.map_or(0, |(qwen, llama)| qwen.entries().zip(llama.entries()).filter(|(a, b)| a.1 > b.1).count())
    };
    let (activation, contribution, gradients) = (larger(&TABLE_13), larger(&TABLE_11), larger(&TABLE_14));
    let all = DATA_SETS.len();
    claim_from_counts(
        ["rank order, Qwen2.5", "Appendix B.6.3", "By activation the index of Qwen2.5 is above that of Llama-3.1."],
        (activation, all),
        format!(
            "By activation (Table 13) it is on {activation} of {all} data sets, by integrated gradients (Table 14) on {gradients}, by contribution (Table 11) on {contribution}: which model uses less depends on the method."
        ),
    )
}

/// Table 7.
pub(super) fn reconstruction_claim() -> Claim {
    let [(_, gemma), (_, llama)] = RECONSTRUCTION_LOSSES;
    let (least, most) = min_max(gemma.iter().zip(&llama).map(|(a, b)| a / b));
    let rank = |a: &[f64], b: &[f64]| spearman(a, b).map_or(f64::NAN, |found| found.coefficient);
    let with_index = RECONSTRUCTION_LOSSES.map(|(model, losses)| {
        let indices: Option<Vec<f64>> =
            find_row(&TABLE_6, model).map(|row| row.entries().map(|(_, index)| index).collect());
        indices.map_or(f64::NAN, |indices| rank(&losses, &indices))
    });
    new_claim(
        [
            "reconstruction",
            "Table 7",
            "Features of Llama-3.1 and Gemma-2 are compared as fairly as may be, by autoencoders of one width and of nearly one L0.",
        ],
        Verdict::Open,
        format!(
            "Gemma’s reconstruction loss is {least:.0} to {most:.0} times Llama’s on every data set. Whether Gemma’s autoencoders are so much worse, or its activations so much larger, the table does not say: no loss is divided by a variance. Over data sets the losses of the two go together (Spearman {:.2}), and with each one’s index of Table 6 ({:.2} for Gemma, {:.2} for Llama): where less is reconstructed, more features are counted.",
            rank(&gemma, &llama),
            with_index[0],
            with_index[1],
        ),
        None,
    )
}
