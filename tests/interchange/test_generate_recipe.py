"""The recipe for samples of a language model, on a tiny one whose weights nobody has trained."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metaphrase

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

PAGE = Path(__file__).parents[2] / "docs" / "interchange.md"
WORDS = ["<pad>", "<s>", "</s>", "<unk>", *"the a cat dog sat sits on mat rug . big small".split()]
PROMPTS = ["the cat sat on", "a dog"]


@pytest.fixture(scope="module")
def recipe() -> dict[str, Any]:
    """What the page's blocks leave behind."""
    torch.manual_seed(1)
    words = tokenizers.models.WordLevel({w: i for i, w in enumerate(WORDS)}, unk_token="<unk>")
    tokenizer = tokenizers.Tokenizer(words)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    ends = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
    config = transformers.GPT2Config(
        vocab_size=len(WORDS), n_positions=256, n_embd=16, n_layer=2, n_head=2, **ends
    )
    names: dict[str, Any] = {
        "model": transformers.GPT2LMHeadModel(config).eval(),
        "tokenizer": transformers.PreTrainedTokenizerFast(
            tokenizer_object=tokenizer,
            pad_token="<pad>",
            eos_token="</s>",
            unk_token="<unk>",
            model_input_names=["input_ids", "attention_mask"],
        ),
        "prompts": PROMPTS,
    }
    section = (
        PAGE.read_text("utf-8").partition("## Choosing among samples")[2].partition("\n## ")[0]
    )
    blocks = re.findall(r"^```py\n(.*?)^```", section, re.M | re.S)
    assert len(blocks) == 2
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    return names


def test_every_prompt_has_its_samples(recipe: dict[str, Any]) -> None:
    assert [len(texts) for texts in recipe["candidates"]] == [64, 64]
    assert all(set(text.split()) <= set(WORDS) for texts in recipe["candidates"] for text in texts)


def test_one_of_them_is_chosen(recipe: dict[str, Any]) -> None:
    for one, texts in zip(recipe["sentences"], recipe["candidates"], strict=True):
        assert set(one.texts) == set(texts)
        assert metaphrase.select(one, "accord").text in texts


def test_probabilities_are_those_of_the_model(recipe: dict[str, Any]) -> None:
    model, sequences, new = recipe["model"], recipe["made"].sequences, recipe["new"]
    tokens = len(PROMPTS[0].split())
    asked = recipe["inputs"].attention_mask.repeat_interleave(64, 0)
    mask = torch.cat([asked, torch.ones_like(new)], 1)
    with torch.no_grad():
        places = (mask.cumsum(1) - 1).clamp(min=0)
        logits = model(sequences, attention_mask=mask, position_ids=places).logits.log_softmax(-1)
    steps = logits[:, tokens - 1 : -1].gather(2, new[..., None])[..., 0]
    for row, found in zip(range(len(new)), np.ravel(recipe["logarithms"]), strict=True):
        until = new[row].tolist().index(2) + 1 if 2 in new[row].tolist() else new.shape[1]
        assert found == pytest.approx(float(steps[row, :until].sum()), abs=1e-3)
