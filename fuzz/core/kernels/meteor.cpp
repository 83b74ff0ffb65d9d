// METEOR's matches and alignment: what is chosen was there to choose from, and takes no word twice.
#include "fuzzing.hpp"
#include "meteor/alignment.hpp"
#include "meteor/matches.hpp"
#include "meteor/words.hpp"
#include "models/small_models.hpp"

namespace metaphrase::meteor {
namespace {

using fuzz::expect;

constexpr std::string_view words[] = {"big",  "large", "in",     "the",    "end", "finally",
                                      "very", "huge",  "cats",   "cat",    "dog", "dogs",
                                      "was",  "be",    "feline", "within", "Cat", "\xF0\x9F\x98\x80"};
constexpr int count = std::size(words);

struct Lexicon {
  fuzz::MemoryFile table_file{fuzz::small_paraphrases()}, wordnet_file{fuzz::small_wordnet()};
  lexicon::ParaphraseTable table = lexicon::ParaphraseTable::open(table_file.path());
  lexicon::PhraseTrie trie = lexicon::PhraseTrie::build(table);
  lexicon::WordNet wordnet{wordnet_file.path()};
  std::vector<std::int32_t> word, stem, width;
  std::vector<std::uint8_t> function;
  MeteorSenses senses;

  Lexicon() {
    std::vector<std::int32_t> numbers, synsets;
    for (std::size_t s = 0; s < wordnet.synset_count(); ++s) numbers.push_back(static_cast<std::int32_t>(s));
    MeteorSynsets lookup(wordnet, numbers);
    std::vector<std::size_t> starts{0};
    for (const std::string_view spelled : words) {
      word.push_back(java_hash(spelled));
      stem.push_back(java_hash(spelled.substr(0, 3)));
      width.push_back(java_length(spelled));
      function.push_back(spelled == "the" || spelled == "in");
      lookup.append(spelled, synsets);
      starts.push_back(synsets.size());
    }
    senses = MeteorSenses(synsets, starts, wordnet.synset_count());
  }
};

void check(fuzz::Bytes& bytes) {
  static const Lexicon* const known = new Lexicon;
  static PhraseFinder* const finder = new PhraseFinder(known->trie, words);
  const MeteorVocabulary vocabulary{known->word, known->stem, &known->senses, known->function, known->width};
  std::vector<MeteorModule> modules{MeteorModule::exact};
  const int chosen = bytes.byte();
  if (chosen & 1) modules.push_back(MeteorModule::stem);
  if (chosen & 2) modules.push_back(MeteorModule::synonym);
  if (chosen & 4) modules.push_back(MeteorModule::paraphrase);
  const int longest = bytes.byte() % 8 == 0 ? 100 : 16;
  const auto left = bytes.numbers(static_cast<std::size_t>(bytes.number(0, longest)), 0, count - 1);
  const auto right = bytes.numbers(static_cast<std::size_t>(bytes.number(0, longest)), 0, count - 1);
  std::vector<PhraseSpan> left_phrases, right_phrases;
  finder->append(left, left_phrases);
  finder->append(right, right_phrases);
  MeteorMatcher matcher(vocabulary, modules, &known->table);
  expect(matcher.match({left, left_phrases}, {right, right_phrases}), "so few words are never too many");
  MeteorAligner aligner;
  const auto matches = aligner.align(matcher, left.size(), right.size());
  std::vector<bool> left_taken(left.size()), right_taken(right.size());
  const auto take = [](std::vector<bool>& taken, std::int32_t begin, std::int32_t end) {
    for (std::int32_t k = begin; k < end; ++k) {
      expect(k >= 0 && static_cast<std::size_t>(k) < taken.size() && !taken[static_cast<std::size_t>(k)],
             "no word is taken twice");
      taken[static_cast<std::size_t>(k)] = true;
    }
  };
  for (const MeteorMatch& match : matches) {
    take(left_taken, match.hypothesis, match.hypothesis_end());
    take(right_taken, match.reference, match.reference_end());
    expect(match.stage < modules.size(), "a module found it");
    const auto all = matcher.at(static_cast<std::size_t>(match.reference));
    expect(std::any_of(all.begin(), all.end(),
                       [&](const MeteorMatch& other) {
                         return other.hypothesis == match.hypothesis && other.stage == match.stage &&
                                other.hypothesis_words == match.hypothesis_words &&
                                other.reference_words == match.reference_words;
                       }),
           "what is chosen was there to choose from");
  }
  std::vector<double> row(meteor_columns);
  meteor_statistics(vocabulary, left, right, matches, row);
  expect(row[20] <= static_cast<double>(matches.size()), "there are no more chunks than matches");
  if (left == right && !left.empty() && modules.size() == 1) {
    expect(row[21] == static_cast<double>(left.size()) && row[22] == row[21], "a sentence matches itself");
  }
}

}  // namespace
}  // namespace metaphrase::meteor

int examine(const std::uint8_t* data, std::size_t size) {
  metaphrase::fuzz::Bytes bytes(data, size);
  metaphrase::meteor::check(bytes);
  return 0;
}
