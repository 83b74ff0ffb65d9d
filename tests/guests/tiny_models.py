"""Makes tiny models with random weights, and what their own libraries say of a few texts.

Run by the interpreter of the guests, which has torch: ``python tiny_models.py FOLDER``. Nothing is
downloaded.
"""

import json
import sys
from pathlib import Path

ROWS = [
    {
        "source": "Die Regierung kündigte am Dienstag einen neuen Plan an.",
        "hypothesis": "The government announced a new plan on Tuesday.",
        "reference": "On Tuesday the government has announced a plan.",
    },
    {
        "source": "Starker Regen verursachte Überschwemmungen.",
        "hypothesis": "Rain caused floods.",
        "reference": "Heavy rain caused floods in several villages.",
    },
    {
        "source": "Nein.",
        "hypothesis": "No.",
        "reference": "No.",
    },
    {
        "source": "Ärzte ohne Grenzen — 国境なき医師団 🙂",
        "hypothesis": "Doctors without borders",
        "reference": 'Médecins sans frontières 🙂 | a pipe, a tab\t, a \\ and "quotes"',
    },
]
SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 130,
}


def make_tokenizer(folder):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trainer = trainers.UnigramTrainer(vocab_size=200, special_tokens=special, unk_token="<unk>")
    tokenizer.train_from_iterator([text for row in ROWS for text in row.values()], trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    from transformers import XLMRobertaTokenizerFast

    wrapped = XLMRobertaTokenizerFast(tokenizer_object=tokenizer, model_max_length=128)
    wrapped.save_pretrained(folder)
    return wrapped


def make_encoder(folder):
    from transformers import XLMRobertaConfig, XLMRobertaModel

    tokenizer = make_tokenizer(folder)
    config = XLMRobertaConfig(vocab_size=len(tokenizer), type_vocab_size=1, **SIZES)
    XLMRobertaModel(config).save_pretrained(folder)  # safetensors
    (folder / "README.md").write_text("---\nlicense: cc0-1.0\n---\n", encoding="utf-8")


def make_comet(folder, encoder, kind):
    """A checkpoint as COMET writes it, whose encoder has a name that is nowhere on this machine."""
    import pytorch_lightning
    import torch
    import yaml
    from comet.models import str2model

    model = str2model[kind](
        encoder_model="XLM-RoBERTa",
        pretrained_model=str(encoder),
        hidden_sizes=[8],
        layer="mix",
        pool="avg",
        load_pretrained_weights=False,
        local_files_only=True,
    )
    parameters = dict(model.hparams, pretrained_model="nobody/tiny", class_identifier=kind)
    (folder / "checkpoints").mkdir(parents=True)
    torch.save(
        {
            "state_dict": model.state_dict(),
            "hyper_parameters": parameters,
            "pytorch-lightning_version": pytorch_lightning.__version__,
        },
        folder / "checkpoints" / "model.ckpt",
    )
    (folder / "hparams.yaml").write_text(yaml.safe_dump(parameters), encoding="utf-8")
    (folder / "LICENSE").write_text("Apache License\nVersion 2.0\n", encoding="utf-8")
    model.eval()
    samples = [
        {"src": row["source"], "mt": row["hypothesis"], "ref": row["reference"]} for row in ROWS
    ]
    return list(model.predict(samples, batch_size=1, gpus=0, progress_bar=False).scores)


def bert_scores(encoder):
    import bert_score

    found = bert_score.score(
        [row["hypothesis"] for row in ROWS],
        [row["reference"] for row in ROWS],
        model_type=str(encoder),
        num_layers=2,
        batch_size=1,
        device="cpu",
    )
    names = ("precision", "recall", "f1")
    return {name: list(map(float, part)) for name, part in zip(names, found, strict=True)}


def make_metricx(folder, encoder):
    """mT5 of mT5's vocabulary, which is large however small the rest is."""
    import torch
    from transformers import AutoTokenizer, MT5Config, MT5ForConditionalGeneration

    config = MT5Config(
        vocab_size=250112,
        d_model=8,
        d_kv=4,
        d_ff=16,
        num_layers=1,
        num_decoder_layers=1,
        num_heads=2,
    )
    model = MT5ForConditionalGeneration(config)
    tokenizer = AutoTokenizer.from_pretrained(str(encoder))
    model.eval()

    def state(text):
        """What the decoder makes of its first token, of one text that nothing is padded beside."""
        ids = torch.tensor([tokenizer(text)["input_ids"][:-1]])
        with torch.no_grad():
            read = model.encoder(input_ids=ids).last_hidden_state
            first = torch.tensor([[0]])
            return model.decoder(input_ids=first, encoder_hidden_states=read).last_hidden_state[
                0, 0
            ]

    weights = state("some text")
    with torch.no_grad():  # so that most scores are between the ends, to which they are clipped
        model.lm_head.weight[250089] = 12 * weights / (weights @ weights)
    model.save_pretrained(folder)

    def score(text):
        return min(max(float(state(text) @ model.lm_head.weight[250089]), 0.0), 25.0)

    # The texts of google-research/metricx: metricx24/predict.py and metricx23/predict.py.
    forms = {
        "24": "source: {source} candidate: {hypothesis} reference: {reference}",
        "24 qe": "source: {source} candidate: {hypothesis}",
        "23": "candidate: {hypothesis} reference: {reference}",
        "23 qe": "candidate: {hypothesis} source: {source}",
    }
    return {name: [score(form.format(**row)) for row in ROWS] for name, form in forms.items()}


def main():
    import torch

    folder = Path(sys.argv[1])
    torch.manual_seed(7)
    encoder = folder / "encoder"
    make_encoder(encoder)
    expected = {
        "comet": make_comet(folder / "tiny-comet", encoder, "regression_metric"),
        "kiwi": make_comet(folder / "tiny-kiwi", encoder, "referenceless_regression_metric"),
        "bertscore": bert_scores(encoder),
        "metricx": make_metricx(folder / "tiny-metricx", encoder),
    }
    (folder / "expected.json").write_text(json.dumps(expected), encoding="utf-8")


if __name__ == "__main__":
    main()
