"""Models of guests are on this machine, known by their content, and run no code that nobody allowed."""

from __future__ import annotations

import ast
import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from metaphrase import BertScore, Comet, MetricX, create
from metaphrase.errors import MetaphraseError, OptionError, ResourceError
from metaphrase.metrics import available, guests
from metaphrase.metrics.guests.model_files import check_local, check_trusted, model_files

PROGRAMS = Path(guests.__file__).parent / "programs"
LIBRARIES = ("bertscore", "bleurt", "comet", "metricx")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """What a hub's download looks like, of weights that are no pickle."""
    folder = tmp_path / "models--some--model" / "snapshots" / ("0123456789" * 4)
    folder.mkdir(parents=True)
    (folder / "model.safetensors").write_bytes(b"weights")
    (folder / "config.json").write_text("{}", encoding="utf-8")
    return folder


class TestFiles:
    def test_must_be_on_this_machine(self, tmp_path: Path) -> None:
        with pytest.raises(OptionError, match=r"MP714.*Nothing is ever downloaded.*hf download"):
            create("comet:model=Unbabel/wmt22-comet-da").signature()
        with pytest.raises(OptionError, match=r"MP714.*there is no file or folder"):
            check_local(str(tmp_path / "missing"), guest="comet")

    def test_are_named_by_the_folder_that_tells_them_apart(self, model: Path) -> None:
        assert model_files([model]).name == "some/model"
        assert Comet(model="/m/wmt22-comet-da/checkpoints/model.ckpt").label == (
            "comet:model=wmt22-comet-da"
        )

    def test_are_known_by_what_is_in_them_and_not_by_where_they_are(
        self, model: Path, tmp_path: Path
    ) -> None:
        before = model_files([model]).fingerprint
        moved = tmp_path / "elsewhere"
        model.rename(moved)
        assert model_files([moved]).fingerprint == before
        (moved / "README.md").write_text("more about it", encoding="utf-8")
        assert model_files([moved]).fingerprint == before
        (moved / "config.json").write_text("{ }", encoding="utf-8")
        assert model_files([moved]).fingerprint != before

    def test_that_are_large_are_read_once(
        self, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from metaphrase.metrics.guests import model_files as module

        monkeypatch.setenv("METAPHRASE_CACHE", str(tmp_path / "cache"))
        monkeypatch.setattr(module, "_LARGE", 1)
        module._fingerprint.cache_clear()
        before = model_files([model])
        module._fingerprint.cache_clear()
        with monkeypatch.context() as patch:
            patch.setattr(module, "_hash", lambda files: pytest.fail("it was read again"))
            assert model_files([model]) == before
        os.utime(model / "config.json", ns=(1, 1))
        (model / "config.json").write_text("[]", encoding="utf-8")
        assert model_files([model]) != before

    @pytest.mark.parametrize(
        ("name", "text", "licence"),
        [
            ("README.md", "---\nlicense: cc-by-nc-sa-4.0\n---\n# A model", "cc-by-nc-sa-4.0"),
            ("README.md", "# A model without a card", "unknown"),
            ("LICENSE", "   Apache License\n Version 2.0", "apache-2.0"),
            ("LICENSE.txt", "Ask Alice.\nOr Bob.", "Ask Alice."),
        ],
    )
    def test_have_the_licence_of_their_card(
        self, model: Path, name: str, text: str, licence: str
    ) -> None:
        (model / name).write_text(text, encoding="utf-8")
        assert model_files([model]).licence == licence
        assert model_files([model / "model.safetensors"]).licence == licence

    @pytest.mark.parametrize("name", ["model.ckpt", "pytorch_model.bin", "saved_model.pb", "a.pt"])
    def test_that_can_run_code_need_to_be_trusted(self, tmp_path: Path, name: str) -> None:
        (tmp_path / name).write_bytes(b"anything")
        for place in (tmp_path, tmp_path / name):
            with pytest.raises(OptionError, match=rf"MP715.*{name} can run.*trust=yes"):
                check_trusted(place, guest="comet", trust=False)
            check_trusted(place, guest="comet", trust=True)
        (tmp_path / "model.safetensors").write_bytes(b"weights")
        check_trusted(tmp_path, guest="bertscore", trust=False)

    def test_of_comet_have_one_checkpoint(self, tmp_path: Path) -> None:
        with pytest.raises(OptionError, match=r"MP714.*no checkpoint in the folder"):
            Comet(model=str(tmp_path), trust=True).signature()


class TestInterpreter:
    def test_must_be_named(self, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("METAPHRASE_GUEST_PYTHON", raising=False)
        with pytest.raises(OptionError, match=r"MP713.*nothing says which.*pip install bert-score"):
            BertScore(model=str(model)).signature()

    def test_may_be_an_environment_or_come_from_the_environment(
        self, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "python").write_bytes(b"")
        expected = str(tmp_path / "bin" / "python")
        assert BertScore(model=str(model), python=str(tmp_path)).start.words[0] == expected
        assert BertScore(model=str(model), python=expected).start.words[0] == expected
        monkeypatch.setenv("METAPHRASE_GUEST_PYTHON", expected)
        assert BertScore(model=str(model)).start.words[0] == expected

    def test_must_be_there(self, model: Path) -> None:
        with pytest.raises(OptionError, match=r"MP716.*no interpreter '/no/python'"):
            BertScore(model=str(model), python="/no/python").signature()

    def test_without_the_library_says_what_to_install(self, model: Path) -> None:
        if find_spec("transformers") is not None:
            pytest.skip("somebody has it here")
        message = r"MP722.*has no transformers: install it there with `pip install"
        with pytest.raises(ResourceError, match=message):
            MetricX(model=str(model), python=sys.executable).signature()


@pytest.mark.parametrize("name", LIBRARIES)
def test_without_a_model_it_says_what_it_needs(name: str) -> None:
    with pytest.raises(
        MetaphraseError, match=rf"MP713.*-m {name}:model=PATH; nothing is downloaded"
    ):
        create(name).signature()
    assert available()[name].needs_options == ("model", "python")


@pytest.mark.parametrize("program", sorted(PROGRAMS.glob("*.py")), ids=lambda path: path.name)
def test_programs_are_for_old_interpreters_and_stand_alone(program: Path) -> None:
    tree = ast.parse(program.read_text("utf-8"), feature_version=(3, 8))
    modules = {
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [str(node.module)]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert not any(name.startswith("metaphrase") for name in modules)
    # Annotations of newer kinds are not evaluated.
    assert "__future__" in modules
