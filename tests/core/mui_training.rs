//! A model that is trained while MUI looks at it.

use sfc_bench::papers::mui::Settings;
use sfc_bench::papers::mui::settings::NEW_WEIGHTS;
use sfc_bench::papers::mui::training::{TrainingRequest, TrainingSession, TrainingState, run};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn settings(steps: u32) -> Settings {
    Settings { prompts: 32, steps, ..Settings::default() }
}

#[test]
fn a_model_that_is_taught_a_task_learns_it_and_the_control_less_of_it() {
    // One that steps in milliseconds, taught one task.
    let settings = Settings {
        begin: NEW_WEIGHTS.to_owned(),
        lessons: "task".to_owned(),
        taught: "request".to_owned(),
        layers: 1,
        width: "16".to_owned(),
        rate: 0.01,
        ..settings(60)
    };
    let mut seen = 0;
    let all = run(&settings, &mut |_, _| seen += 1).unwrap();
    let [taught, control] = &all[..] else { panic!("one, and the control") };
    assert_eq!((seen, taught.points.len(), control.points.len()), (26, 13, 13));
    assert!(control.wanted.control && taught.is_done(&settings));
    let (first, last) = (&taught.points[0], &taught.points[12]);
    assert_eq!((first.step, first.loss, last.step), (0, None, 60));
    assert_eq!(first.tasks, control.points[0].tasks, "both begin alike");
    let [before, after, other] = [first, last, &control.points[12]].map(|point| point.task("request").unwrap().0);
    assert!(after > before && after >= other, "{before} {after} {other}");
    assert!(last.loss.unwrap() < taught.points[1].loss.unwrap() / 2.0);
    assert!(last.loss.unwrap() < control.points[12].loss.unwrap());
}

#[test]
fn what_is_gone_on_with_elsewhere_ends_alike() {
    give!("ck-06000");
    let settings = settings(6);
    let wanted = TrainingRequest::from_settings(&settings)[0];
    let mut whole = TrainingSession::new(wanted, &settings).unwrap();
    assert_eq!(whole.train_steps(5).unwrap().unwrap().step, 0, "before the first step");
    for _ in 0..3 {
        whole.train_steps(1).unwrap().unwrap();
    }
    let (state, numbers) = (whole.state(), whole.state_values());
    assert_eq!(state, TrainingState { step: 3, looked: Some(3), loss: 0.0 });
    let mut later = TrainingSession::resume(wanted, &settings, state, &numbers).unwrap().unwrap();
    while !whole.is_done() {
        assert_eq!(whole.train_steps(2).unwrap(), later.train_steps(2).unwrap());
    }
    assert_eq!(later.parameters().values(), whole.parameters().values(), "to the last bit");
    assert!(whole.train_steps(1).unwrap().is_none() && whole.is_done());
    let not = |state, numbers: &[f32]| TrainingSession::resume(wanted, &settings, state, numbers).unwrap().is_none();
    assert!(not(state, &numbers[1..]));
    assert!(not(TrainingState { step: 7, ..state }, &numbers));
    assert!(not(TrainingState { looked: Some(4), ..state }, &numbers));
    assert!(not(TrainingState { loss: f64::NAN, ..state }, &numbers));
}
