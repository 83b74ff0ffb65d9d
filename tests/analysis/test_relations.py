"""Parses as collapsed, cc-processed Stanford dependencies: short sentences whose analysis is beyond dispute.

A tree is written ``form/tag/head/label`` for each token. Expected relations are those of the Stanford typed
dependencies manual (de Marneffe & Manning 2008, revised for parser 3.3) for the same construction, or its own
example where the comment says so.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from metaphrase.analysis.relations import (
    RELATION_COLUMNS,
    Relation,
    collapse,
    collapsed,
    entity_types,
)
from metaphrase.analysis.sentence import Batch, Sentence
from metaphrase.errors import InputError, OptionError

#: Trees of Universal Dependencies in other languages, with tags of Penn's set, and their relations.
OTHER_LANGUAGES = [
    (
        "de",
        "Das/DT/2/det Buch/NN/6/nsubj:pass wurde/VB/6/aux:pass von/IN/5/case ihr/PRP/6/obl "
        "gelesen/VBN/0/root",
        "root(ROOT,gelesen) det(Buch,Das) nsubjpass(gelesen,Buch) auxpass(gelesen,wurde) "
        "agent(gelesen,ihr)",
    ),
    (
        # Without a passive "von" is a preposition like any other.
        "de",
        "Sie/PRP/2/nsubj träumt/VB/0/root von/IN/4/case Häusern/NN/2/obl",
        "root(ROOT,träumt) nsubj(träumt,Sie) prep_von(träumt,Häusern)",
    ),
    (
        "de",
        "keine/DT/2/det Katze/NN/4/nsubj nicht/RP/4/advmod schläft/VB/0/root montag/NN/4/obl",
        "root(ROOT,schläft) neg(Katze,keine) nsubj(schläft,Katze) neg(schläft,nicht) "
        "tmod(schläft,montag)",
    ),
    (
        "de",
        "Seine/DT/2/det:poss Wahl/NN/0/root des/DT/4/det Kanzlers/NN/2/nmod sowie/CC/6/cc "
        "Ministers/NN/4/conj",
        "root(ROOT,Wahl) poss(Wahl,Seine) det(Kanzlers,des) nn(Wahl,Kanzlers) "
        "conj_und(Kanzlers,Ministers) nn(Wahl,Ministers)",
    ),
    (
        "fr",
        "ne/RB/4/advmod sera/VB/4/aux:pass pas/RB/4/advmod lu/VB/0/root par/IN/6/case "
        "elle/PRP/4/obl:agent",
        "root(ROOT,lu) neg(lu,ne) auxpass(lu,sera) neg(lu,pas) agent(lu,elle)",
    ),
    (
        "es",
        "ningún/DT/2/det libro/NN/4/nsubj:pass fue/VB/4/aux:pass leído/VB/0/root por/IN/6/case "
        "ella/PRP/4/obl:agent",
        "root(ROOT,leído) neg(libro,ningún) nsubjpass(leído,libro) auxpass(leído,fue) "
        "agent(leído,ella)",
    ),
]


@pytest.mark.parametrize(("lang", "parse", "relations"), OTHER_LANGUAGES)
def test_other_languages_have_words_of_their_own(lang: str, parse: str, relations: str) -> None:
    sentence = tree(parse)
    words = ("ROOT", *sentence.form)
    found = collapse(Batch.pack([sentence], RELATION_COLUMNS), lang=lang)[0]
    spelt_out = " ".join(f"{r.label}({words[r.governor]},{words[r.dependent]})" for r in found)
    assert spelt_out == relations


def test_languages_without_words_are_refused() -> None:
    with pytest.raises(OptionError, match=r"MP531.*cannot be collapsed"):
        collapse(Batch.pack([tree("a/DT/0/root")], RELATION_COLUMNS), lang="ja")


BE = {"is", "was", "are", "were", "'s", "been", "being", "am", "be"}
SINGULAR = {"days": "day", "weeks": "week", "years": "year"}


def tree(text: str) -> Sentence:
    cells = [token.rsplit("/", 3) for token in text.split()]
    form = tuple(cell[0] for cell in cells)
    lower = [word.lower() for word in form]
    lemma = tuple("be" if word in BE else SINGULAR.get(word, word) for word in lower)
    start = tuple(sum(len(word) + 1 for word in form[:i]) for i in range(len(form)))
    return Sentence(
        " ".join(form),
        form,
        start,
        tuple(at + len(word) for at, word in zip(start, form, strict=True)),
        lemma=lemma,
        tag=tuple(cell[1] for cell in cells),
        head=tuple(int(cell[2]) for cell in cells),
        relation=tuple(cell[3] for cell in cells),
    )


def spelt(sentence: Sentence) -> str:
    words = ("ROOT", *sentence.form)
    return " ".join(
        f"{r.label}({words[r.governor]},{words[r.dependent]})" for r in collapsed(sentence)
    )


#: Constructions: their trees in Universal Dependencies and, where it is another, in spaCy's CLEAR; their
#: relations as Stanford dependencies.
CONSTRUCTIONS = """
# The candidate and the reference of UPF-Cobalt's sample; relations from its parse files.
passive with agent:
  UD    The/DT/2/det document/NN/4/nsubj:pass was/VBD/4/aux:pass discussed/VBN/0/root by/IN/7/case
        the/DT/7/det government/NN/4/obl:agent ././4/punct
  CLEAR The/DT/2/det document/NN/4/nsubjpass was/VBD/4/auxpass discussed/VBN/0/ROOT by/IN/4/agent
        the/DT/7/det government/NN/5/pobj ././4/punct
  SD    root(ROOT,discussed) det(document,The) nsubjpass(discussed,document)
        auxpass(discussed,was) det(government,the) agent(discussed,government)
active:
  UD    The/DT/2/det government/NN/4/nsubj has/VBZ/4/aux discussed/VBN/0/root the/DT/6/det
        document/NN/4/obj ././4/punct
  CLEAR The/DT/2/det government/NN/4/nsubj has/VBZ/4/aux discussed/VBN/0/ROOT the/DT/6/det
        document/NN/4/dobj ././4/punct
  SD    root(ROOT,discussed) det(government,The) nsubj(discussed,government) aux(discussed,has)
        det(document,the) dobj(discussed,document)
# UPF-Cobalt's Table 3: the parses that reproduce its four printed figures.
Table 3, reference: possessive:
  UD    An/DT/3/det Obama/NNP/3/compound voter/NN/5/nmod:poss 's/POS/3/case cry/NN/0/root
        of/IN/7/case despair/NN/5/nmod
  CLEAR An/DT/3/det Obama/NNP/3/compound voter/NN/5/poss 's/POS/3/case cry/NN/0/ROOT of/IN/5/prep
        despair/NN/6/pobj
  SD    root(ROOT,cry) det(voter,An) nn(voter,Obama) poss(cry,voter) prep_of(cry,despair)
Table 3, first candidate: prepositional phrases of nouns:
  UD    The/DT/2/det cry/NN/0/root of/IN/4/case despair/NN/2/nmod of/IN/7/case a/DT/7/det
        voter/NN/2/nmod for/IN/9/case Obama/NNP/7/nmod
  CLEAR The/DT/2/det cry/NN/0/ROOT of/IN/2/prep despair/NN/3/pobj of/IN/2/prep a/DT/7/det
        voter/NN/5/pobj for/IN/7/prep Obama/NNP/8/pobj
  SD    root(ROOT,cry) det(cry,The) prep_of(cry,despair) det(voter,a) prep_of(cry,voter)
        prep_for(voter,Obama)
Table 3, second candidate: apposition:
  UD    The/DT/2/det cry/NN/0/root of/IN/4/case despair/NN/2/nmod of/IN/7/case a/DT/7/det
        voter/NN/4/nmod Obama/NNP/2/appos
  CLEAR The/DT/2/det cry/NN/0/ROOT of/IN/2/prep despair/NN/3/pobj of/IN/4/prep a/DT/7/det
        voter/NN/5/pobj Obama/NNP/2/appos
  SD    root(ROOT,cry) det(cry,The) prep_of(cry,despair) det(voter,a) prep_of(despair,voter)
        appos(cry,Obama)
# The manual's own example; relations as the parser printed them (partmod is vmod since 3.3).
coordination of verbs and of modifiers:
  UD    Bell/NNP/8/nsubj ,/,/3/punct based/VBN/1/acl in/IN/5/case Los/NNP/3/obl Angeles/NNP/5/flat
        ,/,/3/punct makes/VBZ/0/root and/CC/10/cc distributes/VBZ/8/conj electronic/JJ/16/amod
        ,/,/13/punct computer/NN/11/conj and/CC/15/cc building/NN/11/conj products/NNS/8/obj
        ././8/punct
  CLEAR Bell/NNP/8/nsubj ,/,/1/punct based/VBN/1/acl in/IN/3/prep Los/NNP/6/compound
        Angeles/NNP/4/pobj ,/,/1/punct makes/VBZ/0/ROOT and/CC/8/cc distributes/VBZ/8/conj
        electronic/JJ/16/amod ,/,/11/punct computer/NN/11/conj and/CC/13/cc building/NN/13/conj
        products/NNS/8/dobj ././8/punct
  SD    root(ROOT,makes) nsubj(makes,Bell) nsubj(distributes,Bell) vmod(Bell,based)
        nn(Angeles,Los) prep_in(based,Angeles) conj_and(makes,distributes)
        amod(products,electronic) conj_and(electronic,computer) amod(products,computer)
        conj_and(electronic,building) amod(products,building) dobj(makes,products)
coordination of subjects:
  UD    Bill/NNP/4/nsubj and/CC/3/cc Ann/NNP/1/conj left/VBD/0/root
  CLEAR Bill/NNP/4/nsubj and/CC/1/cc Ann/NNP/1/conj left/VBD/0/ROOT
  SD    root(ROOT,left) nsubj(left,Bill) conj_and(Bill,Ann) nsubj(left,Ann)
coordination of objects:
  UD    He/PRP/2/nsubj bought/VBD/0/root apples/NNS/2/obj ,/,/5/punct pears/NNS/3/conj or/CC/7/cc
        plums/NNS/3/conj
  CLEAR He/PRP/2/nsubj bought/VBD/0/ROOT apples/NNS/2/dobj ,/,/3/punct pears/NNS/3/conj or/CC/5/cc
        plums/NNS/5/conj
  SD    root(ROOT,bought) nsubj(bought,He) dobj(bought,apples) conj_or(apples,pears)
        dobj(bought,pears) conj_or(apples,plums) dobj(bought,plums)
coordination of prepositional phrases:
  UD    They/PRP/2/nsubj fly/VBP/0/root to/IN/4/case Serbia/NNP/2/obl or/CC/7/cc from/IN/7/case
        Spain/NNP/4/conj
  CLEAR They/PRP/2/nsubj fly/VBP/0/ROOT to/IN/2/prep Serbia/NNP/3/pobj or/CC/3/cc from/IN/3/conj
        Spain/NNP/6/pobj
  SD    root(ROOT,fly) nsubj(fly,They) prep_to(fly,Serbia) conj_or(Serbia,Spain)
        prep_from(fly,Spain)
coordination of objects of one preposition:
  UD    cats/NNS/0/root of/IN/3/case Rome/NNP/1/nmod and/CC/5/cc Oslo/NNP/3/conj
  CLEAR cats/NNS/0/ROOT of/IN/1/prep Rome/NNP/2/pobj and/CC/3/cc Oslo/NNP/3/conj
  SD    root(ROOT,cats) prep_of(cats,Rome) conj_and(Rome,Oslo) prep_of(cats,Oslo)
a conjoined verb with a subject of its own:
  UD    He/PRP/2/nsubj came/VBD/0/root but/CC/5/cc she/PRP/5/nsubj left/VBD/2/conj
  CLEAR He/PRP/2/nsubj came/VBD/0/ROOT but/CC/2/cc she/PRP/5/nsubj left/VBD/2/conj
  SD    root(ROOT,came) nsubj(came,He) nsubj(left,she) conj_but(came,left)
an active verb conjoined with a passive one:
  UD    It/PRP/3/nsubj:pass was/VBD/3/aux:pass sold/VBN/0/root and/CC/5/cc moves/VBZ/3/conj
  CLEAR It/PRP/3/nsubjpass was/VBD/3/auxpass sold/VBN/0/ROOT and/CC/3/cc moves/VBZ/3/conj
  SD    root(ROOT,sold) nsubjpass(sold,It) nsubj(moves,It) auxpass(sold,was) conj_and(sold,moves)
as well as:
  UD    dogs/NNS/0/root as/RB/5/cc well/RB/2/fixed as/IN/2/fixed cats/NNS/1/conj
  CLEAR dogs/NNS/0/ROOT as/RB/4/advmod well/RB/4/advmod as/IN/1/cc cats/NNS/1/conj
  SD    root(ROOT,dogs) conj_and(dogs,cats)
rather than:
  UD    tea/NN/0/root rather/RB/4/cc than/IN/2/fixed coffee/NN/1/conj
  SD    root(ROOT,tea) conj_negcc(tea,coffee)
a coordination inside a coordination:
  UD    tea/NN/0/root and/CC/3/cc milk/NN/1/conj or/CC/5/cc cream/NN/3/conj
  SD    root(ROOT,tea) conj_and(tea,milk) conj_or(milk,cream) conj_and(tea,cream)
no conjunction at all:
  UD    tea/NN/0/root ,/,/3/punct coffee/NN/1/conj
  CLEAR tea/NN/0/ROOT ,/,/1/punct coffee/NN/1/conj
  SD    root(ROOT,tea) conj(tea,coffee)
a conjunction with nothing before it:
  UD    And/CC/3/cc he/PRP/3/nsubj left/VBD/0/root
  CLEAR And/CC/3/cc he/PRP/3/nsubj left/VBD/0/ROOT
  SD    root(ROOT,left) cc(left,And) nsubj(left,he)
# The manual's example of preconj.
both … and:
  UD    Both/CC/3/cc:preconj the/DT/3/det boys/NNS/7/nsubj and/CC/6/cc the/DT/6/det
        girls/NNS/3/conj sing/VBP/0/root
  CLEAR Both/CC/3/preconj the/DT/3/det boys/NNS/7/nsubj and/CC/3/cc the/DT/6/det girls/NNS/3/conj
        sing/VBP/0/ROOT
  SD    root(ROOT,sing) preconj(boys,Both) det(boys,the) nsubj(sing,boys) det(girls,the)
        conj_and(boys,girls) nsubj(sing,girls)
# The manual's example of predet.
all the boys:
  UD    All/DT/3/det:predet the/DT/3/det boys/NNS/5/nsubj are/VBP/5/cop here/RB/0/root
  CLEAR All/DT/3/predet the/DT/3/det boys/NNS/4/nsubj are/VBP/0/ROOT here/RB/4/advmod
  SD    root(ROOT,are) predet(boys,All) det(boys,the) nsubj(are,boys) advmod(are,here)
# The manual's examples of cop and neg.
predicate adjective:
  UD    Bill/NNP/3/nsubj is/VBZ/3/cop big/JJ/0/root
  CLEAR Bill/NNP/2/nsubj is/VBZ/0/ROOT big/JJ/2/acomp
  SD    root(ROOT,big) nsubj(big,Bill) cop(big,is)
predicate noun, negated:
  UD    Bill/NNP/5/nsubj is/VBZ/5/cop not/RB/5/advmod a/DT/5/det scientist/NN/0/root
  CLEAR Bill/NNP/2/nsubj is/VBZ/0/ROOT not/RB/2/neg a/DT/5/det scientist/NN/2/attr
  SD    root(ROOT,scientist) nsubj(scientist,Bill) cop(scientist,is) neg(scientist,not)
        det(scientist,a)
prepositional predicate:
  UD    He/PRP/6/nsubj is/VBZ/6/cop not/RB/6/advmod in/IN/6/case the/DT/6/det house/NN/0/root
        today/NN/6/obl:unmarked
  CLEAR He/PRP/2/nsubj is/VBZ/0/ROOT not/RB/2/neg in/IN/2/prep the/DT/6/det house/NN/4/pobj
        today/NN/2/npadvmod
  SD    root(ROOT,is) nsubj(is,He) neg(is,not) det(house,the) prep_in(is,house) tmod(is,today)
# The manual's example of expl.
there is:
  UD    There/EX/2/expl is/VBZ/0/root a/DT/4/det ghost/NN/2/nsubj in/IN/7/case the/DT/7/det
        room/NN/2/obl
  CLEAR There/EX/2/expl is/VBZ/0/ROOT a/DT/4/det ghost/NN/2/attr in/IN/2/prep the/DT/7/det
        room/NN/5/pobj
  SD    root(ROOT,is) expl(is,There) det(ghost,a) nsubj(is,ghost) det(room,the) prep_in(is,room)
# In the manual expl is existential "there" alone.
it, and the clause it announces:
  UD    It/PRP/3/expl is/VBZ/3/cop true/JJ/0/root that/IN/6/mark he/PRP/6/nsubj left/VBD/3/csubj
  CLEAR It/PRP/2/nsubj is/VBZ/0/ROOT true/JJ/2/acomp that/IN/6/mark he/PRP/6/nsubj
        left/VBD/2/ccomp
  SD    root(ROOT,true) nsubj(true,It) cop(true,is) mark(left,that) nsubj(left,he)
        ccomp(true,left)
clausal predicate:
  UD    The/DT/2/det goal/NN/5/nsubj:outer is/VBZ/5/cop to/TO/5/mark win/VB/0/root
  CLEAR The/DT/2/det goal/NN/3/nsubj is/VBZ/0/ROOT to/TO/5/aux win/VB/3/xcomp
  SD    root(ROOT,is) det(goal,The) nsubj(is,goal) xsubj(win,goal) aux(win,to) xcomp(is,win)
a clause with a subject as predicate:
  UD    The/DT/2/det fact/NN/6/nsubj:outer is/VBZ/6/cop that/IN/6/mark he/PRP/6/nsubj
        left/VBD/0/root
  CLEAR The/DT/2/det fact/NN/3/nsubj is/VBZ/0/ROOT that/IN/6/mark he/PRP/6/nsubj left/VBD/3/ccomp
  SD    root(ROOT,is) det(fact,The) nsubj(is,fact) mark(left,that) nsubj(left,he) ccomp(is,left)
# The manual's example of acomp.
adjectival complement:
  UD    She/PRP/2/nsubj looks/VBZ/0/root very/RB/4/advmod beautiful/JJ/2/xcomp
  CLEAR She/PRP/2/nsubj looks/VBZ/0/ROOT very/RB/4/advmod beautiful/JJ/2/acomp
  SD    root(ROOT,looks) nsubj(looks,She) advmod(beautiful,very) acomp(looks,beautiful)
object predicate:
  UD    We/PRP/2/nsubj consider/VBP/0/root him/PRP/2/obj honest/JJ/2/xcomp
  CLEAR We/PRP/2/nsubj consider/VBP/0/ROOT him/PRP/2/dobj honest/JJ/2/oprd
  SD    root(ROOT,consider) nsubj(consider,We) dobj(consider,him) xcomp(consider,honest)
nominal complement:
  UD    He/PRP/2/nsubj became/VBD/0/root president/NN/2/xcomp
  CLEAR He/PRP/2/nsubj became/VBD/0/ROOT president/NN/2/attr
  SD    root(ROOT,became) nsubj(became,He) xcomp(became,president)
# The manual's example of xsubj.
subject of an infinitive:
  UD    Tom/NNP/2/nsubj likes/VBZ/0/root to/TO/4/mark eat/VB/2/xcomp fish/NN/4/obj
  CLEAR Tom/NNP/2/nsubj likes/VBZ/0/ROOT to/TO/4/aux eat/VB/2/xcomp fish/NN/4/dobj
  SD    root(ROOT,likes) nsubj(likes,Tom) xsubj(eat,Tom) aux(eat,to) xcomp(likes,eat)
        dobj(eat,fish)
object of the main verb as subject of an infinitive:
  UD    We/PRP/2/nsubj asked/VBD/0/root him/PRP/2/obj to/TO/5/mark go/VB/2/xcomp
  CLEAR We/PRP/2/nsubj asked/VBD/0/ROOT him/PRP/2/dobj to/TO/5/aux go/VB/2/xcomp
  SD    root(ROOT,asked) nsubj(asked,We) dobj(asked,him) xsubj(go,him) aux(go,to) xcomp(asked,go)
# The manual's example of ccomp.
clausal complement:
  UD    He/PRP/2/nsubj says/VBZ/0/root that/IN/5/mark you/PRP/5/nsubj like/VBP/2/ccomp
        to/TO/7/mark swim/VB/5/xcomp
  CLEAR He/PRP/2/nsubj says/VBZ/0/ROOT that/IN/5/mark you/PRP/5/nsubj like/VBP/2/ccomp to/TO/7/aux
        swim/VB/5/xcomp
  SD    root(ROOT,says) nsubj(says,He) mark(like,that) nsubj(like,you) xsubj(swim,you)
        ccomp(says,like) aux(swim,to) xcomp(like,swim)
complement clause of a noun:
  UD    the/DT/2/det fact/NN/0/root that/IN/5/mark he/PRP/5/nsubj left/VBD/2/acl
  CLEAR the/DT/2/det fact/NN/0/ROOT that/IN/5/mark he/PRP/5/nsubj left/VBD/2/acl
  SD    root(ROOT,fact) det(fact,the) mark(left,that) nsubj(left,he) ccomp(fact,left)
# The manual's example of prepc.
gerund after a preposition:
  UD    He/PRP/2/nsubj purchased/VBD/0/root it/PRP/2/obj without/IN/5/mark paying/VBG/2/advcl
        a/DT/7/det premium/NN/5/obj
  CLEAR He/PRP/2/nsubj purchased/VBD/0/ROOT it/PRP/2/dobj without/IN/2/prep paying/VBG/4/pcomp
        a/DT/7/det premium/NN/5/dobj
  SD    root(ROOT,purchased) nsubj(purchased,He) dobj(purchased,it)
        prepc_without(purchased,paying) det(premium,a) dobj(paying,premium)
gerund of a noun:
  UD    the/DT/2/det idea/NN/0/root of/IN/4/mark leaving/VBG/2/acl
  CLEAR the/DT/2/det idea/NN/0/ROOT of/IN/2/prep leaving/VBG/3/pcomp
  SD    root(ROOT,idea) det(idea,the) prepc_of(idea,leaving)
instead of a gerund:
  UD    Stay/VB/0/root instead/RB/4/mark of/IN/2/fixed leaving/VBG/1/advcl
  SD    root(ROOT,Stay) prepc_instead_of(Stay,leaving)
a conjunction before a gerund:
  UD    He/PRP/2/nsubj sang/VBD/0/root while/IN/4/mark working/VBG/2/advcl
  CLEAR He/PRP/2/nsubj sang/VBD/0/ROOT while/IN/4/mark working/VBG/2/advcl
  SD    root(ROOT,sang) nsubj(sang,He) mark(working,while) advcl(sang,working)
# The manual's example of advcl.
adverbial clause:
  UD    He/PRP/2/nsubj talked/VBD/0/root after/IN/5/mark you/PRP/5/nsubj left/VBD/2/advcl
  CLEAR He/PRP/2/nsubj talked/VBD/0/ROOT after/IN/5/mark you/PRP/5/nsubj left/VBD/2/advcl
  SD    root(ROOT,talked) nsubj(talked,He) mark(left,after) nsubj(left,you) advcl(talked,left)
# The manual's example of rcmod; ref is not generated.
relative clause:
  UD    I/PRP/2/nsubj saw/VBD/0/root the/DT/4/det man/NN/2/obj who/WP/7/nsubj you/PRP/7/nsubj
        love/VBP/4/acl:relcl
  CLEAR I/PRP/2/nsubj saw/VBD/0/ROOT the/DT/4/det man/NN/2/dobj who/WP/7/nsubj you/PRP/7/nsubj
        love/VBP/4/relcl
  SD    root(ROOT,saw) nsubj(saw,I) det(man,the) dobj(saw,man) nsubj(love,who) nsubj(love,you)
        rcmod(man,love)
# The manual's examples of vmod.
participle after a noun:
  UD    Truffles/NNS/0/root picked/VBN/1/acl during/IN/5/case the/DT/5/det spring/NN/2/obl
  CLEAR Truffles/NNS/0/ROOT picked/VBN/1/acl during/IN/2/prep the/DT/5/det spring/NN/3/pobj
  SD    root(ROOT,Truffles) vmod(Truffles,picked) det(spring,the) prep_during(picked,spring)
infinitive after a noun:
  UD    points/NNS/0/root to/TO/3/mark establish/VB/1/acl
  CLEAR points/NNS/0/ROOT to/TO/3/aux establish/VB/1/acl
  SD    root(ROOT,points) aux(establish,to) vmod(points,establish)
adjective phrase after a noun:
  UD    men/NNS/0/root afraid/JJ/1/acl of/IN/4/case mice/NNS/2/obl
  SD    root(ROOT,men) amod(men,afraid) prep_of(afraid,mice)
two objects:
  UD    She/PRP/2/nsubj gave/VBD/0/root me/PRP/2/iobj a/DT/5/det raise/NN/2/obj
  CLEAR She/PRP/2/nsubj gave/VBD/0/ROOT me/PRP/2/dative a/DT/5/det raise/NN/2/dobj
  SD    root(ROOT,gave) nsubj(gave,She) iobj(gave,me) det(raise,a) dobj(gave,raise)
an object with a preposition:
  UD    She/PRP/2/nsubj gave/VBD/0/root it/PRP/2/obj to/IN/5/case me/PRP/2/obl
  CLEAR She/PRP/2/nsubj gave/VBD/0/ROOT it/PRP/2/dobj to/IN/2/dative me/PRP/4/pobj
  SD    root(ROOT,gave) nsubj(gave,She) dobj(gave,it) prep_to(gave,me)
# The manual's examples of tmod and npadvmod.
a time:
  UD    Last/JJ/2/amod night/NN/4/obl:unmarked I/PRP/4/nsubj swam/VBD/0/root
  CLEAR Last/JJ/2/amod night/NN/4/npadvmod I/PRP/4/nsubj swam/VBD/0/ROOT
  SD    root(ROOT,swam) amod(night,Last) tmod(swam,night) nsubj(swam,I)
a measure:
  UD    The/DT/2/det director/NN/6/nsubj is/VBZ/6/cop 65/CD/5/nummod years/NNS/6/obl:unmarked
        old/JJ/0/root
  CLEAR The/DT/2/det director/NN/3/nsubj is/VBZ/0/ROOT 65/CD/5/nummod years/NNS/6/npadvmod
        old/JJ/3/acomp
  SD    root(ROOT,old) det(director,The) nsubj(old,director) cop(old,is) num(years,65)
        npadvmod(old,years)
a date:
  UD    It/PRP/2/nsubj began/VBD/0/root on/IN/5/case May/NNP/5/nmod:unmarked 5/CD/2/obl
        ,/,/7/punct 2003/CD/5/nmod:unmarked
  CLEAR It/PRP/2/nsubj began/VBD/0/ROOT on/IN/2/prep May/NNP/3/pobj 5/CD/4/nummod ,/,/4/punct
        2003/CD/4/nummod
  SD    root(ROOT,began) nsubj(began,It) prep_on(began,May) num(May,5) num(May,2003)
# The manual's examples of num, number and quantmod.
a number:
  UD    Sam/NNP/2/nsubj ate/VBD/0/root 3/CD/4/nummod sheep/NNS/2/obj
  CLEAR Sam/NNP/2/nsubj ate/VBD/0/ROOT 3/CD/4/nummod sheep/NNS/2/dobj
  SD    root(ROOT,ate) nsubj(ate,Sam) num(sheep,3) dobj(ate,sheep)
a number of two words:
  UD    I/PRP/2/nsubj lost/VBD/0/root $/$/2/obj 3.2/CD/5/compound billion/CD/3/nummod
  CLEAR I/PRP/2/nsubj lost/VBD/0/ROOT $/$/2/dobj 3.2/CD/5/compound billion/CD/3/nummod
  SD    root(ROOT,lost) nsubj(lost,I) dobj(lost,$) number(billion,3.2) num($,billion)
about 200:
  UD    About/RB/2/advmod 200/CD/3/nummod people/NNS/4/nsubj came/VBD/0/root
  CLEAR About/RB/2/advmod 200/CD/3/nummod people/NNS/4/nsubj came/VBD/0/ROOT
  SD    root(ROOT,came) quantmod(200,About) num(people,200) nsubj(came,people)
# The manual's example of mwe in quantities.
more than 200:
  UD    more/JJR/3/advmod than/IN/1/fixed 200/CD/4/nummod people/NNS/0/root
  SD    root(ROOT,people) mwe(than,more) quantmod(200,than) num(people,200)
# The manual's examples of nn and prt.
noun compound:
  UD    Oil/NN/3/compound price/NN/3/compound futures/NNS/0/root
  CLEAR Oil/NN/3/compound price/NN/3/compound futures/NNS/0/ROOT
  SD    root(ROOT,futures) nn(futures,Oil) nn(futures,price)
an adjective inside a name:
  UD    the/DT/3/det Superior/NNP/3/amod Court/NNP/0/root
  CLEAR the/DT/3/det Superior/NNP/3/compound Court/NNP/0/ROOT
  SD    root(ROOT,Court) det(Court,the) nn(Court,Superior)
a version:
  UD    Reader/NN/0/root 4.0/CD/1/compound
  CLEAR Reader/NN/0/ROOT 4.0/CD/1/nummod
  SD    root(ROOT,Reader) num(Reader,4.0)
name with title:
  UD    President/NNP/2/nmod:desc Barack/NNP/4/nsubj Obama/NNP/2/flat spoke/VBD/0/root
  CLEAR President/NNP/3/compound Barack/NNP/3/compound Obama/NNP/4/nsubj spoke/VBD/0/ROOT
  SD    root(ROOT,spoke) nn(Obama,President) nn(Obama,Barack) nsubj(spoke,Obama)
particle:
  UD    They/PRP/2/nsubj shut/VBD/0/root down/RP/2/compound:prt the/DT/5/det station/NN/2/obj
  CLEAR They/PRP/2/nsubj shut/VBD/0/ROOT down/RP/2/prt the/DT/5/det station/NN/2/dobj
  SD    root(ROOT,shut) nsubj(shut,They) prt(shut,down) det(station,the) dobj(shut,station)
negative determiner:
  UD    No/DT/2/det man/NN/3/nsubj came/VBD/0/root
  CLEAR No/DT/2/det man/NN/3/nsubj came/VBD/0/ROOT
  SD    root(ROOT,came) neg(man,No) nsubj(came,man)
possessive pronoun:
  UD    their/PRP$/2/nmod:poss offices/NNS/0/root
  CLEAR their/PRP$/2/poss offices/NNS/0/ROOT
  SD    root(ROOT,offices) poss(offices,their)
a preposition of two words:
  UD    He/PRP/2/nsubj cried/VBD/0/root because/IN/5/case of/IN/3/fixed you/PRP/2/obl
  CLEAR He/PRP/2/nsubj cried/VBD/0/ROOT because/IN/2/prep of/IN/3/pcomp you/PRP/3/pobj
  SD    root(ROOT,cried) nsubj(cried,He) prep_because_of(cried,you)
one preposition below another:
  UD    She/PRP/2/nsubj ran/VBD/0/root out/IN/6/case of/IN/6/case the/DT/6/det house/NN/2/obl
  CLEAR She/PRP/2/nsubj ran/VBD/0/ROOT out/IN/2/prep of/IN/3/prep the/DT/6/det house/NN/4/pobj
  SD    root(ROOT,ran) nsubj(ran,She) det(house,the) prep_out_of(ran,house)
such as:
  UD    fruit/NN/0/root such/JJ/4/case as/IN/2/fixed plums/NNS/1/nmod
  CLEAR fruit/NN/0/ROOT such/JJ/3/amod as/IN/1/prep plums/NNS/3/pobj
  SD    root(ROOT,fruit) prep_such_as(fruit,plums)
an adverb that is part of a preposition:
  UD    It/PRP/2/nsubj stands/VBZ/0/root next/RB/2/advmod to/IN/5/case mine/PRP/3/obl
  CLEAR It/PRP/2/nsubj stands/VBZ/0/ROOT next/RB/2/advmod to/IN/3/prep mine/PRP/4/pobj
  SD    root(ROOT,stands) nsubj(stands,It) prep_next_to(stands,mine)
a preposition of three words:
  UD    He/PRP/2/nsubj sat/VBD/0/root in/IN/4/case front/NN/2/obl of/IN/7/case the/DT/7/det
        house/NN/4/nmod
  CLEAR He/PRP/2/nsubj sat/VBD/0/ROOT in/IN/2/prep front/NN/3/pobj of/IN/4/prep the/DT/7/det
        house/NN/5/pobj
  SD    root(ROOT,sat) nsubj(sat,He) det(house,the) prep_in_front_of(sat,house)
a preposition without an object:
  UD    easy/JJ/0/root to/TO/3/mark work/VB/1/xcomp with/IN/3/obl
  CLEAR easy/JJ/0/ROOT to/TO/3/aux work/VB/1/xcomp with/IN/3/prep
  SD    root(ROOT,easy) aux(work,to) xcomp(easy,work) prep(work,with)
# The manual's example of discourse, and of parataxis.
interjection:
  UD    Oh/UH/3/discourse he/PRP/3/nsubj left/VBD/0/root
  CLEAR Oh/UH/3/intj he/PRP/3/nsubj left/VBD/0/ROOT
  SD    root(ROOT,left) discourse(left,Oh) nsubj(left,he)
parenthesis:
  UD    He/PRP/5/nsubj ,/,/4/punct John/NNP/4/nsubj said/VBD/5/parataxis left/VBD/0/root
  CLEAR He/PRP/5/nsubj ,/,/4/punct John/NNP/4/nsubj said/VBD/5/parataxis left/VBD/0/ROOT
  SD    root(ROOT,left) nsubj(left,He) nsubj(said,John) parataxis(left,said)
# The manual's examples of csubj and csubjpass.
clausal subject:
  UD    What/WP/3/obj she/PRP/3/nsubj said/VBD/4/csubj makes/VBZ/0/root sense/NN/4/obj
  CLEAR What/WP/3/dobj she/PRP/3/nsubj said/VBD/4/csubj makes/VBZ/0/ROOT sense/NN/4/dobj
  SD    root(ROOT,makes) dobj(said,What) nsubj(said,she) csubj(makes,said) dobj(makes,sense)
clausal subject of a passive:
  UD    That/IN/3/mark she/PRP/3/nsubj lied/VBD/5/csubj:pass was/VBD/5/aux:pass
        suspected/VBN/0/root
  CLEAR That/IN/3/mark she/PRP/3/nsubj lied/VBD/5/csubjpass was/VBD/5/auxpass suspected/VBN/0/ROOT
  SD    root(ROOT,suspected) mark(lied,That) nsubj(lied,she) csubjpass(suspected,lied)
        auxpass(suspected,was)
several sentences in one segment:
  UD    Go/VB/0/root ././1/punct Stay/VB/0/root ././3/punct
  CLEAR Go/VB/0/ROOT ././1/punct Stay/VB/0/ROOT ././3/punct
  SD    root(ROOT,Go) root(ROOT,Stay)
labels without a place in the scheme:
  UD    John/NNP/3/vocative ,/,/1/punct come/VB/0/root uh/UH/3/reparandum x/FW/3/no:such
  SD    root(ROOT,come) dep(come,John) dep(come,uh) dep(come,x)
"""


def readings(construction: str) -> dict[str, str]:
    found = re.findall(r"^  (UD|CLEAR|SD) ((?:.*\n)(?:    .*\n)*)", construction, re.M)
    return {scheme: " ".join(text.split()) for scheme, text in found}


#: Trees with their relations.
CASES = {
    f"{name} ({scheme})": (text, given["SD"])
    for name, construction in re.findall(r"^(\S.*):\n((?: .*\n)+)", CONSTRUCTIONS, re.M)
    for given in [readings(construction)]
    for scheme, text in given.items()
    if scheme != "SD"
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_relations_of(text: str, expected: str) -> None:
    assert spelt(tree(text)) == expected


def test_a_batch_holds_the_relations_of_its_rows_in_flat_arrays() -> None:
    rows = [tree(text) for text, _ in CASES.values()]
    batch = collapse(Batch.pack([*rows, Sentence("", (), (), (), (), (), (), (), ())]))
    assert list(batch) == [*map(collapsed, rows), ()]
    assert batch.offsets.dtype == np.int64
    assert batch.offsets[-1] == len(batch.label) == len(batch.governor) == len(batch.dependent)
    assert batch.label.dtype == batch.governor.dtype == batch.dependent.dtype == np.int32
    assert len(set(batch.labels)) == len(batch.labels) == batch.label.max() + 1
    assert batch[0][0] == Relation("root", 0, 4)
    assert len(batch) == len(rows) + 1


def test_threads_leave_no_trace() -> None:
    rows = [tree(text) for text, _ in CASES.values()] * 20
    one, four = (collapse(Batch.pack(rows), threads=n) for n in (1, 4))
    assert one.labels == four.labels
    assert np.array_equal(one.label, four.label)
    assert np.array_equal(one.offsets, four.offsets)


def test_a_batch_without_a_parse_is_refused() -> None:
    batch = Batch.pack([Sentence("a", ("a",), (0,), (1,), tag=("DT",))])
    with pytest.raises(InputError, match=r"MP230.*lacks lemma, head, relation"):
        collapse(batch)


def test_arrays_that_do_not_fit_together_are_refused() -> None:
    good = Batch.pack([tree("Go/VB/0/root now/RB/1/advmod")])
    for bad in (
        {"tag": good.columns["tag"][:1]},
        {"tag": good.columns["tag"] + np.int32(99)},
        {"form": good.columns["form"] - np.int32(99)},
    ):
        batch = Batch(good.texts, good.offsets, {**good.columns, **bad}, good.strings)
        with pytest.raises(InputError, match="MP231"):
            collapse(batch)
    for offsets in ([0, 3], [1, 2], [0, 2, 1], []):
        batch = Batch(good.texts, np.array(offsets, np.int64), good.columns, good.strings)
        with pytest.raises(InputError, match="MP231"):
            collapse(batch)


def test_nobody_works_with_no_thread() -> None:
    with pytest.raises(OptionError, match="MP519"):
        collapse(Batch.pack([tree("Go/VB/0/root")]), threads=0)


def test_entity_types_of_spacy_are_the_three_that_names_are_aligned_by() -> None:
    given = ("PERSON", "ORG", "GPE", "LOC", "FAC", "NORP", "DATE", "O", "B-PER", "I-LOC")
    assert entity_types(given) == (
        *("PERSON", "ORGANIZATION", "LOCATION", "LOCATION", "LOCATION", "LOCATION"),
        *("O", "O", "PERSON", "LOCATION"),
    )
