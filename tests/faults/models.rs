//! What a reader's own model is made of, malformed by the thousand and made anew each time: refused in words,
//! without a panic, within memory and time; or read, and what is read is of the sizes that were said.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use sfc_bench::NumpyRng;
use sfc_bench::io::{DataFile, ReadAt};
use sfc_bench::model::{Batch, Config, Model, ModelError, ModelFolder, Parameters, Tokenizer, read_token_rows};

use crate::malformed::{damage, keep};
use crate::memory::measured;
use crate::mutate::{self, below};
use crate::{golden, made, seed};

/// Refused ones of each kind: as many are made as that takes.
const REFUSED: usize = 2_000;
/// Bytes a model may take.
const CAP: u64 = 4 << 20;
/// Most that reading one may take besides its own bytes: a configuration of 1 MiB as a tree.
const ALLOWED: isize = 48 << 20;
/// Longest that reading one may take.
const SLOWEST: Duration = Duration::from_secs(10);

/// Files of one round, by name.
type Files = Vec<(&'static str, Vec<u8>)>;

/// Makes files, most of them malformed, until enough are refused; some are left whole, and must be read.
fn malformed(what: &str, make: impl Fn(&mut NumpyRng) -> Files, read: impl Fn(&Files) -> Result<(), ModelError>) {
    let mut rng = NumpyRng::new(seed());
    let (mut made, mut refused, mut whole, mut others) = (0, 0, 0, 0);
    let (mut slowest, mut most) = (Duration::ZERO, 0);
    while refused < REFUSED {
        made += 1;
        assert!(made < 50 * REFUSED, "hardly any of the {what} is refused");
        let mut files = make(&mut rng);
        let as_made = rng.next_word().is_multiple_of(8);
        if !as_made {
            let at = below(&mut rng, files.len());
            let (name, bytes) = &mut files[at];
            match rng.next_word() % 8 {
                0 => damage(&mut rng, bytes),
                _ => mutate::file(&mut rng, name, bytes),
            }
        }
        let kept = || {
            let all = files.iter().map(|(name, bytes)| keep(&format!("{made}-{name}"), bytes));
            all.map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
        };
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| measured(|| read(&files))));
        let took = start.elapsed();
        let (outcome, held) = outcome.unwrap_or_else(|panic| {
            eprintln!("SFC_FUZZ_SEED={}: {}", seed(), kept());
            resume_unwind(panic)
        });
        let own: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
        let allowed = ALLOWED + 2 * own as isize;
        assert!(took < SLOWEST && held < allowed, "{}: {took:?}, {held} bytes", kept());
        slowest = slowest.max(took);
        most = most.max(held);
        match outcome {
            Ok(()) if as_made => whole += 1,
            Ok(()) => others += 1,
            Err(error) if as_made => panic!("{}: whole files, {error}", kept()),
            Err(error) => {
                let text = error.to_string();
                let said = !text.contains('\n') && text.len() > 20 && text.len() < 900;
                assert!(said && !error.code().is_empty(), "{}: {text}", kept());
                refused += 1;
            }
        }
    }
    println!(
        "{refused} malformed {what} refused; {others} read all the same, and {whole} whole ones; the slowest in {} \
         ms, at most {} KiB of memory for one; SFC_FUZZ_SEED={}",
        slowest.as_millis(),
        most >> 10,
        seed(),
    );
    assert!(whole > 100 && others > 20, "{whole}, {others}");
}

const CONFIG: &str = "config.json";
const WEIGHTS: &str = "model.safetensors";
const TOKENIZER: &str = "tokenizer.json";
const LITTLE: &str = "little.safetensors";
const TOKENS: &str = "tokens.npy";

#[test]
fn malformed_models_are_refused_or_read_by_their_configuration() {
    let make = |rng: &mut NumpyRng| {
        let [config, weights] = match rng.next_word() % 4 {
            0 => {
                let written = golden::models();
                written[below(rng, written.len())].map(<[u8]>::to_vec)
            }
            _ => made::model(rng),
        };
        vec![(CONFIG, config), (WEIGHTS, weights)]
    };
    malformed("models", make, |files| {
        let files = files.iter().map(|(name, bytes)| {
            let source: Box<dyn ReadAt> = Box::new(bytes.clone());
            ((*name).to_owned(), source)
        });
        let folder = ModelFolder::open(files.collect(), CAP)?;
        let config = *folder.config();
        let model = folder.read(CAP)?;
        let next = model.next_tokens(&[0], usize::MAX)?;
        assert_eq!(next.len(), config.vocabulary);
        let sum: f64 = next.iter().map(|next| next.probability).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        assert_eq!(model.next_tokens(&[config.vocabulary as u32], 1).unwrap_err().code(), "model.token");
        Ok(())
    });
}

#[test]
fn malformed_weights_of_the_little_model_are_refused_or_read_by_their_shapes() {
    let make = |rng: &mut NumpyRng| vec![(LITTLE, made::little(rng))];
    malformed("weights of toy models", make, |files| {
        for (name, bytes) in files {
            let file = DataFile::open(name, Box::new(bytes.clone()), CAP)?;
            let parameters = Parameters::open(&file)?;
            let held: usize = parameters.tensor_specs().iter().map(|tensor| tensor.range.len()).sum();
            assert_eq!(parameters.values().len(), held);
            let model = Model::new(&parameters);
            let logits = model.last_logits(&Batch::new(&[[0]])?, &mut ())?;
            assert_eq!(logits.len(), model.config().vocabulary);
        }
        Ok(())
    });
}

#[test]
fn malformed_tokenizers_are_refused_or_give_texts_back() {
    let make = |rng: &mut NumpyRng| {
        let bytes = match rng.next_word() % 4 {
            0 => golden::tokenizer().to_vec(),
            _ => made::tokenizer(rng),
        };
        vec![(TOKENIZER, bytes)]
    };
    malformed("tokenizers", make, |files| {
        for (name, bytes) in files {
            let tokenizer = Tokenizer::parse(name, bytes)?;
            for text in ["", " ", "that's the 12th hen's nest\n\n  <|end|>\n<s>", "言葉 é\u{301}👍\u{0}"] {
                match tokenizer.encode(text) {
                    Ok(tokens) => {
                        let found = tokenizer.decode(&tokens)?;
                        // A space may have been put before what is between added tokens.
                        let bare = |text: &str| text.replace(' ', "");
                        assert_eq!(bare(&found), bare(text));
                        assert!(tokens.iter().all(|token| *token <= tokenizer.largest_token()));
                    }
                    Err(error) => assert_eq!(error.code(), "tokenizer.byte"),
                }
            }
        }
        Ok(())
    });
}

#[test]
fn malformed_token_files_are_refused_or_of_the_vocabulary() {
    let config = Config { vocabulary: 100, context: 12, ..Config::TOY_MODEL };
    let make = |rng: &mut NumpyRng| vec![(TOKENS, made::tokens(rng))];
    malformed("files of tokens", make, |files| {
        for (name, bytes) in files {
            let file = DataFile::open(name, Box::new(bytes.clone()), CAP)?;
            let rows = read_token_rows(file.only_array()?, &config)?;
            assert!(!rows.is_empty() && rows.iter().all(|row| (1..=12).contains(&row.len())));
            assert!(rows.iter().flatten().all(|token| *token < 100));
        }
        Ok(())
    });
}
