use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::View;
use super::convert::{from_js, thrown, to_js, weights_of};
use super::seeds::{failed, plan};
use super::view::{figures, unknown};
use crate::lab::ensemble::{Ensemble, EnsembleError, Gathering, Member};
use crate::papers::sfc::Report;
use crate::plot::{self, Chart};

/// An ensemble on screen, under live weights, while its members come in.
#[wasm_bindgen]
pub struct EnsembleView {
    gathering: Gathering,
    report: Option<Report>,
}

#[wasm_bindgen]
impl EnsembleView {
    /// Takes settings and which seeds vary, as [`SeedRunner`].
    #[wasm_bindgen(constructor)]
    pub fn new(settings: JsValue, varied: &str) -> Result<Self, JsValue> {
        Ok(Self { gathering: Gathering::new(plan(&settings, varied)?), report: None })
    }

    /// Takes members as a [`SeedRunner`] returns them, in any order; they show after `refresh`.
    pub fn add(&mut self, members: JsValue) -> Result<(), JsValue> {
        let members: Vec<Member> = from_js("members", members)?;
        for member in members {
            self.gathering.add(member).map_err(|error| failed(&error))?;
        }
        Ok(())
    }

    /// Forgets every seed but those below this one.
    pub fn keep(&mut self, below: u32) {
        self.gathering.keep(below);
    }

    /// Members so far.
    #[must_use]
    pub fn count(&self) -> usize {
        self.gathering.count()
    }

    /// Sums up all members so far.
    pub fn refresh(&mut self) -> Result<(), JsValue> {
        self.gathering.refresh().map_err(|error| failed(&error))
    }

    /// Scores everything anew; nothing is run.
    pub fn set_weights(&mut self, alpha: f64, beta: f64, gamma: f64) -> Result<(), JsValue> {
        let weights = weights_of(alpha, beta, gamma)?;
        self.gathering.set_weights(weights);
        Ok(())
    }

    /// Marks the run on the page as "this run", where it is one of the same settings but for the
    /// seeds that vary.
    pub fn set_run(&mut self, view: &View) {
        self.report = Some(view.report.clone());
    }

    /// Marks no run.
    pub fn clear_run(&mut self) {
        self.report = None;
    }

    pub(super) fn found(&self) -> Result<&Ensemble, JsValue> {
        self.gathering.ensemble().ok_or_else(|| failed(&EnsembleError::Empty))
    }

    pub(super) fn chart(&self, id: &str) -> Result<Chart, JsValue> {
        let found = self.found()?;
        crate::lab::ensemble::figures::ensemble_figure(id, found, self.report.as_ref())
            .ok_or_else(|| unknown(id))
    }

    /// The result in one sentence.
    pub fn headline(&self) -> Result<String, JsValue> {
        Ok(crate::lab::ensemble::figures::ensemble_headline(self.found()?))
    }

    /// Why a figure would be empty for these settings; undefined where it is not.
    pub fn empty(&self, id: &str) -> Result<Option<String>, JsValue> {
        Ok(crate::lab::ensemble::figures::ensemble_empty(id, self.found()?))
    }

    /// What `sfc-bench ensemble --json` prints of the same seeds.
    pub fn json(&self) -> Result<String, JsValue> {
        let text = self.found()?.to_json();
        text.map_err(|error| thrown("ensemble.json", &error.to_string(), None))
    }
}

figures!(EnsembleView, crate::lab::ensemble::figures::ENSEMBLE_FIGURES);
