//! What only an ensemble does: take members while they come in.

use wasm_bindgen::prelude::*;

use super::StudyHandle;
use super::convert::{failure_error, from_js};
use super::seeds::build_plan;
use crate::lab::compare;
use crate::lab::ensemble::figures::ensemble_empty_reason;
use crate::lab::ensemble::{Member, StudyView};

/// An ensemble without members, as a study, to gather them as they come in. Takes settings and which
/// seeds vary, as [`SeedRunner`](super::SeedRunner).
#[wasm_bindgen]
pub fn gather_ensemble(settings: JsValue, varied: &str) -> Result<StudyHandle, JsValue> {
    Ok(StudyHandle::new(StudyView::new(build_plan(&settings, varied)?)))
}

#[wasm_bindgen(js_class = Study)]
impl StudyHandle {
    /// Takes members as a [`SeedRunner`](super::SeedRunner) returns them, in any order; they show after
    /// `refresh`.
    pub fn add_members(&mut self, members: JsValue) -> Result<(), JsValue> {
        let members: Vec<Member> = from_js("members", members)?;
        let gathering = &mut self.downcast_mut::<StudyView>()?.builder;
        let mut members = members.into_iter();
        members.try_for_each(|member| gathering.add_member(member)).map_err(|error| failure_error(&error))
    }

    /// Forgets every seed but those below this one.
    pub fn keep_seeds(&mut self, below: u32) -> Result<(), JsValue> {
        self.downcast_mut::<StudyView>()?.builder.keep_seeds_below(below);
        Ok(())
    }

    /// Members so far.
    pub fn members(&self) -> Result<usize, JsValue> {
        Ok(self.downcast::<StudyView>()?.builder.member_count())
    }

    /// Sums up all members so far.
    pub fn refresh(&mut self) -> Result<(), JsValue> {
        self.downcast_mut::<StudyView>()?.builder.update_summary().map_err(|error| failure_error(&error))
    }

    /// Marks the run on the page as "this run", where it is one of the same settings but for the
    /// seeds that vary.
    pub fn set_run(&mut self, run: &StudyHandle) -> Result<(), JsValue> {
        self.downcast_mut::<StudyView>()?.current_run = Some(run.paper_study()?.report.clone());
        Ok(())
    }

    /// Lays an ensemble's bands behind Figure 1(b) of a comparison, where both are of the same settings but for the
    /// seeds that vary, and under the same weights.
    pub fn show_seeds(&mut self, ensemble: &StudyHandle) -> Result<(), JsValue> {
        let seeds = ensemble.downcast::<StudyView>()?.ensemble().map_err(failure_error)?;
        self.downcast_mut::<compare::StudyView>()?.set_seed_bands(seeds);
        Ok(())
    }

    /// Why a figure of an ensemble would be empty for these settings; undefined where it is not.
    pub fn empty(&self, id: &str) -> Result<Option<String>, JsValue> {
        let found = self.downcast::<StudyView>()?.ensemble().map_err(failure_error)?;
        Ok(ensemble_empty_reason(id, found))
    }
}
