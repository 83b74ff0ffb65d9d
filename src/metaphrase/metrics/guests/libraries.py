"""Neural metrics as guests: COMET, BERTScore, BLEURT and MetricX, in an interpreter that the user names.

Their libraries are not dependencies of ours, and their pins conflict with everybody's. The programs that ask
them (``programs/``) are files that the other interpreter runs; they import nothing of metaphrase.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from metaphrase.errors import OptionError
from metaphrase.metrics.guests.metric import GuestMetric
from metaphrase.metrics.guests.model_files import (
    check_local,
    check_trusted,
    model_files,
    model_name,
)
from metaphrase.metrics.guests.process import Start
from metaphrase.metrics.registry import register
from metaphrase.options import option, same_as

_PROGRAMS = Path(__file__).parent / "programs"
#: Names the interpreter of guests whose option says nothing.
PYTHON_VARIABLE = "METAPHRASE_GUEST_PYTHON"
_DEVICES = ("cpu", "cuda", "mps")


@dataclass(frozen=True, kw_only=True)
class LibraryGuest(GuestMetric):
    """A metric of a Python library with a model that is on this machine."""

    #: The file in ``programs/``, and what is to be installed for it.
    program: ClassVar[str]
    installed_by: ClassVar[str]
    needs_options: ClassVar[tuple[str, ...]] = ("model", "python")
    #: Libraries sort what they are given by length, and calling them has a price.
    batches_per_request: ClassVar[int] = 8

    model: str | None = option(None, "the model: a file or folder of this machine", signed=False)
    python: str | None = option(
        None,
        "the interpreter that has the library, or its environment; by default "
        f"``${PYTHON_VARIABLE}``",
        signed=False,
    )
    trust: bool = option(
        False, "``yes``: the model may run code when it is loaded, as a pickle can", signed=False
    )
    device: str = option(
        "cpu", "where it computes: ``cpu``, ``cuda`` or ``mps``", choices=_DEVICES, signed=True
    )
    #: How many it computes at once changes last digits.
    batch: int = same_as(GuestMetric, "batch", signed=True)

    @property
    def label(self) -> str:
        """Name, model and whatever else changes the number."""
        name, changed = self._spelling({"lang", "model", "python", "trust", "timeout", "cache"})
        model = [f"model={model_name(Path(self.model))}"] if self.model else []
        return ":".join([name, *model, *(f"{one.name}={self._short(one)}" for one in changed)])

    @property
    def pretrained(self) -> bool:
        """All of them ask one network or another."""
        return True

    @property
    def start(self) -> Start:
        """The program in the other interpreter."""
        for place in self._places():
            check_trusted(place, guest=self.name, trust=self.trust)
        words = [self._interpreter(), "-u", str(_PROGRAMS / self.program)]
        return Start(
            self.label,
            (*words, "--device", self.device, "--batch", str(self.batch), *self._arguments()),
            isolated=True,
        )

    @property
    def about(self) -> dict[str, object]:
        """The model with its hash and licence."""
        found = model_files(self._hashed())
        return {"model": found, "licence": found.licence}

    def _interpreter(self) -> str:
        given = self.python or os.environ.get(PYTHON_VARIABLE, "")
        if not given:
            raise OptionError(
                "MP713",
                f"{self.name} runs in an interpreter of its own, and nothing says which.",
                hint=f"Add python=PATH, or set {PYTHON_VARIABLE}: an environment with {self.installed_by}.",
            )
        place = Path(given).expanduser()
        inside = [place / "bin" / "python", place / "Scripts" / "python.exe"]
        found = next((one for one in [place, *inside] if os.path.isfile(one)), None)
        if found is None:
            raise OptionError(
                "MP716",
                f"{self.name}: there is no interpreter {given!r}.",
                hint="Give the path of a python, or of the environment that has one.",
            )
        # Not resolved: an environment is found by the link that its python is.
        return os.path.abspath(found)  # noqa: PTH100

    def _model(self) -> Path:
        if not self.model:
            raise OptionError(
                "MP713",
                f"{self.name} needs a model that is on this machine.",
                hint=f"Write -m {self.name}:model=PATH; nothing is downloaded (docs/guests.md).",
            )
        return check_local(self.model, guest=self.name)

    def _places(self) -> list[Path]:
        """The files and folders that options name, the model first."""
        return [self._model()]

    def _hashed(self) -> list[Path]:
        """What the hash is of."""
        return self._places()

    @abstractmethod
    def _arguments(self) -> list[str]:
        """Those of the program besides what all have."""


@register
@dataclass(frozen=True, kw_only=True)
class Comet(LibraryGuest):
    """COMET: an encoder of many languages reads source, translation and reference (Rei et al., EMNLP 2020).

    Models that take no reference (CometKiwi) are given none. A checkpoint is a pickle, and can run code when
    it is loaded: trust=yes says that it may.

    >>> metaphrase.Comet(model="Unbabel/wmt22-comet-da").signature()  # nothing is downloaded
    Traceback (most recent call last):
    metaphrase.errors.OptionError: [MP714] comet: model='Unbabel/wmt22-comet-da' is no file or folder of...
    """

    name: ClassVar[str] = "comet"
    summary: ClassVar[str] = "a trained encoder of source, translation and reference (a guest)"
    citation: ClassVar[str] = "Rei et al., EMNLP 2020"
    program: ClassVar[str] = "comet_guest.py"
    installed_by: ClassVar[str] = '`pip install unbabel-comet "setuptools<81"`'

    encoder: str | None = option(
        None,
        "configuration and tokeniser of the encoder that the checkpoint names: a folder of this machine",
        signed=False,
    )

    def _places(self) -> list[Path]:
        place = self._model()
        if place.is_dir():
            found = sorted([*place.glob("checkpoints/*.ckpt"), *place.glob("*.ckpt")])
            if len(found) != 1:
                raise OptionError(
                    "MP714",
                    f"comet: there is {'no' if not found else 'more than one'} checkpoint in the folder.",
                    path=place,
                    hint="Name the file, mostly checkpoints/model.ckpt.",
                )
            place = found[0]
        if not self.encoder:
            return [place]
        return [place, check_local(self.encoder, guest=self.name, option="encoder")]

    def _hashed(self) -> list[Path]:
        checkpoint, *encoder = self._places()
        parameters = checkpoint.parent.parent / "hparams.yaml"
        return [checkpoint, *([parameters] if parameters.is_file() else []), *encoder]

    def _arguments(self) -> list[str]:
        checkpoint, *encoder = map(str, self._places())
        return ["--checkpoint", checkpoint, *(["--encoder", *encoder] if encoder else [])]


@register
@dataclass(frozen=True, kw_only=True)
class BertScore(LibraryGuest):
    """BERTScore: tokens of both sides matched by their contextual embeddings (Zhang et al., ICLR 2020).

    Scores are not rescaled. Of several references the best counts.

    >>> metaphrase.BertScore(model="models/roberta-large", layer=17).label
    'bertscore:model=roberta-large:layer=17'
    """

    name: ClassVar[str] = "bertscore"
    summary: ClassVar[str] = "tokens matched by an encoder's embeddings (a guest)"
    citation: ClassVar[str] = "Zhang et al., ICLR 2020"
    program: ClassVar[str] = "bertscore_guest.py"
    installed_by: ClassVar[str] = "`pip install bert-score`"

    layer: int | None = option(
        None,
        "the layer whose embeddings are compared; by default what bert-score knows of the model",
        low=1,
    )
    part: str = option(
        "f1",
        "``f1``, ``precision`` or ``recall``",
        choices=("f1", "precision", "recall"),
    )

    def _arguments(self) -> list[str]:
        layer = [] if self.layer is None else ["--layer", str(self.layer)]
        return ["--model", str(self._places()[0]), "--part", self.part, *layer]


@register
@dataclass(frozen=True, kw_only=True)
class Bleurt(LibraryGuest):
    """BLEURT: BERT trained to predict judgements of translation beside reference (Sellam et al., ACL 2020).

    It is TensorFlow's; the mean over several references counts. A model of TensorFlow is a program: trust=yes
    says that it may run.

    >>> metaphrase.Bleurt(model="models/BLEURT-20", trust=True).label
    'bleurt:model=BLEURT-20'
    """

    name: ClassVar[str] = "bleurt"
    summary: ClassVar[str] = "BERT trained on judgements and synthetic errors (a guest)"
    citation: ClassVar[str] = "Sellam et al., ACL 2020"
    program: ClassVar[str] = "bleurt_guest.py"
    installed_by: ClassVar[str] = "`pip install git+https://github.com/google-research/bleurt`"

    def _arguments(self) -> list[str]:
        return ["--model", str(self._places()[0])]


@register
@dataclass(frozen=True, kw_only=True)
class MetricX(LibraryGuest):
    """MetricX: mT5 that predicts points lost by MQM, 0 to 25, lower is better (Juraska et al., WMT 2024).

    >>> metaphrase.MetricX(model="models/metricx-24-hybrid-large", qe=True).label
    'metricx:model=metricx-24-hybrid-large:qe=yes'
    """

    higher_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, 25.0)

    name: ClassVar[str] = "metricx"
    summary: ClassVar[str] = "mT5 that predicts MQM's penalty, 0 to 25 (a guest)"
    citation: ClassVar[str] = "Juraska et al., WMT 2024"
    program: ClassVar[str] = "metricx_guest.py"
    installed_by: ClassVar[str] = "`pip install transformers torch sentencepiece`"

    tokenizer: str | None = option(
        None, "mT5's tokeniser, a folder of this machine; by default the model's", signed=False
    )
    year: str = option(
        "24",
        "how the model was trained: ``24`` reads the source too, ``23`` only the reference",
        choices=("24", "23"),
    )
    qe: bool = option(False, "``yes``: source and translation, without the reference")

    def _places(self) -> list[Path]:
        model = self._model()
        if not self.tokenizer:
            return [model]
        return [model, check_local(self.tokenizer, guest=self.name, option="tokenizer")]

    def _arguments(self) -> list[str]:
        places = self._places()
        words = ["--model", str(places[0]), "--tokenizer", str(places[-1]), "--year", self.year]
        return [*words, *(["--qe"] if self.qe else [])]
