//! What a reader of measurement theory brings: tables, arrays and circuits, good ones and bad ones.

use sfc_bench::Matrix;
use sfc_bench::io::to_npy;
use sfc_bench::papers::measurement::metric::adaptive_sparsity::{adaptive_sparsity, complexity_and_k};
use sfc_bench::papers::measurement::metric::architecture_duality::{self, ComparedAutoencoder, architecture_duality};
use sfc_bench::papers::measurement::metric::matryoshka::matryoshka;
use sfc_bench::papers::measurement::metric::superposition::{feature_superposition, superposition};
use sfc_bench::papers::measurement::metric::{
    Activations, EdgeGraph, RELATIVE_DEVIATION_MAX, THRESHOLDS, d_prime, dif, faithfulness_area, reproducibility,
};
use sfc_bench::papers::measurement::user_files::{OwnGraph, OwnResults, read};
use sfc_bench::study::user_file::{UserFile, UserFileError};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::dice::Dice;

fn file(name: &str, bytes: impl Into<Vec<u8>>) -> UserFile {
    UserFile { name: name.to_owned(), bytes: bytes.into() }
}

fn one(name: &str, bytes: impl Into<Vec<u8>>) -> OwnResults {
    let found = read(vec![file(name, bytes)]).unwrap_or_else(|error| panic!("{name}: {error}"));
    let [(from, found)] = <[_; 1]>::try_from(found).unwrap();
    assert_eq!(from, name);
    found
}

fn refused(name: &str, bytes: impl Into<Vec<u8>>) -> UserFileError {
    read(vec![file(name, bytes)]).map(|found| panic!("{name}: {found:?}")).unwrap_err()
}

#[test]
fn tables_are_told_by_their_headers() {
    let OwnResults::Ex1(found) = one("a.csv", "# ioi\nClean LD,prompt,ablated\n1,0,-1\n2.5,1,0.5\n") else { panic!() };
    assert_eq!(found.ex1, d_prime(&[1.0, 2.5], &[-1.0, 0.5]).unwrap());
    assert_eq!((found.prompts, found.completeness), (2, 1.0 + 0.5 / 3.5));

    let OwnResults::Ex2(found) = one("b.csv", "group,value\nrare,1\ncommon,2\nrare,1.5\ncommon,4\n") else { panic!() };
    assert_eq!(found, dif(&[("rare", &[1.0, 1.5]), ("common", &[2.0, 4.0])]).unwrap());

    let text = "seed,configuration,value\n42,topk,0.8\n123,topk,0.82\n42,relu,0.6\n123,relu,0.61\n7,one,1\n";
    let OwnResults::Ex24(found) = one("c.csv", text) else { panic!() };
    assert_eq!(found.configurations.len(), 3);
    assert_eq!(found.configurations[0].values, [0.8, 0.82]);
    assert!(found.configurations[2].cv_sample.is_none());
    // Of one seed nothing can be said.
    assert_eq!(found.pairs.len(), 1);
    assert!(found.pairs[0].audit.passed_document);

    let text = "run,prompt,value\n0,p1,2\n0,p2,5\n0,p3,1\n0,p4,4\n1,p2,5\n1,p3,1\n1,p4,4\n";
    let OwnResults::Ex25(found) = one("d.csv", text) else { panic!() };
    let runs = [vec![2.0, 5.0, 1.0, 4.0], vec![5.0, 1.0, 4.0]];
    let prompts = [vec![0, 1, 2, 3], vec![1, 2, 3]];
    assert_eq!(found, reproducibility(&runs, Some(&prompts), RELATIVE_DEVIATION_MAX).unwrap());

    let OwnResults::Mib(found) = one("e.csv", "threshold,faithfulness\n0.001,0\n0.5,1\n1,1\n") else { panic!() };
    assert_eq!(found.area, faithfulness_area(&[0.001, 0.5, 1.0], &[0.0, 1.0, 1.0]).unwrap());
}

#[test]
fn tables_that_say_nothing_or_something_else_are_refused() {
    for (text, code, says) in [
        ("", "io.text", "no row"),
        ("clean,ablated\n", "io.text", "no row"),
        ("clean,ablated\n1\n", "given.value", "2, as in the header"),
        ("clean,ablated\n1,NaN\n", "given.value", "line 2, ablated"),
        ("clean,ablated\n1,x\n", "given.value", "a finite number"),
        ("clean,clean,ablated\n1,1,1\n", "given.value", "header"),
        ("a,b\n1,2\n", "given.value", "header"),
        ("value\n1\n", "given.value", "header"),
        ("group,value\n,1\n", "given.value", "a name or a number"),
        ("run,prompt,value\n0,1,1\n", "given.value", "1 given; at least 2 needed"),
        ("run,prompt,value\n0,1,1\n0,1,2\n1,1,1\n", "given.value", "twice"),
        ("seed,configuration,value\n1,a,1\n1,a,2\n", "given.value", "line 2"),
        ("threshold,faithfulness\n0.5,1\n0.2,1\n", "given.value", "above the one before"),
        ("\u{1f}\u{8b}", "io.text", "no row"),
    ] {
        let error = refused("t.csv", text);
        assert_eq!(error.code(), code, "{text:?}: {error}");
        assert!(error.to_string().contains(says), "{text:?}: {error}");
        assert!(error.to_string().contains("t.csv"), "{error}");
    }
    assert_eq!(refused("t.csv", b"\xff\xfea".to_vec()).code(), "io.text");
    assert_eq!(refused("t.csv", b"clean,ablated\n1,\xff\n".to_vec()).code(), "io.text");
    assert_eq!(refused("t.txt", "1,2").code(), "given.unknown");
    assert_eq!(read(Vec::new()).unwrap_err().code(), "given.none");
    let many: String = (0..101).map(|group| format!("{group},1\n")).collect();
    let error = refused("t.csv", format!("group,value\n{many}"));
    assert!(error.to_string().contains("101"), "{error}");
}

#[test]
fn autoencoders_are_compared_as_the_metrics_compare_them() {
    let mut dice = Dice::new(7);
    let mut draw = |count: usize| -> Vec<f64> {
        // Halves are the same in 32 bits.
        (0..count).map(|_| f64::from(dice.below(9) as u32) / 2.0 - 2.0).collect()
    };
    let (a, b) = (draw(20 * 6), draw(20 * 5));
    let (a_decoder, b_decoder) = (draw(6 * 4), draw(5 * 4));
    let residual = draw(20 * 4);
    let given = |name: &str, shape: &[usize], values: &[f64]| file(name, to_npy(shape, values));
    let found = read(vec![
        given("a_activations.npy", &[20, 6], &a),
        given("a_decoder.npy", &[6, 4], &a_decoder),
        given("b_activations.npy", &[20, 5], &b),
        given("b_decoder.npy", &[5, 4], &b_decoder),
        given("small_activations.npy", &[20, 5], &b),
        given("large_activations.npy", &[20, 6], &a),
        given("large_decoder.npy", &[6, 4], &a_decoder),
        given("activations.npy", &[20, 6], &a),
        given("residual.npy", &[20, 4], &residual),
        given("decoder.npy", &[6, 4], &a_decoder),
    ]);
    let [m07, m11, m12, m13] = <[_; 4]>::try_from(found.unwrap()).unwrap();
    let matrix = |rows: usize, values: &[f64]| Matrix::from_vec(rows, values.len() / rows, values.to_vec()).unwrap();
    let (a, b, residual) = (matrix(20, &a), matrix(20, &b), matrix(20, &residual));
    let (a_decoder, b_decoder) = (matrix(6, &a_decoder), matrix(5, &b_decoder));
    let side = |codes, decoder| ComparedAutoencoder { activations: Activations::Dense(codes), decoder, encoder: None };
    let wanted =
        architecture_duality(&side(&a, &a_decoder), &side(&b, &b_decoder), &architecture_duality::Settings::default());
    assert!(matches!(m07.1, OwnResults::M07(found) if *found == wanted.unwrap()));
    let (small, large) = (Activations::Dense(&b), Activations::Dense(&a));
    let wanted = matryoshka(small, large, &a_decoder, 20, 0.5).unwrap();
    assert!(matches!(m11.1, OwnResults::M11(found) if *found == wanted));
    let (complexity, k) = complexity_and_k(&residual, large).unwrap();
    let wanted = adaptive_sparsity(&complexity, &k, 2.0).unwrap();
    assert!(matches!(m12.1, OwnResults::M12(found) if *found == wanted));
    let OwnResults::M13(found) = m13.1 else { panic!() };
    assert_eq!(found.stream, Some(superposition(&residual).unwrap()));
    assert_eq!(found.directions, Some(feature_superposition(&a_decoder).unwrap()));

    // What lacks its other half is refused by name, and shapes that do not fit.
    let refused = |files: Vec<UserFile>| read(files).unwrap_err();
    let alone = refused(vec![given("a_activations.npy", &[2, 2], &[1.0, 0.0, 0.0, 1.0])]);
    assert_eq!(alone.code(), "given.missing");
    assert!(alone.to_string().contains("a_decoder"), "{alone}");
    let stray = refused(vec![given("b_encoder.npy", &[2, 2], &[1.0, 0.0, 0.0, 1.0])]);
    assert_eq!(stray.code(), "given.missing");
    let unfit = refused(vec![given("activations.npy", &[3, 2], &[1.0; 6]), given("residual.npy", &[4, 2], &[1.0; 8])]);
    assert_eq!(unfit.code(), "given.value");
}

#[test]
fn arrays_that_belong_together_may_be_files_of_their_own() {
    let given = |name: &str, shape: &[usize], values: &[f64]| file(name, to_npy(shape, values));
    let found = read(vec![
        given("folder/clean.npy", &[3], &[1.0, 2.0, 0.1]),
        given("folder/ablated.npy", &[3], &[-1.0, 0.5, 0.1]),
        given("values.npy", &[4], &[1.0, 2.0, 3.0, 4.0]),
        given("groups.npy", &[4], &[0.0, 1.0, 0.0, 1.0]),
        given("scores.npy", &[3, 2], &[0.8, 0.5, 0.81, 0.51, 0.82, 0.49]),
        given("runs.npy", &[2, 4], &[1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 5.0]),
        given("thresholds.npy", &[10], &THRESHOLDS),
        given("faithfulness.npy", &[10], &[1.0; 10]),
    ]);
    let found = found.unwrap();
    let [ex1, ex2, ex24, ex25, mib] = <[_; 5]>::try_from(found).unwrap();
    assert!(matches!(ex1.1, OwnResults::Ex1(found) if found.prompts == 3 && found.ex1.hit_rate == 1.0));
    assert!(matches!(ex2.1, OwnResults::Ex2(found) if found.pairs.len() == 1));
    let OwnResults::Ex24(found) = ex24.1 else { panic!() };
    // A number of 32 bits is the decimal that it was written as.
    assert_eq!(found.configurations[1].values, [0.5, 0.51, 0.49]);
    assert!(matches!(ex25.1, OwnResults::Ex25(found) if found.coherence_aligned == Some(1.0)));
    let OwnResults::Mib(found) = mib.1 else { panic!() };
    assert!((found.area.cpr - 0.999).abs() < 1e-15 && found.thresholds == THRESHOLDS);

    let refused = |files: Vec<UserFile>| read(files).unwrap_err();
    let clean = || given("clean.npy", &[3], &[1.0; 3]);
    assert_eq!(refused(vec![clean()]).code(), "given.missing");
    assert_eq!(refused(vec![clean(), clean()]).code(), "given.twice");
    assert_eq!(refused(vec![clean(), given("ablated.npy", &[2], &[1.0; 2])]).code(), "given.value");
    assert_eq!(refused(vec![given("clean.npy", &[2, 2], &[1.0; 4])]).code(), "given.value");
    assert_eq!(refused(vec![given("other.npy", &[2], &[1.0; 2])]).code(), "given.unknown");
    assert_eq!(refused(vec![given("scores.npy", &[2], &[1.0; 2])]).code(), "given.value");
    assert_eq!(refused(vec![given("runs.npy", &[4], &[1.0; 4])]).code(), "given.value");
    assert!(refused(vec![given("clean.npy", &[1], &[f64::NAN])]).code().starts_with("io."));
    assert!(refused(vec![file("clean.npy", "no array")]).code().starts_with("io."));
}

/// A whole circuit as MIB writes it.
fn circuit(layers: usize, heads: usize) -> String {
    let graph = EdgeGraph::new(layers, heads);
    let edges: Vec<String> = graph
        .edges()
        .enumerate()
        .map(|(at, edge)| format!("\"{edge}\": {{\"score\": {}, \"in_graph\": {}}}", at as f64 / -8.0, at % 3 == 0))
        .collect();
    format!(
        "{{\"cfg\": {{\"n_layers\": {layers}, \"n_heads\": {heads}, \"parallel_attn_mlp\": false, \"d_model\": 48}}, \
         \"nodes\": {{\"input\": {{\"in_graph\": true}}, \"a0.h0\": {{\"in_graph\": false}}, \"logits\": \
         {{\"in_graph\": true}}}}, \"edges\": {{{}}}}}",
        edges.join(", ")
    )
}

fn graph(text: &str) -> OwnGraph {
    match one("circuit.json", text) {
        OwnResults::Circuit(graph) => graph,
        other => panic!("{other:?}"),
    }
}

#[test]
fn circuits_are_read_as_mib_writes_them() {
    for (layers, heads, total) in [(3, 4, 262), (12, 12, 32_491)] {
        let found = graph(&circuit(layers, heads));
        assert_eq!((found.layers, found.heads, found.total), (layers, heads, total));
        assert_eq!(found.edges.len() as u64, total);
        assert_eq!(found.count_in_graph() as u64, total.div_ceil(3));
        assert_eq!(found.nodes.len(), 3);
        // The largest scores are those of the last edges, which the logits read.
        let kept = found.edges_at_threshold(0.01).unwrap();
        assert_eq!(kept.len() as u64, total / 100);
        assert_eq!(kept[0].to_string(), format!("m{}->logits", layers - 1));
        assert_eq!(found.edges_at_threshold(1.0).unwrap().len() as u64, total);
        assert!(found.edges_at_threshold(1.5).is_err());
    }
    let text = r#"{"cfg": {"n_layers": 1, "n_heads": 1, "parallel_attn_mlp": true}, "edges":
        {"input->a0.h0<q>": {"score": NaN}, "input->m0": {"score": -2}, "input->logits": {"in_graph": true}}}"#;
    let found = graph(text);
    assert_eq!((found.total, found.count_in_graph(), found.side_by_side), (7, 1, true));
    assert_eq!(found.edges[0].score, None);
    let kept: Vec<String> = found.edges_at_threshold(1.0).unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(kept, ["input->m0", "input->a0.h0<q>", "input->logits"]);
}

#[test]
fn circuits_that_no_model_has_are_refused() {
    let text = |config: &str, nodes: &str, edges: &str| {
        format!("{{\"cfg\": {{{config}}}, \"nodes\": {{{nodes}}}, \"edges\": {{{edges}}}}}")
    };
    let config = "\"n_layers\": 2, \"n_heads\": 2";
    let edge = |name: &str| format!("\"{name}\": {{\"score\": 1}}");
    for (text, says) in [
        ("[]".to_owned(), "an object"),
        ("{}".to_owned(), "cfg"),
        (text("\"n_layers\": 2", "", ""), "n_heads"),
        (text("\"n_layers\": 0, \"n_heads\": 2", "", ""), "from 1 to 1024"),
        (text("\"n_layers\": 2, \"n_heads\": 1e9", "", ""), "from 1 to 1024"),
        (text("\"n_layers\": 1.5, \"n_heads\": 2", "", ""), "a whole number"),
        (text(&format!("{config}, \"parallel_attn_mlp\": 1"), "", ""), "true or false"),
        (text(config, "", ""), "0 edges without"),
        (text(config, "", "\"input->m0\": {}"), "1 edges without"),
        (text(config, "", &edge("input->a0.h0")), "an edge of 2 layers"),
        (text(config, "", &edge("input->a0.h2<q>")), "an edge of 2 layers"),
        (text(config, "", &edge("m1->a1.h0<q>")), "an edge of 2 layers"),
        (text(config, "", &edge("logits->m0")), "an edge of 2 layers"),
        (text(config, "", &[edge("input->m0"), edge("input->m0")].join(",")), "there twice"),
        (text(config, "", "\"input->m0\": {\"score\": Infinity}"), "a finite number"),
        (text(config, "", "\"input->m0\": {\"score\": \"1\"}"), "a finite number"),
        (text(config, "", "\"input->m0\": {\"score\": 1, \"in_graph\": 1}"), "true or false"),
        (text(config, "\"m2\": {}", &edge("input->m0")), "a part of 2 layers"),
        (text(config, "\"m1\": {}, \"m1\": {}", &edge("input->m0")), "there twice"),
        (text(config, "\"m1\": {\"in_graph\": 0}", &edge("input->m0")), "true or false"),
    ] {
        let error = refused("circuit.json", text.as_str());
        assert!(error.to_string().contains(says), "{text}: {error}");
    }
    assert!(refused("circuit.json", "{\"cfg\": ").code().starts_with("io."));
}

#[test]
fn results_of_saebench_are_audited_by_the_seeds_of_their_folders() {
    let result = |seed: u32, sae: &str, accuracy: f64| {
        let text = format!(
            "{{\"eval_type_id\": \"sparse_probing\", \"eval_config\": {{}}, \"eval_result_metrics\": {{\"sae\": \
             {{\"sae_test_accuracy\": {accuracy}, \"sae_top_1\": null}}, \"llm\": {{\"llm_test_accuracy\": 0.9}}}}}}"
        );
        file(&format!("results/reseed/seed_{seed}/{sae}_eval_results.json"), text)
    };
    let files = vec![
        result(42, "topk", 0.8),
        result(123, "topk", 0.81),
        result(123, "relu", 0.71),
        result(42, "relu", 0.7),
        result(456, "topk", 0.79),
    ];
    let found = read(files.clone()).unwrap();
    let [(_, OwnResults::Seeds(metrics))] = &found[..] else { panic!("{found:?}") };
    let names: Vec<&str> = metrics.iter().map(|metric| metric.quantity.as_str()).collect();
    assert_eq!(names, ["llm.llm_test_accuracy", "sae.sae_test_accuracy"]);
    let audit = &metrics[1].audit;
    assert_eq!(audit.configurations[0].values, [0.7, 0.71]);
    assert_eq!(audit.configurations[1].values, [0.8, 0.81, 0.79]);
    assert!(audit.pairs[0].audit.passed_document && audit.pairs[0].audit.cohens_d_document < -9.0);
    // What no autoencoder changes tells none apart.
    assert!(!metrics[0].audit.pairs[0].audit.passed_document);

    // A folder of that name above all of them tells no seed.
    let above = files
        .iter()
        .map(|UserFile { name, bytes }| UserFile { name: format!("home/seed_7/{name}"), bytes: bytes.clone() });
    let [(_, same)] = &read(above.collect()).unwrap()[..] else { panic!() };
    assert_eq!(same, &found[0].1);

    // Pairs that are too many to be listed are summarised.
    let many = |quantities: usize, saes: usize| {
        let one = |seed: usize, sae: usize| {
            let value = |at: usize| format!("\"q{at}\": {}", (at * 7 + sae * 3 + seed) % 101 + 1);
            let values: Vec<String> = (0..quantities).map(value).collect();
            let text = format!("{{\"eval_result_metrics\": {{\"g\": {{{}}}}}}}", values.join(", "));
            file(&format!("seed_{seed}/c{sae}.json"), text)
        };
        read((0..2).flat_map(|seed| (0..saes).map(move |sae| (seed, sae))).map(|(seed, sae)| one(seed, sae)).collect())
    };
    let [(_, OwnResults::Seeds(listed))] = &many(2, 100).unwrap()[..] else { panic!() };
    let [(_, OwnResults::Seeds(short))] = &many(3, 100).unwrap()[..] else { panic!() };
    assert_eq!((listed[0].audit.pairs.len(), listed[0].audit.summary), (4_950, None));
    assert!(short.iter().all(|metric| metric.audit.pairs.is_empty()));
    assert_eq!(short[0].audit.summary, Some(listed[0].audit.pairs_summary()));
    assert!(listed[0].audit.pairs_summary().passed_document > 0);
    let error = many(405, 100).unwrap_err();
    assert_eq!(error.code(), "given.value");
    assert!(error.to_string().contains("2004750; allowed: at most 2000000"), "{error}");

    let refused = |files: Vec<UserFile>| read(files).unwrap_err();
    assert_eq!(refused([files.clone(), files.clone()].concat()).code(), "given.twice");
    let nowhere = file("a.json", files[0].bytes.clone());
    assert!(refused(vec![nowhere]).to_string().contains("seed_<number>"));
    for (text, says) in [
        ("{\"eval_result_metrics\": []}", "an object of numbers"),
        ("{\"eval_result_metrics\": {}}", "no number"),
        ("{\"eval_result_metrics\": {\"a\": 1}}", "an object of numbers"),
        ("{\"eval_result_metrics\": {\"a\": {\"b\": 1, \"b\": 2}}}", "there twice"),
        ("{\"eval_result_metrics\": {}, \"eval_type_id\": 1}", "a string"),
    ] {
        let error = refused(vec![file("seed_1/a.json", text)]);
        assert!(error.to_string().contains(says), "{text}: {error}");
    }
}

#[test]
fn json_of_another_kind_is_named() {
    for (name, text, says) in [
        (
            "res.json",
            "{\"weighted_edge_counts\": [0, 3], \"area_under\": 0.8, \"faithfulnesses\": [0.1, 0.4]}",
            "1 value at a share of edges above 0; allowed: two of MIB's faithfulnesses or more",
        ),
        (
            "seed_0/mdl.json",
            "{\"eval_type_id\": \"mdl\", \"eval_results\": []}",
            "SAEBench's result of \"mdl\", which has no eval_result_metrics",
        ),
        (
            "seed_0/autointerp_results.json",
            "{\"release_id\": {\"eval_type_id\": \"autointerp\", \"eval_result_metrics\": {}}}",
            "SAEBench's results of several autoencoders in one object",
        ),
        ("x.json", "{\"a\": 1, \"b\": 2}", "JSON of the keys a, b; allowed: a circuit with cfg"),
        ("abs-True.pkl", "\u{0}", "a pickle of Python's by its name"),
    ] {
        let error = refused(name, text);
        assert!(error.to_string().contains(says), "{error}");
    }
    let pickle = UserFile { name: "a.pkl".to_owned(), bytes: b"\x80\x04\x95\x05\x00\x00".to_vec() };
    let error = read(vec![pickle]).unwrap_err().to_string();
    assert!(error.contains("a pickle of Python's") && error.chars().count() < 300, "{error}");
}

#[test]
fn defaced_files_are_read_or_refused() {
    let texts = [
        ("a.csv", "clean,ablated\n1,-1\n2.5,0.5\n".to_owned()),
        ("b.csv", "run,prompt,value\n0,1,2\n0,2,5\n1,2,5\n1,1,1\n".to_owned()),
        ("c.csv", "seed,configuration,value\n42,topk,0.8\n123,topk,0.82\n".to_owned()),
        ("d.csv", "threshold,faithfulness\n0.001,0\n0.5,1\n1,1\n".to_owned()),
        ("e.json", circuit(1, 1)),
        ("seed_1/f.json", "{\"eval_result_metrics\": {\"sae\": {\"a\": 0.5, \"b\": NaN}}}".to_owned()),
    ];
    let scraps = ["\"", ",", "\n", "NaN", "1e999", "-", "{", "}", "->", "<q>", "é", "\0", "a0.h9", "0"];
    let mut dice = Dice::new(14);
    let (mut read_whole, mut not) = (0, 0);
    for _ in 0..2_000 {
        let (name, text) = dice.of(&texts);
        let text = dice.deface(text, 5, &scraps);
        match read(vec![file(name, text)]) {
            Ok(_) => read_whole += 1,
            Err(error) => {
                assert!(!error.to_string().is_empty() && error.code().contains('.'));
                not += 1;
            }
        }
    }
    assert!(read_whole > 100 && not > 100, "{read_whole} {not}");
}
