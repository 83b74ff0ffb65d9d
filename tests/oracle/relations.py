"""Collapsed, cc-processed Stanford dependencies from a tree, one plain step after the other.

Shares the table with the core and no code; children are looked up by searching the whole sentence.
"""

from __future__ import annotations

from metaphrase.analysis.relation_table import (
    COMPLEMENTISERS,
    CONJUNCTIONS,
    NEGATIONS,
    PHRASAL_PREPOSITIONS,
    ROLES,
    SUBORDINATORS,
    TIME_WORDS,
)

SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass")
#: What belongs to the clause and not to its predicate.
CLAUSAL = (
    *SUBJECTS,
    *("<outer>", "aux", "auxpass", "mark", "advcl", "cc", "<silent>", "parataxis", "<oblique>"),
    *("<bare>", "expl", "discourse", "ccomp", "xcomp", "dep", "cop"),
)
CLAUSES = ("<clause>", "advcl", "ccomp", "xcomp")
PHRASES = ("<oblique>", "<nominal>", "<bare>")


def role_of(label):
    return ROLES.get(label) or ROLES.get(label.split(":")[0]) or "dep"


def lower(word):
    return "".join(c.lower() if c.isascii() else c for c in word)


def begins_with_letter(word):
    return "a" <= word[:1] <= "z" or (word[:1] > "\x7f" and not "\u2000" <= word[:1] <= "\u203f")


def begins_with_digit(word):
    return "0" <= word[:1] <= "9"


class Tree:
    """Tokens are numbered from 1; what stands at 0 belongs to no token."""

    def __init__(self, sentence):
        self.size = len(sentence)
        self.tokens = range(1, self.size + 1)
        self.form = ["", *map(lower, sentence.form)]
        self.lemma = ["", *map(lower, sentence.lemma)]
        self.tag = ["", *sentence.tag]
        self.head = [0, *sentence.head]
        self.role = ["", *map(role_of, sentence.relation)]
        self.moved = set()
        self._mend()

    def _mend(self):
        """Every token leads to the root: what does not is a root itself."""
        for t in self.tokens:
            if not 0 <= self.head[t] <= self.size or self.head[t] == t:
                self.head[t] = 0
        safe = {0}
        for t in self.tokens:
            path, at = [], t
            while at not in safe and at not in path:
                path.append(at)
                at = self.head[at]
            if at not in safe:
                self.head[at] = 0
            safe.update(path)

    def children(self, head, *roles):
        found = [t for t in self.tokens if self.head[t] == head]
        return [t for t in found if not roles or self.role[t] in roles]

    def promote(self, child, role, move=lambda t: True):
        """``child`` and its head change places; the old head's other children follow if they may."""
        old = self.head[child]
        for t in self.children(old):
            if t != child and move(t):
                self.head[t] = child
        self.head[child], self.role[child] = self.head[old], self.role[old]
        self.head[old], self.role[old] = child, role

    def words(self, t, *roles):
        """The words of function words on ``t`` and of what is fixed to them, in order."""
        found = [c for c in self.children(t, *roles) if self.tag[c] != "POS"]
        found += [m for c in found for m in self.children(c, "<fixed>")]
        return [w for w in sorted(found) if begins_with_letter(self.form[w])]

    def spelt(self, tokens):
        return "_".join(self.form[t] for t in tokens)

    def preposition(self, t):
        return self.spelt(self.words(t, "<case>"))


def collapsed(sentence):
    """(label, governor, dependent): roots first, then by dependent."""
    tree = Tree(sentence)
    for step in (heads_last, dates, prepositions, phrasal, copulas, coordinations, orphans):
        step(tree)
    return relations(tree, labels(tree))


def heads_last(tree):
    """Names and fixed expressions are headed by their last word."""
    for role, name in (("<fixed>", "<fixed>"), ("<flat>", "nn")):
        for h in reversed(tree.tokens):
            parts = [t for t in tree.children(h, role) if t > h]
            nouns = [t for t in parts if name == "<fixed>" or tree.tag[t][:1] == "N"]
            if nouns:
                tree.promote(nouns[-1], name)
                for t in parts:
                    if t != nouns[-1]:
                        tree.role[t] = name


def dates(tree):
    """*May 5, 2003* is headed by the month."""
    for t in tree.tokens:
        if not begins_with_digit(tree.form[t]):
            continue
        parts = tree.children(t, "<bare>")
        months = [p for p in parts if p < t and tree.tag[p] == "NNP"]
        if months:
            tree.promote(months[0], "num")
            for p in parts:
                if p != months[0] and begins_with_digit(tree.form[p]):
                    tree.role[p] = "num"


def prepositions(tree):
    """Where a preposition heads its object, the object takes its place."""
    raised = set()
    for p in reversed(tree.tokens):
        if p in raised:
            continue
        for c in tree.children(p, "<complement>"):
            if tree.tag[c] in ("IN", "TO") and not tree.children(c):
                tree.role[c] = "<case>"
        found = tree.children(p, "<object>", "<complement>")
        if found:
            object_ = found[0]
            clause = tree.role[object_] == "<complement>"
            for d in tree.children(p):
                pair = tree.spelt([d, p])
                if d == p - 1 and not tree.children(d) and pair in PHRASAL_PREPOSITIONS:
                    tree.role[d] = "<case>"
            tree.promote(object_, "<case>")
            raised.add(object_)
            if tree.role[object_] not in ("conj", "root", "<agent>"):
                tree.role[object_] = "<gerund>" if clause else "<oblique>"
        elif tree.role[p] == "<preposition>":
            chained = [
                t for t in tree.children(p, "<oblique>", "<gerund>")
                if t > p and tree.children(t, "<case>")
            ]  # fmt: skip
            if chained:
                role = tree.role[chained[0]]
                tree.promote(chained[0], "<case>")
                tree.role[chained[0]] = role


def phrasal(tree):
    """Prepositions of two or three words that the tree has in pieces."""
    for x in tree.tokens:
        words = tree.words(x, "<case>") if tree.role[x] in (*PHRASES, "<gerund>") else []
        if not words or words[0] < 2:
            continue
        w = words[0] - 1
        if tree.role[w] == "advmod" and tree.spelt([w, *words]) in PHRASAL_PREPOSITIONS:
            if tree.head[x] == w:
                role = tree.role[x]
                tree.promote(x, "<case>")
                tree.role[x] = role
            elif tree.head[w] == tree.head[x] and not tree.children(w):
                tree.head[w], tree.role[w] = x, "<case>"
        elif (
            tree.head[x] == w
            and tree.words(w, "<case>") == [w - 1]
            and tree.spelt([w - 1, w, *words]) in PHRASAL_PREPOSITIONS
        ):
            tree.promote(x, "<case>")


def copulas(tree):
    """Adjectives and nouns head their copula; prepositional phrases, adverbs and clauses do not."""
    raised = set()
    for b in tree.tokens:
        predicates = tree.children(b, "<attribute>", "acomp")
        if tree.lemma[b] == "be" and predicates and b not in raised:
            if any(tree.form[e] == "there" for e in tree.children(b, "expl")):
                for p in predicates:
                    if tree.role[p] == "<attribute>":
                        tree.role[p] = "nsubj"
            else:
                tree.promote(predicates[0], "cop")
                raised.add(predicates[0])
    raised = set()
    for p in tree.tokens:
        copula = tree.children(p, "cop")
        if not copula or p in raised:
            continue
        b = copula[0]
        raised.add(b)
        case = tree.words(p, "<case>")
        if tree.children(p, "<outer>"):
            infinitive = any(tree.tag[t] == "TO" for t in tree.children(p, "mark", "aux"))
            own = tree.children(p, *SUBJECTS)
            open_ = (infinitive or tree.tag[p] == "VBG") and not own
            role = "xcomp" if open_ else "ccomp"
            before = {t for t in tree.children(p) if t < b}
            before.update(tree.children(p, "<outer>", "<silent>"))
            tree.promote(b, role, before.__contains__)
        elif case or tree.tag[p] in ("RB", "WRB", "RP"):
            limit = case[0] if case else p

            def clausal(t, limit=limit):
                if tree.role[t] == "conj":
                    return tree.tag[t][:1] == "V" or bool(tree.children(t, "cop"))
                return tree.role[t] in CLAUSAL or (tree.role[t] in ("advmod", "neg") and t < limit)

            tree.promote(b, "<oblique>" if case else "advmod", clausal)


def coordinations(tree):
    """Every conjunct hangs on the first, and has its own conjunction."""
    for c in tree.tokens:
        if tree.role[c] == "cc" and 0 < tree.head[c] < c:
            later = [t for t in tree.children(tree.head[c], "conj") if t > c]
            if later:
                tree.head[c] = later[0]
                tree.moved.add(c)
    for c in tree.tokens:
        first = tree.head[c]
        if tree.role[c] == "conj" and tree.role[first] == "conj":
            own = [t for t in tree.children(c, "cc") if t < c and t not in tree.moved]
            if not own:
                tree.head[c] = tree.head[first]


def orphans(tree):
    """What hung on a collapsed preposition hangs on its object; coordinated prepositions vanish."""
    for t in tree.tokens:
        if tree.role[t] == "<fixed>":
            continue
        while tree.head[t] and tree.head[tree.head[t]] and tree.role[tree.head[t]] == "<case>":
            tree.head[t] = tree.head[tree.head[t]]
            if tree.role[t] in ("conj", "cc"):
                tree.role[t] = "<silent>"


def labels(tree):
    """The label of each token, ``""`` for none, and which marks were collapsed."""
    found = [""] * (tree.size + 1)
    for t in tree.tokens:
        if tree.head[t]:
            found[t] = label(tree, t)
        elif tree.role[t] != "<silent>":
            found[t] = "root"
    return found


def label(tree, t):
    role, gov, tag = tree.role[t], tree.head[t], tree.tag[t]
    if role in ("<silent>", "<case>"):
        return ""
    if role == "<fixed>":
        silent = is_collapsed(tree, gov)
        return "" if silent else "mwe"
    if role == "cc":
        return "" if is_collapsed(tree, t) else "cc"
    if role == "mark":
        return "" if is_collapsed(tree, t) else "aux" if tag == "TO" else "mark"
    if role == "conj":
        return conjunction(tree, t)
    preposition = tree.preposition(t)
    if role in PHRASES:
        return phrase(tree, t, preposition)
    if role == "<agent>":
        return f"prep_{preposition}" if preposition not in ("", "by") else "agent"
    if role == "<gerund>":
        return f"prepc_{preposition}" if preposition else "pcomp"
    if role in CLAUSES:
        return clause(tree, t, preposition)
    passive = bool(tree.children(gov, "auxpass"))
    if role in ("nsubj", "<outer>"):
        return "nsubjpass" if passive else "nsubj"
    if role == "expl":
        return "expl" if tree.form[t] == "there" else "nsubj"
    if role == "csubj" and any(tree.form[e] != "there" for e in tree.children(gov, "expl")):
        infinitive = any(tree.tag[m] == "TO" for m in tree.children(t, "mark", "aux"))
        return "xcomp" if infinitive and not tree.children(t, *SUBJECTS) else "ccomp"
    if role == "csubj":
        return "csubjpass" if passive else "csubj"
    if role == "advmod":
        if tree.role[gov] == "cc" and is_collapsed(tree, gov):
            return ""
        if preposition:
            return f"prep_{preposition}"
        if tree.form[t] in NEGATIONS:
            return "neg"
        return "quantmod" if tree.tag[gov] == "CD" else "advmod"
    if role == "det":
        return "neg" if tree.form[t] == "no" else "det"
    if role in ("nn", "num") and tag == "CD":
        return "number" if tree.tag[gov] == "CD" else "num"
    if role == "amod" and tag[:1] == "N":
        return "nn"
    return {
        "<flat>": "nn",
        "<attribute>": "xcomp",
        "<dative>": "iobj",
        "<preposition>": "prep",
        "<object>": "pobj",
        "<complement>": "pcomp",
        "root": "dep",
    }.get(role, role)


def phrase(tree, t, preposition):
    gov = tree.head[t]
    if preposition:
        return f"prep_{preposition}"
    if tree.role[t] == "<nominal>":
        if any(tree.tag[c] == "POS" for c in tree.children(t, "<case>")):
            return "poss"
        return "nn" if tree.tag[t][:1] == "N" else "dep"
    if tree.role[t] == "<oblique>" and tree.tag[t] in ("IN", "TO"):
        return "prep"
    measures = t < gov and (tree.tag[gov][:2] in ("RB", "JJ") or tree.tag[gov] == "IN")
    return "tmod" if tree.lemma[t] in TIME_WORDS and not measures else "npadvmod"


def clause(tree, t, preposition):
    role, gov, tag = tree.role[t], tree.head[t], tree.tag[t]
    verbal = tag[:1] == "V"
    if preposition:
        return f"prepc_{preposition}" if verbal else f"prep_{preposition}"
    opener = opening_preposition(tree, t)
    if opener:
        return f"prepc_{tree.spelt(mark_words(tree, opener))}"
    if role == "<clause>":
        marks = tree.children(t, "mark")
        if any(tree.form[m] in COMPLEMENTISERS for m in marks):
            return "ccomp"
        if verbal or any(tree.tag[m] == "TO" for m in tree.children(t, "mark", "aux")):
            return "vmod"
        if tree.children(t, "cop", *SUBJECTS):
            return "ccomp"
        return "amod" if tag[:2] == "JJ" else "dep"
    if role == "xcomp" and tag[:2] == "JJ":
        own = tree.children(t, "cop", "aux", "auxpass", "mark")
        objects = tree.children(gov, "dobj", "nsubjpass", "auxpass")
        return "xcomp" if own or objects else "acomp"
    return role


def mark_words(tree, mark):
    return sorted([mark, *tree.children(mark, "<fixed>")])


def opening_preposition(tree, t):
    """The mark of clause ``t`` that is a preposition before a gerund, or 0."""
    verbs = tree.children(t, "aux", "auxpass", "cop") + [t] * (tree.tag[t][:1] == "V")
    if not verbs or tree.tag[min(verbs)] != "VBG":
        return 0
    for m in tree.children(t, "mark"):
        if tree.tag[m] in ("IN", "TO") and tree.form[mark_words(tree, m)[0]] not in SUBORDINATORS:
            return m
    return 0


def is_collapsed(tree, t):
    """Whether a function word is part of another word's label."""
    head = tree.head[t]
    if head == 0:
        return False
    if tree.role[t] == "cc":
        return tree.role[head] == "conj" and (t < head or t in tree.moved)
    if tree.role[t] == "mark":
        if tree.role[head] not in CLAUSES or tree.head[head] == 0 or tree.preposition(head):
            return False
        return opening_preposition(tree, head) == t
    return tree.role[t] == "<case>"


def conjunction(tree, t):
    siblings = tree.children(tree.head[t], "conj")
    ccs = {s: [c for c in tree.children(s, "cc") if is_collapsed(tree, c)] for s in siblings}
    before = [s for s in siblings if s <= t and ccs[s]]
    after = [s for s in siblings if s > t and ccs[s]]
    if not before and not after:
        return "conj"
    cc = ccs[before[-1] if before else after[0]][0]
    # "as well as" is a fixed expression in one scheme, a conjunction with adverbs in the other
    words = sorted([cc, *tree.children(cc, "<fixed>", "advmod")])
    known = [CONJUNCTIONS[tree.form[w]] for w in words if tree.form[w] in CONJUNCTIONS]
    return f"conj_{known[0] if known else tree.spelt(sorted([cc, *tree.children(cc, '<fixed>')]))}"


def relations(tree, label):
    tokens, head, tag = tree.tokens, tree.head, tree.tag
    found = [(label[t], head[t], t) for t in tokens if label[t]]

    def below(gov, *names):
        return [t for t in tokens if head[t] == gov and label[t] in names]

    subject = {t: (label[s[0]], s[0]) for t in tokens if (s := below(t, *SUBJECTS))}
    inherited = {}
    for d in tokens:
        g = head[d]
        if tree.role[d] != "conj" or g == 0:
            continue
        # the first conjunct's governor is every conjunct's
        new = label[g]
        relative = below(g, "rcmod") and below(d, "rcmod") and new in ("dobj", "nsubj")
        if head[g] and new and not relative:
            preposition = tree.preposition(d)
            if new.startswith("prep_") and preposition:
                new = f"prep_{preposition}"
            found.append((new, head[g], d))
        # and so is its subject, if the other conjunct is a verb without one
        if g in subject and d not in subject and (tag[d][:1] == "V" or tag[d][:2] == "JJ"):
            name, s = subject[g]
            if tag[d] in ("VB", "VBZ", "VBP") or tag[d][:2] == "JJ":
                name = name.removesuffix("pass")
            elif below(d, "auxpass"):
                name = name.removesuffix("pass") + "pass"
            inherited[d] = (name, s)
    found += [(name, d, s) for d, (name, s) in inherited.items()]
    for t in tokens:
        gov = head[t]
        infinitive = any(tag[a] == "TO" for a in below(t, "aux"))
        if label[t] == "xcomp" and gov and infinitive and t not in subject:
            objects = below(gov, "dobj", "iobj")
            _, controller = subject.get(gov) or inherited.get(gov) or ("", 0)
            controller = objects[0] if objects else controller
            if controller and controller != t:
                found.append(("xsubj", t, controller))
    return sorted(found, key=lambda relation: (relation[1] != 0, relation[2]))
