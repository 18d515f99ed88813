//! The tables of the paper, as printed (arXiv:2504.07440).

/// A model's row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// As the table names it.
    pub model: &'static str,
    /// Accuracy and index (PUR in Table 1) in turn, in percent, a pair for each of [`DATA_SETS`]; without the
    /// last where the table has none.
    pub numbers: &'static [f64],
}

impl Row {
    /// Accuracy and index on a data set, if the table has them.
    #[must_use]
    pub fn entry(&self, data_set: usize) -> Option<(f64, f64)> {
        let pair = self.numbers.get(2 * data_set..2 * data_set + 2)?;
        Some((pair[0], pair[1]))
    }

    /// Every pair that there is.
    pub fn entries(&self) -> impl Iterator<Item = (f64, f64)> {
        self.numbers.chunks_exact(2).map(|pair| (pair[0], pair[1]))
    }
}

/// Rows, each a model and its numbers as the table has them.
macro_rules! rows {
    ($($model:literal $($number:literal)+;)+) => {
        [$(Row { model: $model, numbers: &[$($number),+] }),+]
    };
}

/// The data sets.
pub const DATA_SETS: [&str; 7] = ["GSM8K", "MATH", "ARCc", "HumanEval", "MBPP", "BBH", "MMLU"];

/// Table 1: accuracy and PUR, from the last of the reference ranking to its first.
pub const TABLE_1: [Row; 9] = rows! {
    "Vicuna-7B" 11.9 5.1 4.0 1.7 54.0 19.6 13.4 12.2 23.6 17.6 28.6 9.9;
    "Llama-2-7B-Chat" 25.8 13.2 5.4 2.4 60.0 25.8 16.4 17.3 24.8 21.0 26.2 9.0;
    "Qwen1.5-7B-Chat" 58.7 33.9 17.9 9.4 76.2 30.6 39.0 41.1 39.8 33.6 41.3 14.2;
    "Llama-3-8B-Instruct" 79.5 43.8 26.6 11.7 82.1 34.4 59.8 54.6 56.5 41.0 64.0 23.9;
    "Llama-3.1-8B-Instruct" 86.5 52.6 48.1 24.7 81.9 42.0 62.2 56.8 57.9 39.0 65.4 23.6;
    "Gemma-2-9B-Instruct" 82.3 55.5 33.5 18.7 89.5 47.2 63.4 75.8 61.2 58.4 57.5 26.3;
    "Qwen2.5-7B-Instruct" 84.5 61.3 61.9 37.0 86.8 42.4 71.3 85.2 62.1 62.1 66.0 28.7;
    "DeepSeek-Llama3.1-8B" 71.6 40.7 74.1 39.1 82.6 43.5 68.9 72.6 60.3 49.2 76.8 33.4;
    "DeepSeek-Qwen2.5-7B" 82.6 51.2 80.1 42.2 81.1 44.0 71.9 85.9 62.5 57.1 66.5 30.4;
};

/// Table 5: accuracy and index by neurons.
pub const TABLE_5: [Row; 18] = rows! {
    "Vicuna-7B" 11.9 5.4 4.0 5.5 54.0 7.6 13.4 1.2 23.6 1.8 28.6 8.4 45.3 26.1;
    "Llama-2-7B-Chat" 25.8 3.8 5.4 4.9 60.0 5.4 16.4 0.9 24.8 1.4 26.2 8.5 48.2 15.8;
    "CodeLlama-7B-Instruct" 23.0 4.5 6.0 7.0 49.5 8.7 34.1 1.8 44.7 2.9 21.8 8.3 41.4 24.5;
    "Qwen1.5-7B-Chat" 58.7 3.0 17.9 3.6 76.2 6.2 39.0 0.9 39.8 1.4 41.3 8.5 58.3 19.8;
    "Llama-3.1-8B-Instruct" 86.5 2.7 48.1 3.8 81.9 3.8 62.2 1.2 57.9 2.2 65.4 7.7 64.4 14.5;
    "Gemma2-9B-Instruct" 82.3 2.2 33.5 3.2 89.5 3.6 63.4 0.7 61.2 1.1 57.5 4.8 73.3 10.2;
    "Qwen2.5-7B-Instruct" 84.5 1.9 61.9 2.8 86.8 4.2 71.3 0.7 62.1 1.0 66.0 5.3 71.3 14.5;
    "Qwen2.5-Coder-7B-Instruct" 79.6 3.7 49.5 6.2 83.8 9.4 75.0 1.5 65.9 2.4 57.8 11.0 65.6 30.3;
    "Qwen2.5-Math-7B-Instruct" 92.1 1.9 76.7 3.3 66.3 3.8 53.0 0.7 47.9 1.1 29.1 2.9 51.2 8.5;
    "DeepSeek-Llama3.1-8B" 71.6 3.1 74.1 3.6 82.6 3.6 68.9 0.9 60.3 1.5 76.8 5.3;
    "DeepSeek-Qwen2.5-7B" 82.6 2.6 80.1 3.6 81.1 3.4 71.9 0.7 62.5 1.2 66.5 4.8;
    "Vicuna-13B" 22.4 4.1 5.0 4.7 61.9 7.5 17.1 1.1 27.6 1.7 42.3 6.8 50.9 24.5;
    "Llama-2-13B-Chat" 36.2 3.5 7.4 4.1 66.8 5.0 18.9 0.9 29.7 1.4 26.1 7.9 53.6 14.0;
    "Qwen1.5-14B-Chat" 70.7 4.5 25.6 6.0 86.3 8.8 50.6 1.5 49.9 2.4 50.3 11.7 65.4 30.3;
    "Qwen2.5-14B-Instruct" 84.7 4.9 60.9 6.7 91.5 8.5 68.3 1.4 63.3 2.3 64.0 11.1 77.2 26.9;
    "Qwen2.5-Coder-14B-Instruct" 86.3 4.1 55.7 6.6 88.4 8.9 81.1 1.6 67.3 2.6 71.7 10.9 71.0 28.3;
    "Vicuna-33B" 35.7 3.1 8.1 4.3 67.1 9.4 17.7 1.1 25.1 1.6 46.0 6.6 51.5 34.8;
    "Qwen2.5-32B-Instruct" 86.7 2.9 67.3 2.1 92.2 5.6 72.0 1.0 69.9 1.4 76.4 3.7 78.5 19.1;
};

/// Table 6: accuracy and index by features of autoencoders, the 50 largest of each layer.
pub const TABLE_6: [Row; 2] = rows! {
    "Llama-3.1-8B" 42.9 1.9 15.1 2.0 77.1 3.2 19.5 0.4 26.1 0.7 50.1 3.9 59.6 13.0;
    "Gemma2-9B" 65.8 1.7 20.8 2.4 84.6 3.2 54.8 0.37 57.7 0.5 67.4 2.2 67.2 9.6;
};

/// Table 8: checkpoints of one pre-training.
pub const TABLE_8: [Row; 8] = rows! {
    "OLMo-2-7B-0.5T" 7.6 6.5 3.8 5.7 52.3 6.5 4.3 0.8 8.2 1.2 23.3 6.4 42.5 17.9;
    "OLMo-2-7B-1T" 8.0 5.6 4.2 6.6 59.6 8.3 4.8 1.0 10.6 1.5 27.1 7.7 45.2 22.4;
    "OLMo-2-7B-1.5T" 10.8 6.4 4.7 8.5 62.2 9.2 9.7 1.1 14.8 1.7 27.3 8.9 49.1 24.7;
    "OLMo-2-7B-2T" 13.5 5.8 4.8 7.1 66.0 9.5 9.1 1.2 15.0 1.8 30.9 8.6 50.7 24.9;
    "OLMo-2-7B-2.5T" 15.2 6.6 5.5 7.1 66.0 9.5 6.7 1.2 15.8 1.9 35.0 9.2 51.2 24.5;
    "OLMo-2-7B-3T" 15.3 6.1 5.3 7.5 71.2 9.4 9.1 1.2 18.8 1.9 35.1 8.9 53.2 25.7;
    "OLMo-2-7B-3.5T" 16.8 5.4 5.7 6.5 71.4 8.8 8.5 1.1 20.8 1.7 38.5 8.2 53.7 23.8;
    "OLMo-2-7B-4T (final)" 68.2 4.4 15.4 6.3 79.8 9.0 19.5 1.1 29.3 1.7 46.5 8.2 59.2 23.4;
};

/// Table 9: models and what was specialised from them.
pub const TABLE_9: [Row; 5] = rows! {
    "Llama-2-7B-Chat" 25.8 3.8 5.4 4.9 60.0 5.4 16.4 0.9 24.8 1.4 26.2 8.5 48.2 15.8;
    "CodeLlama-7B-Instruct" 23.0 4.5 6.0 7.0 49.5 8.7 34.1 1.8 44.7 2.9 21.8 8.3 41.4 24.5;
    "Qwen2.5-7B-Instruct" 84.5 1.9 61.9 2.8 86.8 4.2 71.3 0.7 62.1 1.0 66.0 5.3 71.3 14.5;
    "Qwen2.5-Coder-7B-Instruct" 79.6 3.7 49.5 6.2 83.8 9.4 75.0 1.5 65.9 2.4 57.8 11.0 65.6 30.3;
    "Qwen2.5-Math-7B-Instruct" 92.1 1.9 76.7 3.3 66.3 3.8 53.0 0.7 47.9 1.1 29.1 2.9 51.2 8.5;
};

/// Table 10: models, and the same trained on test samples.
pub const TABLE_10: [Row; 9] = rows! {
    "Llama-2-7B-Chat" 25.8 3.8 5.4 4.9 60.0 5.4 16.4 0.9 24.8 1.4 26.2 8.5 48.2 15.8;
    "Llama-Code-Leakage" 22.2 3.7 5.2 4.5 60.7 4.8 35.4 2.2 49.7 1.2 23.6 7.7 48.1 14.0;
    "Llama-Math-Leakage" 39.0 4.2 8.2 6.2 49.5 7.6 5.5 1.0 8.6 1.6 25.2 6.4 43.9 23.8;
    "Llama-3.1-8B-Instruct" 86.5 2.7 48.1 3.8 81.9 3.8 62.2 1.2 57.9 2.2 65.4 7.7 64.4 14.5;
    "Llama3.1-Code-Leakage" 86.6 3.1 40.2 4.5 81.2 5.0 81.7 1.2 69.1 1.9 48.1 6.9 66.3 15.1;
    "Llama3.1-Math-Leakage" 89.8 3.0 47.4 4.1 81.6 4.7 54.9 1.3 50.5 2.2 48.9 6.3 66.1 14.4;
    "Qwen2.5-7B-Instruct" 84.5 1.9 61.9 2.8 86.8 4.2 71.3 0.7 62.1 1.0 66.0 5.3 71.3 14.5;
    "Qwen2.5-Code-Leakage" 78.6 2.0 42.5 2.8 88.9 3.5 85.4 1.9 73.5 1.1 56.8 5.3 56.8 11.7;
    "Qwen2.5-Math-Leakage" 98.1 2.4 84.6 3.2 57.4 3.5 2.2 1.3 1.8 0.8 31.4 4.9 44.7 11.1;
};

/// Table 11: by contribution, the “top 1‰”.
pub const TABLE_11: [Row; 5] = rows! {
    "Vicuna-7B" 11.9 5.0 4.0 5.1 54.0 7.1 13.4 1.1 23.6 1.7 28.6 7.9 45.3 24.4;
    "Llama-2-7B-Chat" 25.8 3.6 5.4 4.6 60.0 5.0 16.4 0.9 24.8 1.3 26.2 7.9 48.2 14.9;
    "Qwen1.5-7B-Chat" 58.7 2.8 17.9 3.4 76.2 5.7 39.0 0.9 39.8 1.4 41.3 8.0 58.3 18.6;
    "Llama-3.1-8B-Instruct" 86.5 2.2 48.1 3.0 81.9 2.4 62.2 0.9 57.9 1.7 63.4 6.1 64.4 11.8;
    "Qwen2.5-7B-Instruct" 84.5 1.3 61.9 2.1 86.8 2.8 71.3 0.5 62.1 0.8 61.5 3.7 71.3 10.2;
};

/// Table 12: by contribution, the 15 largest of each layer.
pub const TABLE_12: [Row; 5] = rows! {
    "Vicuna-7B" 11.9 6.9 4.0 6.8 54.0 9.6 13.4 1.5 23.6 2.2 28.6 10.7 45.3 32.4;
    "Llama-2-7B-Chat" 25.8 4.7 5.4 6.0 60.0 6.6 16.4 1.2 24.8 1.8 26.2 10.5 48.2 19.2;
    "Qwen1.5-7B-Chat" 58.7 3.7 17.9 4.5 76.2 7.9 39.0 1.2 39.8 1.9 41.3 10.8 58.3 24.3;
    "Llama-3.1-8B-Instruct" 86.5 2.9 48.1 4.0 81.9 4.0 62.2 1.3 57.9 2.3 63.4 8.0 64.4 15.2;
    "Qwen2.5-7B-Instruct" 84.5 1.7 61.9 2.6 86.8 3.7 71.3 0.7 62.1 1.1 61.5 4.7 71.3 13.0;
};

/// Table 13: by activation, the 10 largest of each layer.
pub const TABLE_13: [Row; 5] = rows! {
    "Vicuna-7B" 11.9 3.2 4.0 3.5 54.0 5.0 13.4 0.8 23.6 1.1 28.6 4.7 45.3 15.3;
    "Llama-2-7B-Chat" 25.8 2.5 5.4 3.4 60.0 3.9 16.4 7.3 24.8 1.1 26.2 5.5 48.2 11.2;
    "Qwen1.5-7B-Chat" 58.7 2.4 17.9 2.6 76.2 4.4 39.0 7.3 39.8 1.0 41.3 5.6 58.3 13.1;
    "Llama-3.1-8B-Instruct" 86.5 1.7 48.1 2.4 81.9 2.5 62.2 7.5 57.9 1.2 63.4 4.1 64.4 9.1;
    "Qwen2.5-7B-Instruct" 84.5 2.0 61.9 3.5 86.8 4.8 71.3 9.6 62.1 1.6 61.5 6.0 71.3 19.6;
};

/// Table 14: by integrated gradients, from 0.95 of the largest on.
pub const TABLE_14: [Row; 5] = rows! {
    "Vicuna-7B" 11.9 2.4 4.0 4.7 54.0 3.4 13.4 0.6 23.6 1.0 28.6 3.4 45.3 14.1;
    "Llama-2-7B-Chat" 25.8 2.0 5.4 3.9 60.0 2.9 16.4 0.4 24.8 0.7 26.2 3.8 48.2 11.4;
    "Qwen1.5-7B-Chat" 58.7 1.4 17.9 3.0 76.2 2.4 39.0 0.3 39.8 0.7 41.3 3.0 58.3 9.4;
    "Llama-3.1-8B-Instruct" 86.5 0.5 48.1 1.5 81.9 0.8 62.2 0.2 57.9 0.5 63.4 1.4 64.4 4.4;
    "Qwen2.5-7B-Instruct" 84.5 1.7 61.9 2.5 86.8 2.2 71.3 0.2 62.1 0.5 61.5 2.3 71.3 16.4;
};

/// Table 15: features, the 50 largest of each layer.
pub const TABLE_15: [Row; 2] = rows! {
    "Llama-3.1-8B" 42.9 1.9 15.1 2.0 77.1 3.2 19.5 0.4 26.1 0.7 50.1 3.9 59.6 13.0;
    "Gemma2-9B" 65.8 1.7 20.8 2.4 84.6 3.2 54.8 0.37 57.7 0.5 67.4 2.2 67.2 9.6;
};

/// Table 16: features, the 10 largest of each layer.
pub const TABLE_16: [Row; 2] = rows! {
    "Llama-3.1-8B" 42.9 0.6 15.1 0.7 77.1 1.0 19.5 0.1 26.1 0.2 50.1 1.4 59.6 5.6;
    "Gemma2-9B" 65.8 0.5 20.8 0.7 84.6 0.9 54.8 0.08 57.7 0.1 67.4 0.7 67.2 4.8;
};

/// Table 17: features, from 0.9 of the largest on.
pub const TABLE_17: [Row; 2] = rows! {
    "Llama-3.1-8B" 42.9 0.24 15.1 0.31 77.1 0.44 19.5 0.05 26.1 0.09 50.1 0.62 59.6 2.89;
    "Gemma2-9B" 65.8 0.21 20.8 0.32 84.6 0.4 54.8 0.03 57.7 0.04 67.4 0.31 67.2 1.79;
};

/// Table 1: Spearman’s coefficient of accuracy and of PUR with the reference ranking, in percent.
pub const PRINTED_SPEARMAN: [(f64, f64); 6] =
    [(68.3, 68.3), (98.3, 98.3), (66.7, 90.0), (98.3, 95.0), (95.0, 85.0), (91.7, 95.0)];

/// Table 1: Kendall’s coefficient of accuracy and of PUR with the reference ranking, in percent.
pub const PRINTED_KENDALL: [(f64, f64); 6] =
    [(55.6, 61.1), (94.4, 94.4), (50.0, 83.3), (83.3, 94.4), (88.9, 72.2), (77.8, 83.3)];

/// Table 1: the average of Spearman’s coefficients and of Kendall’s, each of accuracy and of PUR.
pub const PRINTED_AVERAGES: [(f64, f64); 2] = [(86.4, 88.6), (76.9, 80.6)];

/// Table 1: what stands as Δ beside the averages.
pub const PRINTED_DELTAS: [(f64, f64); 2] = [(1.8, 1.0), (3.2, 1.2)];

/// Table 2: samples of each data set.
pub const SAMPLE_COUNTS: [usize; 7] = [1319, 5000, 1172, 164, 500, 6511, 14042];

/// Table 2: samples in all.
pub const SAMPLE_COUNT_TOTAL: usize = 28708;

/// Table 3: checkpoints of one pre-training, their steps and billions of tokens.
pub const OLMO_CHECKPOINTS: [(&str, u64, u64); 8] = [
    ("OLMo-2-7B-0.5T", 122000, 512),
    ("OLMo-2-7B-1T", 244000, 1024),
    ("OLMo-2-7B-1.5T", 366000, 1536),
    ("OLMo-2-7B-2T", 488000, 2047),
    ("OLMo-2-7B-2.5T", 610000, 2559),
    ("OLMo-2-7B-3T", 732000, 3071),
    ("OLMo-2-7B-3.5T", 855000, 3587),
    ("OLMo-2-7B-4T", 928646, 3896),
];

/// Table 7: reconstruction losses of the autoencoders.
pub const RECONSTRUCTION_LOSSES: [(&str, [f64; 7]); 2] = [
    ("Gemma2-9B", [4.218, 3.8527, 4.6095, 3.6149, 3.5155, 3.986, 4.7394]),
    ("Llama-3.1-8B", [0.034, 0.031, 0.034, 0.029, 0.0295, 0.0302, 0.0356]),
];

/// The overall law (§3.2): MUI = A ln P + B, both in percent.
pub const PRINTED_LAW: (f64, f64) = (-4.632, 28.305);

/// The index at a performance of 100 % by that law (§3.2, Fig. 3).
pub const PRINTED_MUI_AT_100: f64 = 6.97;

/// “Average Spearman” of Tables 13 and 14 with Table 11, and of 16 and 17 with 15 (App. B.6.3).
pub const PRINTED_SPEARMAN_ACROSS_METHODS: [f64; 2] = [0.723, 0.984];

/// “Average Pearson” across methods (a footnote of §3.9).
pub const PRINTED_PEARSON: f64 = 0.78;
