//! CE-Bench on what a reader brings: the files that its program leaves, and activations of story pairs.
//!
//! [`read_results`] takes `results.json` files, one a dictionary, holds the interpretability score against the sum
//! that the README says it is, divides scores by the largest that their width allows, and ranks them.
//!
//! [`score_files`] takes latent activations of pairs. Arrays (`.npy`, `.npz`, `.safetensors`, `.csv`) are known by the
//! words of their names, or else of their file's: `a` or `story1` for the first story (tokens × latents),
//! `b` or `story2` for the second, the same with `marks` for what tokens carry the contrast (0 or 1 a token);
//! what is left of the name says which pair: `0_a`, `0_b`, `0_marks_a`, `0_marks_b` are of pair 0.
//!
//! Marks may come from the stories instead: a `.json` with a list of entries as the data set has them, or a
//! `.jsonl` with one a line, with `story1`, `story2`, and if they are there `story0`, which no score uses, and
//! `subject`. The prompts that made the stories have every word of the contrast put between `<subject>` and
//! `</subject>`; the older program took these for tokens of their own, left them out, and marked what was
//! between them, to the end where a tag is never closed. (The newest leaves them in the text, and marks nothing.)
//! Tokens are the story's words where they are as many as the rows of its activations, or one fewer, where the
//! first row is taken for the begin of the text; else an entry's `tokens1` and `tokens2`, decoded one by one,
//! say what they are.

mod pairs;
mod report;
mod results;
mod tags;

pub use pairs::{read_story_pairs, score_files};
pub use report::{MarksSource, ReadingMeans, ReadingScores, ResultRow, ResultsReport, SumClaim, UserPair, UserReport};
pub use results::read_results;
pub(crate) use tags::UntaggedStory;
