"""The page's live figures in a notebook: they are computed in the reader's browser, by the same core."""

from __future__ import annotations

import functools
import hashlib
import json
import pathlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qsl

from . import _core
from ._arrays import word
from ._errors import SfcBenchError, refuse
from ._report import Report, _three

if TYPE_CHECKING:
    import anywidget

_MODULE = pathlib.Path(__file__).with_name("assets") / "widget.js"

#: What a notebook saves of each widget: the figure's program, 4.4 MB, comes from Python once a page.
_LOADER = """
const NAME = '__sfc_bench_%(digest)s';
function program(model) {
  // Each asks its own Python: another one's may be gone before it answers.
  if (globalThis[NAME]) return Promise.resolve(globalThis[NAME]);
  return new Promise((resolve, reject) => {
    const hear = (said, buffers) => {
      if (said?.module !== NAME) return;
      model.off('msg:custom', hear);
      const url = URL.createObjectURL(new Blob([buffers[0]], { type: 'text/javascript' }));
      import(url).then((found) => resolve((globalThis[NAME] ??= found.default)), reject);
    };
    model.on('msg:custom', hear);
    model.send({ wants: NAME });
  });
}
export default {
  async render({ model, el, ...more }) {
    const note = document.createElement('p');
    note.textContent = 'The program of this figure comes from Python: run the cell again where nothing follows.';
    el.append(note);
    const found = await program(model).catch((error) => {
      note.textContent = `The program of this figure cannot be run here: ${error.message}`;
      return null;
    });
    if (!found) return undefined;
    note.remove();
    return found.render({ model, el, ...more });
  },
};
"""

#: By words that people use besides the figures' own names.
_WORDS = {"front": "pareto"}
#: These are measured in the browser as the figure wants, or shown from a report.
_LITTLE = ("mui", "measurement", "audit")


@functools.cache
def _class() -> type[anywidget.AnyWidget]:
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise ImportError("widgets need anywidget: pip install anywidget") from error
    if not _MODULE.exists():
        raise SfcBenchError(
            "this build of the package has no widget; `cargo xtask widget` makes it, before the package is installed",
            "widget.missing",
        )

    program = _MODULE.read_bytes()
    digest = hashlib.sha256(program).hexdigest()[:16]

    class SfcBenchWidget(anywidget.AnyWidget):
        """A live figure.

        Attributes:
            weights: of S, F and C; empty for those of the report. It follows the figure's sliders, and they it.
            attributes: those of the element ``<sfc-bench>``.
            result: what the figure found last: ``kind``, ``digest``, ``verdict``, ``scores`` and the ``settings``, which
                its other controls move.
            error: why there is no figure, where there is none.
        """

        _esm = _LOADER % {"digest": digest}
        attributes = traitlets.Dict().tag(sync=True)
        report = traitlets.Unicode("").tag(sync=True)
        weights = traitlets.List(traitlets.Float()).tag(sync=True)
        result = traitlets.Dict().tag(sync=True)
        error = traitlets.Unicode("").tag(sync=True)

        def __init__(self, **given: Any) -> None:
            super().__init__(**given)
            self.on_msg(self._answer)

        def _answer(self, _: Any, content: Any, buffers: Any) -> None:
            name = f"__sfc_bench_{digest}"
            if isinstance(content, dict) and content.get("wants") == name:
                self.send({"module": name}, buffers=[program])

        @traitlets.validate("weights")
        def _validate(self, proposal: Any) -> list[float]:
            if not proposal["value"]:
                return []
            weights = _three("weights", proposal["value"])
            # The core says what weights may be.
            _core.score((1.0, 1.0, 1.0), weights)
            return list(weights)

    return SfcBenchWidget


def widget(
    report: Report | None = None,
    view: str | None = None,
    *,
    weights: Iterable[float] | None = None,
    theme: Literal["auto", "light", "dark"] = "auto",
    controls: Iterable[str] = ("weights",),
    **attributes: Any,
) -> anywidget.AnyWidget:
    """A live figure of a report, which computes it anew in the reader's browser, without any network.

    Args:
        report: of :func:`run`, :func:`curve`, :func:`sizes`, :func:`ensemble` (its settings' paper figures),
            :func:`families`, :func:`evaluate`, or of a study of the toy model; the paper's without one.
        view: the name or id of a figure of the study: of the paper ``curves``, ``weights``, ``map``, ``pareto``,
            of families ``families``, ``map``; the first one without any.
        weights: of S, F and C; those of the report without any. ``widget.weights`` follows the figure's sliders
            and moves them.
        theme: ``auto``, ``light`` or ``dark``.
        controls: which the figure has, by their names: ``weights``, ``k``, ``seed``, …
        attributes: further attributes of the element: ``page``, say, the address of a page for its link.

    Raises:
        ImportError: without ``anywidget``.
        SfcBenchError: for a report or view that the element does not show.
    """
    if report is not None and not isinstance(report, Report):
        raise refuse("report", type(report).__name__, "a report, or None for the paper's")
    made, text = _attributes(report, view)
    made["theme"] = word("theme", theme, ("auto", "light", "dark"))
    wanted = [controls] if isinstance(controls, str) else list(controls or ())
    if wanted:
        made["controls"] = ",".join(map(str, wanted))
    made.update({name: str(value) for name, value in attributes.items()})
    if "page" not in attributes:
        # There is no page beside a notebook that a link could lead to.
        made["hide"] = ",".join(["open", *filter(None, [made.get("hide")])])
    given = [] if weights is None else list(_three("weights", weights))
    return _class()(attributes=made, report=text, weights=given)


def _attributes(report: Report | None, view: str | None) -> tuple[dict[str, str], str]:
    """The attributes that say what a report is of, and the report itself where the element is given it."""
    study = "sfc" if report is None else report.study
    if study in ("sfc", "curve", "sizes", "ensemble"):
        config = None if report is None else report["settings" if study == "sfc" else "config"]
        query = "" if config is None else _core.link(json.dumps(config))
        return {**dict(parse_qsl(query, keep_blank_values=True)), "figure": _figure("sfc", view)}, ""
    assert report is not None
    if study == "families":
        said = _core.families_text(json.dumps(report["config"]))
        if said is None:
            raise refuse("report", "a study that no link can say", "one that families() takes as text")
        return {"fam": said, "figure": _figure(study, view)}, ""
    if study == "own":
        return {"figure": _figure(study, view)}, report.json
    if study in _LITTLE:
        return {"figure": _figure(study, view)}, report._text
    allowed = "sfc, curve, sizes, ensemble, families, own, mui, measurement, audit"
    raise refuse("report", f"one of {study}", f"one of {allowed}")


def _figure(study: str, view: str | None) -> str:
    """The name of a figure; of families and evaluations also without the study's name before it."""
    listed: list[dict[str, str]] = json.loads(_core.figures(study))
    if view is None:
        return listed[0]["name"]
    name = _WORDS.get(view, view)
    for figure in listed:
        if name in (figure["name"], figure["id"]) or f"{study}-{name}" == figure["name"]:
            return figure["name"]
    raise refuse("view", repr(view), ", ".join(figure["name"] for figure in listed))
