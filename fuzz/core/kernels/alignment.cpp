// The aligners of UPF-Cobalt and MWA on any two parsed sentences: pairs are words, one to one if asked for,
// and scores keep their bounds.
#include "alignment/context_penalty.hpp"
#include "fuzzing.hpp"

namespace metaphrase::alignment {
namespace {

using fuzz::expect;

constexpr std::string_view strings[] = {
    "the",  "a",       "of",       "is",      "'s",      "cat",   "Cat",   "cats",  "dog", "UN",
    "U.N.", "Nations", "United",   "big-dog", "dog-cat", "a-b-a", "-",     "a-a-a", "b",   ".",
    ",",    "!",       "3",        "4",       "NN",      "VBZ",   "JJ",    "RB",    "CD",  "PRP",
    "O",    "PERSON",  "LOCATION", "DATE",    "",        "é",     "-lrb-", "not",   "n't"};
constexpr int forms = 24, first_tag = 24, tags = 6, first_entity = 30, entities = 4, others = 5;
const std::vector<std::string> names{"nsubj", "dobj",     "prep_of", "amod", "rcmod",
                                     "agent", "conj_and", "dep",     ""};

struct Columns {
  std::vector<std::int32_t> form, lemma, tag, entity, label, governor, dependent;
};

Columns sentence(fuzz::Bytes& bytes) {
  Columns made;
  const auto size = static_cast<std::size_t>(bytes.number(0, 10));
  for (std::size_t t = 0; t < size; ++t) {
    const int form = bytes.number(0, forms + others - 1);
    made.form.push_back(form < forms ? form : first_entity + entities + form - forms);
    const int lemma = bytes.byte();
    made.lemma.push_back(lemma % 3 == 0 ? lemma / 3 % forms : made.form.back());
    made.tag.push_back(first_tag + bytes.number(0, tags - 1));
    made.entity.push_back(first_entity + bytes.number(0, entities - 1));
  }
  for (int r = bytes.number(0, 12); r > 0; --r) {
    made.label.push_back(bytes.number(0, static_cast<int>(names.size()) - 1));
    made.governor.push_back(bytes.number(-1, static_cast<int>(size) + 1));
    made.dependent.push_back(bytes.number(-1, static_cast<int>(size) + 1));
  }
  return made;
}

// A symmetric relation of the first few words of a list.
struct Graph {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> neighbours;

  Graph(fuzz::Bytes& bytes, std::size_t words) {
    const int bits = bytes.byte();
    for (std::size_t w = 0; w < words; ++w) {
      for (std::size_t other = 0; other < std::min<std::size_t>(words, 12); ++other) {
        if (w < 12 && (w * other + w + other) * static_cast<std::size_t>(bits) % 7 == 3)
          neighbours.push_back(static_cast<std::int32_t>(other));
      }
      offsets.push_back(static_cast<std::int64_t>(neighbours.size()));
    }
  }
};

void check(fuzz::Bytes& bytes) {
  static const Vocabulary vocabulary(strings);
  AlignerOptions options;
  options.scheme = bytes.flag() ? Scheme::mwa : Scheme::cobalt;
  options.symmetric = bytes.flag();
  options.one_to_one = bytes.byte() % 4 != 0;
  options.theta = bytes.unit();
  ScoreOptions score_options;
  score_options.penalty = static_cast<Penalty>(bytes.number(0, 2));
  score_options.alpha = bytes.unit();
  score_options.delta = bytes.unit();
  const RelationOptions relations{options.scheme, bytes.flag(), bytes.flag()};
  std::vector<Label> labels;
  for (const std::string& name : names) labels.push_back(read_label(name, relations));
  const Graph synonyms(bytes, vocabulary.size()), paraphrases(bytes, vocabulary.canonical().size());
  const LexicalEvidence evidence{
      {synonyms.offsets, synonyms.neighbours}, {paraphrases.offsets, paraphrases.neighbours}, {}};
  WordAligner aligner(vocabulary, evidence, labels, names, options);
  ContextScorer scorer(aligner, evidence, labels, score_options);
  const Columns left = sentence(bytes), right = bytes.byte() % 8 == 0 ? left : sentence(bytes);
  const auto align = [&](AlignmentDetails* details) {
    for (const auto& [columns, side] : {std::pair(&left, &aligner.left), std::pair(&right, &aligner.right)}) {
      side->read(vocabulary, {columns->form, columns->lemma, columns->tag, columns->entity},
                 {columns->label, columns->governor, columns->dependent});
    }
    aligner.align();
    return scorer.score(details);
  };
  AlignmentDetails details;
  const PairScore score = align(&details);
  std::vector<int> left_uses(left.form.size()), right_uses(right.form.size());
  for (const AlignedPair& pair : details.pairs) {
    expect(pair.left >= 0 && static_cast<std::size_t>(pair.left) < left.form.size() && pair.right >= 0 &&
               static_cast<std::size_t>(pair.right) < right.form.size(),
           "pairs are of words");
    expect(pair.stage >= 1 && pair.stage <= 9, "a stage aligned them");
    ++left_uses[static_cast<std::size_t>(pair.left)];
    ++right_uses[static_cast<std::size_t>(pair.right)];
  }
  expect(std::isfinite(score.score) && score.score >= 0, "a score is a number");
  if (options.one_to_one) {
    for (const auto* uses : {&left_uses, &right_uses}) {
      expect(std::all_of(uses->begin(), uses->end(), [](int n) { return n <= 1; }), "one to one");
    }
    expect(score.score <= 1 + 1e-9, "one to one, nothing scores more than 1");
  }
  expect(align(nullptr).score == score.score, "details do not change the score, nor does what came before");
}

}  // namespace
}  // namespace metaphrase::alignment

int examine(const std::uint8_t* data, std::size_t size) {
  metaphrase::fuzz::Bytes bytes(data, size);
  metaphrase::alignment::check(bytes);
  return 0;
}
