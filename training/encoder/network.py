"""The encoder in PyTorch: what the compiled core computes in whole numbers, in floats that can be trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a network is."""

    width: int = 256
    layers: int = 6
    heads: int = 4
    inner: int = 1024
    distance: int = 32  # positions further apart look alike
    dropout: float = 0.1


class Words(nn.Module):
    """A vector for each word: of its word vector, its pieces and its case, which tables by type say."""

    def __init__(self, data: Any, width: int) -> None:
        super().__init__()
        pieces = np.asarray(data["type_pieces"]).astype(np.int64)
        for name, table in (
            ("vectors", torch.from_numpy(np.asarray(data["vectors"])).float() / 300 * 10),
            ("vector_of", torch.from_numpy(np.asarray(data["type_vector"]).astype(np.int64))),
            ("pieces_of", torch.from_numpy(pieces)),
            ("count_of", torch.from_numpy((pieces > 0).sum(1).clip(1))),
            ("case_of", torch.from_numpy(np.asarray(data["type_case"]).astype(np.int64))),
        ):
            self.register_buffer(name, table, persistent=False)
        self.vector = nn.Linear(self.vectors.shape[1], width, bias=False)
        self.piece = nn.Embedding(len(data["pieces"]), width, padding_idx=0)
        self.case = nn.Embedding(4, width)
        self.masked = nn.Parameter(torch.zeros(width))
        nn.init.normal_(self.vector.weight, std=0.02)
        nn.init.normal_(self.piece.weight, std=0.02)
        nn.init.normal_(self.case.weight, std=0.02)

    def forward(self, words: Tensor, masked: Tensor | None = None) -> Tensor:
        spelt = self.piece(self.pieces_of[words]).sum(-2) / self.count_of[words].unsqueeze(-1)
        found = (
            self.vector(self.vectors[self.vector_of[words]])
            + spelt
            + self.case(self.case_of[words])
        )
        if masked is not None:
            found = torch.where(masked.unsqueeze(-1), self.masked.to(found.dtype), found)
        return found * 8.0


class Layer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads, self.dropout = shape.heads, shape.dropout
        self.before = nn.RMSNorm(shape.width)
        self.attend = nn.Linear(shape.width, 3 * shape.width)
        self.join = nn.Linear(shape.width, shape.width)
        self.between = nn.RMSNorm(shape.width)
        self.inner = nn.Linear(shape.width, shape.inner)
        self.outer = nn.Linear(shape.inner, shape.width)
        for linear in (self.attend, self.join, self.inner, self.outer):
            nn.init.normal_(linear.weight, std=0.02)
            nn.init.zeros_(linear.bias)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        batch, length, width = x.shape
        query, key, value = (
            part.view(batch, length, self.heads, -1).transpose(1, 2)
            for part in self.attend(self.before(x)).chunk(3, -1)
        )
        seen = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=bias.to(query.dtype)
        )
        x = x + functional.dropout(
            self.join(seen.transpose(1, 2).reshape(batch, length, width)),
            self.dropout,
            self.training,
        )
        return x + functional.dropout(
            self.outer(functional.relu(self.inner(self.between(x)))), self.dropout, self.training
        )


class Encoder(nn.Module):
    """Words in, a vector in context for each out."""

    def __init__(self, data: Any, shape: Shape, words: Words | None = None) -> None:
        super().__init__()
        self.shape = shape
        self.words = words or Words(data, shape.width)
        own = self.words.piece.weight.shape[1]
        self.enter = nn.Identity() if own == shape.width else nn.Linear(own, shape.width)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.near = nn.Embedding(2 * shape.distance + 1, shape.heads)
        nn.init.zeros_(self.near.weight)
        self.norm = nn.RMSNorm(shape.width)

    def attention_bias(self, words: Tensor, place: Tensor | None = None) -> Tensor:
        """What is added to attention: how far words are apart, and that nothing stands at padding."""
        length = words.shape[1]
        if place is None:
            place = torch.arange(length, device=words.device)[None]
        apart = (place[:, None, :] - place[:, :, None]).clamp(
            -self.shape.distance, self.shape.distance
        )
        bias = self.near(apart + self.shape.distance).permute(0, 3, 1, 2)
        return bias.masked_fill((words == 0)[:, None, None, :], -1e4)

    def forward(
        self,
        words: Tensor,
        masked: Tensor | None = None,
        every: bool = False,
        extra: Tensor | None = None,
        place: Tensor | None = None,
    ) -> Any:
        x = self.enter(self.words(words, masked))
        if extra is not None:
            x = x + extra
        x = functional.dropout(x, self.shape.dropout, self.training)
        bias = self.attention_bias(words, place)
        states = []
        for layer in self.layers:
            x = layer(x, bias)
            states.append(x)
        return [self.norm(state) for state in states] if every else self.norm(x)

    def size(self) -> tuple[int, int]:
        """Weights of the layers, and all."""
        body = sum(p.numel() for p in self.layers.parameters())
        return body, sum(p.numel() for p in self.parameters())


class Comparison(nn.Module):
    """Two sentences word by word: what each word loses, against its nearest word on the other side.

    Equal sentences lose nothing, whatever the weights.
    """

    def __init__(self, shape: Shape, size: int = 128) -> None:
        super().__init__()
        self.turn = nn.Linear(shape.width, size, bias=False)
        self.importance = nn.Linear(shape.width, 1)
        self.sides = nn.Parameter(torch.zeros(2))
        nn.init.orthogonal_(self.turn.weight)
        nn.init.zeros_(self.importance.weight)
        nn.init.constant_(self.importance.bias, 0.5)

    def forward(
        self, left: Tensor, left_words: Tensor, right: Tensor, right_words: Tensor
    ) -> Tensor:
        """Columns: what is too much on the left, what is missing of the right."""
        one, two = (functional.normalize(self.turn(side).float(), dim=-1) for side in (left, right))
        near = one @ two.transpose(1, 2)
        there = (left_words > 0)[:, :, None] & (right_words > 0)[:, None, :]
        near = near.masked_fill(~there, -1.0)
        found = []
        for state, words, best in (
            (left, left_words, near.amax(2)),
            (right, right_words, near.amax(1)),
        ):
            weight = functional.softplus(self.importance(state).squeeze(-1).float()) * (words > 0)
            found.append((weight * (1 - best)).sum(1) / weight.sum(1).clamp(min=1e-6))
        return torch.stack(found, 1)

    def loss(self, columns: Tensor) -> Tensor:
        return columns @ functional.softplus(self.sides)
