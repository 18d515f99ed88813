"""Language models: what they make of a text, autoencoders in them, and the papers' metrics on both."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from . import _core
from ._arrays import is_path, listener, whole
from ._errors import refuse
from ._sae import files

if TYPE_CHECKING:
    import numpy as np


class LanguageModel:
    """A language model in memory: GPT-2, GPT-NeoX (Pythia), Llama, Mistral, Qwen 2 and 3, Gemma 2 and 3.

    Args:
        path: a folder as Hugging Face's ``save_pretrained`` writes it (``config.json``, ``model.safetensors`` or its shards,
            ``tokenizer.json``), a .zip of it, or a GGUF file.
        memory: what the model may take, in MiB.

    Attributes:
        about: ``sentence``, ``config``, ``memory`` (bytes), ``tokens`` (of the tokenizer; None without one), ``hooks``.

    Raises:
        SfcBenchError: for whatever cannot be read, by name.
    """

    def __init__(self, path: str | os.PathLike[str], *, memory: int = 2_048) -> None:
        if not is_path(path):
            raise refuse("path", type(path).__name__, "the folder of a model, a .zip of it, or a GGUF file")
        self._model = _core.LanguageModel(os.fspath(path), whole("memory", memory) << 20)
        self.about: dict[str, Any] = json.loads(self._model.about())

    def __repr__(self) -> str:
        return f"<LanguageModel: {self.about['sentence']}>"

    @property
    def hooks(self) -> list[str]:
        """Every place by TransformerLens' name, such as ``blocks.3.hook_resid_post``."""
        hooks: list[str] = self.about["hooks"]
        return hooks

    def encode(self, text: str) -> list[int]:
        """The tokens of a text, with those that every text begins and ends with."""
        return self._model.encode(text)

    def pieces(self, tokens: Iterable[int]) -> list[str | None]:
        """What tokens stand for; None where there is no tokenizer, or one has no whole characters."""
        return self._model.pieces([whole("tokens", token) for token in tokens])

    def _tokens(self, text: str | Iterable[int]) -> list[int]:
        if isinstance(text, str):
            return self.encode(text)
        return [whole("tokens", token) for token in text]

    def score(
        self,
        text: str | Iterable[int],
        *,
        top: int = 10,
        ablate: Iterable[str] = (),
        to: Literal["zero", "mean"] = "zero",
        seed: int = 0,
    ) -> dict[str, Any]:
        """The likeliest next tokens, and how well those that are there were predicted.

        Args:
            text: a text, or tokens by their numbers.
            top: how many of the likeliest tokens.
            ablate: heads and neurons, such as ``"head:0.1"``, ``"neuron:3.17"``.
            to: zero ablation, or mean ablation by the mean over the positions of the text but the first.
            seed: of the random components that are ablated for comparison.

        Returns:
            ``tokens``, ``top`` (``token``, ``text``, ``logit``, ``probability``), ``cross_entropy`` in nats, ``losses`` (one less
            than tokens), and with ``ablate`` what that does beside random components: ``ablation``.
        """
        found: dict[str, Any] = json.loads(
            self._model.score(
                self._tokens(text), whole("top", top), [str(one) for one in ablate], to, whole("seed", seed)
            )
        )
        return found

    def activations(self, text: str | Iterable[int], hook: str) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Activations at a hook, of shape (positions, width), (positions, heads, d_head), or (heads, query, key) for attention
        patterns: TransformerLens' without the dimension of the batch. Later layers are not computed."""
        shape, values = self._model.activations(self._tokens(text), hook)
        made: np.ndarray[Any, np.dtype[np.float32]] = values.reshape(shape)
        return made

    def corpus_activations(
        self,
        hook: str,
        *,
        corpus: str | None = None,
        progress: Callable[[str, float], object] | None = None,
    ) -> np.ndarray[Any, np.dtype[np.float32]]:
        """What is at a hook over texts, as rows to train and to score autoencoders on: every position but the first of each
        context of at most 128 tokens, whose activations are outliers in many models.

        Args:
            hook: a place whose activations are one row a position.
            corpus: texts, parted by blank lines, in the place of those that are built in.
            progress: hears the stage and the part of it that is done.
        """
        shape, values = self._model.corpus_activations(corpus, hook, listener(progress))
        made: np.ndarray[Any, np.dtype[np.float32]] = values.reshape(shape)
        return made

    def splice(
        self,
        text: str | Iterable[int],
        sae: Any,
        *,
        hook: str | None = None,
        keep_error: bool = False,
        scale: Mapping[int, float] | None = None,
        seed: int = 0,
    ) -> dict[str, Any]:
        """What becomes of predictions with an autoencoder's reconstruction in the place of an activation, beside controls, as
        ``sfc-bench model own --sae --json`` has it under ``splice``.

        Args:
            text: a text, or tokens by their numbers.
            sae: an autoencoder by its tensors and ``cfg`` (an object or a dictionary), its folder or its weights.
            hook: the place; by default the one that the autoencoder's configuration names.
            keep_error: whether what the reconstruction lacks is added to it.
            scale: factors of latents before they are decoded; 0 ablates.
            seed: of the random control.
        """
        edits = [
            {"latent": whole("scale", latent), "scale": float(by)} for latent, by in (scale or {}).items()
        ]
        options = {"keep_error": bool(keep_error), "edits": edits, "seed": whole("seed", seed)}
        names, given = files(sae)
        found: dict[str, Any] = json.loads(
            self._model.splice(self._tokens(text), json.dumps(names), given, hook, json.dumps(options))
        )
        return found

    def fade(
        self,
        sae: Any,
        *,
        hook: str | None = None,
        corpus: str | None = None,
        concepts: str | None = None,
        progress: Callable[[str, float], object] | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """FADE of the latent that separates each concept best, beside a random direction and shuffled labels: what
        ``sfc-bench fade --model --json`` prints.

        Args:
            sae: an autoencoder by its tensors and ``cfg`` (an object or a dictionary), its folder or its weights.
            hook: its place; by default the one that its configuration names.
            corpus: natural texts, parted by blank lines, in the place of those that are built in.
            concepts: rules of concepts, a line each (``digits: class digit``), in the place of those that are built in.
            progress: hears the stage and the part of it that is done.
            options: ``seed``, ``length``, ``made``, ``steer`` (``gated``, ``all``, ``none``), ``prompts``, ``written``,
                ``factors``.
        """
        return self._metric("fade", options, sae, progress, hook=hook, texts=corpus, rules=concepts)

    def ce_bench(
        self,
        sae: Any,
        *,
        hook: str | None = None,
        stories: str | os.PathLike[str] | None = None,
        progress: Callable[[str, float], object] | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """CE-Bench of an autoencoder, beside random directions and tokens in random order: what ``sfc-bench ce-bench --model
        --json`` prints.

        Args:
            sae: an autoencoder by its tensors and ``cfg`` (an object or a dictionary), its folder or its weights.
            hook: its place; by default the one that its configuration names.
            stories: pairs of stories as CE-Bench's data set has them, a .csv, .json or .jsonl, in the place of those that are
                made by templates.
            progress: hears the stage and the part of it that is done.
            options: ``seed``.
        """
        file = None
        if stories is not None:
            if not is_path(stories):
                raise refuse("stories", type(stories).__name__, "the path of a .csv, .json or .jsonl")
            with open(stories, encoding="utf-8") as opened:
                file = {"name": os.fspath(stories), "text": opened.read()}
        return self._metric("ce-bench", options, sae, progress, hook=hook, stories=file)

    def mui(
        self,
        *,
        before: Mapping[str, Mapping[str, Any]] | None = None,
        name: str = "model",
        progress: Callable[[str, float], object] | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """The Model Utilization Index on small tasks that are made by rule, beside another choice and random neurons: what
        ``sfc-bench mui --model --json`` prints.

        Args:
            before: what this method returned of earlier models, by their names: also returns where the model has moved since
                (``directions``: ``steps`` from each to the next, and with three models or more ``laws``), with 95 % intervals over
                the questions. Those models need no longer be in memory.
            name: what this model is called in ``directions``.
            progress: hears the stage and the part of it that is done.
            options: ``seed``, ``questions``, ``threshold`` (``topk``, ``global-topk``, ``top-share``, ``topscore``), ``kept`` for
                the first two, ``share`` for the others.
        """
        report = self._metric("mui", options, None, progress)
        if before is None:
            return report
        extra = ("before", "directions")
        earlier = [
            {"model": str(model), "report": {key: value for key, value in of.items() if key not in extra}}
            for model, of in before.items()
        ]
        models = json.dumps([*earlier, {"model": str(name), "report": report}])
        return {**report, "before": earlier, "directions": json.loads(_core.mui_directions(models))}

    def circuits(
        self, *, progress: Callable[[str, float], object] | None = None, **options: Any
    ) -> dict[str, Any]:
        """Circuits of attention heads on prompts of indirect object identification, greater-than and agreement, found on half of
        the prompts and measured on the others: faithfulness, completeness, EX1, EX2 and EX11, beside random circuits, the least
        important heads and shuffled labels. What ``sfc-bench measure circuits --json`` prints.

        Args:
            progress: hears the stage and the part of it that is done.
            options: ``seed``, ``prompts`` (of each task), ``fractions`` (shares of all heads that circuits have), ``random``
                (random orders of heads), ``ablation`` (``corrupted``, ``mean``, ``zero``).
        """
        return self._metric("circuits", options, None, progress)

    def _metric(
        self,
        metric: str,
        options: dict[str, Any],
        sae: Any,
        progress: Callable[[str, float], object] | None,
        **more: Any,
    ) -> dict[str, Any]:
        names, given = (None, {}) if sae is None else files(sae)
        asked = {name: value for name, value in more.items() if value is not None}
        request = json.dumps({"metric": metric, "options": options, **asked})
        named = None if names is None else json.dumps(names)
        found: dict[str, Any] = json.loads(self._model.metric(request, named, given, listener(progress)))
        return found
