// Any bytes as text: code points, tokens of every language, sentences.
#include "analysis/sentence_ends.hpp"
#include "analysis/tokeniser.hpp"
#include "base/unicode.hpp"
#include "fuzzing.hpp"

namespace metaphrase {
namespace {

using fuzz::expect;

void check_code_points(std::string_view text) {
  const std::u32string chars = decode_all(text);
  const std::string encoded = encode_all(chars);
  expect(decode_all(encoded) == chars, "what is encoded is decoded again");
  DecodedText decoded;
  decoded.decode(text);
  expect(std::u32string(decoded.chars.begin(), decoded.chars.end()) == chars, "both decode alike");
  for (std::size_t i = 0; i < chars.size(); ++i) {
    expect(decoded.bytes[i] < decoded.bytes[i + 1], "every character has bytes");
    expect(decoded.classes[i] == classify(chars[i]), "classes are those of the characters");
    expect(to_lower(to_lower(chars[i])) == to_lower(chars[i]), "lower case has no lower case");
    const char32_t upper = to_upper(chars[i]);
    expect(upper == chars[i] || to_lower(upper) == chars[i], "upper case leads back");
  }
}

void check_tokens(std::string_view text, const char* language) {
  static analysis::Tokeniser* const tokenisers[] = {new analysis::Tokeniser(analysis::token_rules("en")),
                                                    new analysis::Tokeniser(analysis::token_rules("de")),
                                                    new analysis::Tokeniser(analysis::token_rules("fr")),
                                                    new analysis::Tokeniser(analysis::token_rules("es")),
                                                    new analysis::Tokeniser(analysis::token_rules("cs"))};
  constexpr std::string_view languages[] = {"en", "de", "fr", "es", "cs"};
  std::size_t which = 0;
  while (languages[which] != language) ++which;
  DecodedText decoded;
  decoded.decode(text);
  std::vector<analysis::Span> spans;
  tokenisers[which]->tokenise(decoded, spans);
  std::uint32_t before = 0;
  for (const analysis::Span& span : spans) {
    expect(span.start >= before && span.end > span.start && span.end <= decoded.size(),
           "tokens come one after the other");
    for (std::uint32_t i = before; i < span.start; ++i) {
      expect(decoded.classes[i] == CharClass::space, "between tokens there is nothing but blanks");
    }
    before = span.end;
  }
  for (std::size_t i = before; i < decoded.size(); ++i) {
    expect(decoded.classes[i] == CharClass::space, "behind the last token there is nothing but blanks");
  }
  std::vector<analysis::SentencePart> parts;
  for (const analysis::Span& span : spans) {
    parts.push_back(analysis::sentence_part(
        std::u32string_view(decoded.chars.data() + span.start, span.end - span.start)));
  }
  for (std::span<const analysis::SentencePart> rest = parts; !rest.empty();) {
    const std::size_t size = analysis::first_sentence(rest);
    expect(size >= 1 && size <= rest.size() && size <= analysis::longest_piece, "a sentence has tokens");
    rest = rest.subspan(size);
  }
}

}  // namespace
}  // namespace metaphrase

int examine(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  metaphrase::check_code_points(text);
  for (const char* language : {"en", "de", "fr", "es", "cs"}) metaphrase::check_tokens(text, language);
  return 0;
}
