// Any bytes as text of BLEU, TER, NIST and METEOR: their tokenisers and stemmers.
#include "alignment/porter2.hpp"
#include "base/unicode.hpp"
#include "counts/sacrebleu_tokens.hpp"
#include "fuzzing.hpp"
#include "meteor/german_stemmer.hpp"
#include "meteor/text.hpp"

namespace metaphrase {
namespace {

using fuzz::expect;

// Words between single spaces, and nothing else that is a blank.
void check_words(std::string_view words) {
  char before = ' ';
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t start = at;
    const char32_t c = decode_one(words.data(), words.size(), at);
    expect(c == ' ' || !is_space(c), "words are separated by spaces alone");
    expect(before != ' ' || words[start] != ' ', "there is one space between words, and none before them");
    before = words[start];
  }
  expect(words.empty() || before != ' ', "there is no space behind the last word");
}

std::u32string without_blanks(std::string_view text) {
  std::u32string kept;
  for (const char32_t c : decode_all(text)) {
    if (!is_space(c)) kept.push_back(c);
  }
  return kept;
}

void check_sacrebleu(std::string_view text) {
  using counts::SacrebleuTokens, counts::Tokeniser;
  for (const auto which : {Tokeniser::none, Tokeniser::western, Tokeniser::international, Tokeniser::chinese,
                           Tokeniser::characters}) {
    SacrebleuTokens tokens(which);
    const std::string words(tokens.words(text));
    check_words(words);
    expect(tokens.words(text) == words, "a tokeniser forgets what came before");
    if (which != Tokeniser::western) {
      expect(without_blanks(words) == without_blanks(text), "nothing is lost but blanks");
    }
  }
  for (int options = 0; options < 8; ++options) {
    SacrebleuTokens tokens(counts::Tercom{(options & 1) != 0, (options & 2) != 0, (options & 4) != 0, 2});
    check_words(tokens.words(text));
  }
}

void check_meteor(std::string_view text) {
  using meteor::MeteorNormaliser;
  MeteorNormaliser::Workspace work;
  for (const auto apostrophes :
       {MeteorNormaliser::Apostrophes::clitic_after, MeteorNormaliser::Apostrophes::clitic_before,
        MeteorNormaliser::Apostrophes::apart}) {
    const MeteorNormaliser normaliser(apostrophes, {"Mr", "etc"}, {"No", "pp"});
    for (const bool punctuation : {true, false}) {
      const std::string once(normaliser.normalise(text, punctuation, work));
      expect(normaliser.normalise(text, punctuation, work) == once, "the workspace is forgotten");
    }
  }
}

void check_stems(std::string_view text) {
  alignment::Porter2 english;
  meteor::GermanStemmer german;
  // Words come from Python, and so are UTF-8: a byte that is none would become three.
  const std::string word = encode_all(decode_all(text.substr(0, 200)));
  expect(english.stem(word).size() <= word.size() + 1, "a stem is no longer than its word");
  german.stem(word);
}

}  // namespace
}  // namespace metaphrase

int examine(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  metaphrase::check_sacrebleu(text);
  metaphrase::check_meteor(text);
  metaphrase::check_stems(text);
  return 0;
}
