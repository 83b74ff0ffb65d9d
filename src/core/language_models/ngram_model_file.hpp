// Language models in files that are mapped into memory and asked there.
//
// Little-endian. Behind the head of every model file (base/model_file.hpp) there are sections, each behind
// its length in bytes (u32) and padded to a multiple of four: the shape (u32: order, bits of a number, bits
// of a word), a text about the model, the lengths of the words (u8) and their letters; then for each order
// the last words of its n-grams (u16 or u32; not for unigrams), logarithms of their probabilities and of
// their back-off weights, and where their children start (u32), the last two missing in the last order.
// Logarithms are f32; or, but for unigrams, u16 that count steps, behind a section of two f32: where the
// steps begin, and how long one is.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_stream.hpp"
#include "base/mapped_file.hpp"
#include "base/model_file.hpp"
#include "base/packed_strings.hpp"
#include "language_models/ngram_model.hpp"

namespace metaphrase::language_models {

namespace ngram_file {
inline constexpr std::string_view magic = "MPLM";
inline constexpr std::uint32_t version = 1;
inline constexpr std::uint32_t steps = 0xFFFF;
}  // namespace ngram_file

class NgramFileWriter {
 public:
  // `bits` of a number: 16, which halves the file and rounds to the 131,000th part of the range, or 32.
  static std::string write(const NgramModel& model, int bits, std::string_view about) {
    NgramFileWriter writer;
    const bool narrow = model.vocabulary.size() <= 1u << 16;
    writer.put(std::vector<std::uint32_t>{static_cast<std::uint32_t>(model.order()),
                                          static_cast<std::uint32_t>(bits), narrow ? 16u : 32u});
    writer.put_bytes(about);
    std::string lengths, text;
    for (const std::string& word : model.vocabulary) {
      lengths.push_back(static_cast<char>(word.size()));
      text += word;
    }
    writer.put_bytes(lengths);
    writer.put_bytes(text);
    for (int level = 0; level < model.order(); ++level) {
      const NgramLevel& ngrams = model.levels[level];
      const bool last = level + 1 == model.order();
      // Unigrams are few, and <s> would stretch the range of the steps.
      const int number_bits = level == 0 ? 32 : bits;
      if (level > 0 && narrow) writer.put(cast<std::uint16_t>(ngrams.words));
      if (level > 0 && !narrow) writer.put(ngrams.words);
      writer.put_numbers(ngrams.log_probabilities, number_bits);
      if (last) continue;
      writer.put_numbers(ngrams.log_back_offs, number_bits);
      writer.put(ngrams.child_starts);
    }
    return model_file(ngram_file::magic, ngram_file::version, writer.body_.take());
  }

 private:
  template <class To, class From>
  static std::vector<To> cast(const std::vector<From>& numbers) {
    std::vector<To> cast(numbers.size());
    std::transform(numbers.begin(), numbers.end(), cast.begin(), [](From n) { return static_cast<To>(n); });
    return cast;
  }

  template <class Number>
  void put(const std::vector<Number>& numbers) {
    put_bytes({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)});
  }

  void put_bytes(std::string_view bytes) {
    if (bytes.size() > std::numeric_limits<std::uint32_t>::max())
      throw std::length_error("the model is too large for one file");
    body_.put_string(bytes);
    for (std::size_t i = bytes.size(); i % 4 != 0; ++i) body_.put(std::uint8_t{0});
  }

  void put_numbers(const std::vector<double>& numbers, int bits) {
    const std::vector<float> floats = cast<float>(numbers);
    if (bits == 32) return put(floats);
    const auto [low, high] = std::minmax_element(floats.begin(), floats.end());
    const double least = floats.empty() ? 0 : *low, range = floats.empty() ? 0 : double{*high} - *low;
    // Rounded as the reader will find it, so that steps are counted in what they will be worth.
    const auto step = static_cast<float>(range / ngram_file::steps);
    put(std::vector<float>{static_cast<float>(least), step});
    std::vector<std::uint16_t> rounded(floats.size());
    for (std::size_t i = 0; i < floats.size(); ++i) {
      const double place = step > 0 ? std::round((floats[i] - least) / step) : 0;
      rounded[i] = static_cast<std::uint16_t>(std::clamp(place, 0.0, double{ngram_file::steps}));
    }
    put(rounded);
  }

  ByteWriter body_;
};

// What a model says of one word after others.
struct WordScore {
  double log_probability;  // to base 10
  int order;               // words of the n-gram that it was read from
};

// Immutable after construction, so any number of threads may ask at once.
class LanguageModel {
 public:
  static LanguageModel open(const std::string& path) {
    auto file = std::make_unique<MappedFile>(path);
    const std::string_view view = file->text();
    return LanguageModel(std::move(file), {}, view);
  }
  static LanguageModel of(const NgramModel& model, std::string_view about) {
    auto bytes = std::make_unique<std::string>(NgramFileWriter::write(model, 32, about));
    const std::string_view view(*bytes);
    return LanguageModel({}, std::move(bytes), view);
  }

  int order() const { return static_cast<int>(levels_.size()); }
  std::size_t ngrams(int order) const { return levels_[order - 1].probabilities.size(); }
  std::uint64_t fingerprint() const { return fingerprint_; }
  std::string_view about() const { return about_; }
  std::string_view word(std::size_t number) const { return (*vocabulary_)[number]; }

  // The number of a word, that of the unknown one if need be.
  std::uint32_t number(std::string_view text) const {
    const std::uint32_t found = vocabulary_->find(text);
    // Marks of begin and end are no words, however a text may come to contain them.
    return found == PackedStrings::absent || found < first_word ? unknown_word : found;
  }

  // Calls `take(WordScore)` for each word and for the end of the sentence.
  template <class Take>
  void score(std::span<const std::int32_t> words, Take&& take) const {
    // n-grams that end at the last word, by their length; nothing is known before a sentence.
    Contexts contexts;
    contexts.fill(absent);
    contexts[1] = sentence_begin;
    for (const std::int32_t word : words) take(step(contexts, static_cast<std::uint32_t>(word)));
    take(step(contexts, sentence_end));
  }

 private:
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();
  using Contexts = std::array<std::uint32_t, highest_order + 1>;

  // A column of numbers, 32 bits wide or in steps of 16.
  struct Numbers {
    std::span<const float> wide;
    std::span<const std::uint16_t> narrow;
    double least = 0, step = 0;

    std::size_t size() const { return wide.size() + narrow.size(); }
    double operator[](std::size_t i) const {
      return narrow.empty() ? double{wide[i]} : least + step * narrow[i];
    }
  };
  struct Words {
    std::span<const std::uint32_t> wide;
    std::span<const std::uint16_t> narrow;

    std::size_t size() const { return wide.size() + narrow.size(); }
    std::uint32_t find(std::uint32_t begin, std::uint32_t end, std::uint32_t word) const {
      return narrow.empty() ? find(wide, begin, end, word) : find(narrow, begin, end, word);
    }
    std::uint32_t operator[](std::size_t i) const { return narrow.empty() ? wide[i] : narrow[i]; }

   private:
    template <class Word>
    static std::uint32_t find(std::span<const Word> words, std::uint32_t begin, std::uint32_t end,
                              std::uint32_t word) {
      const auto last = words.begin() + end, found = std::lower_bound(words.begin() + begin, last, word);
      return found != last && *found == word ? static_cast<std::uint32_t>(found - words.begin()) : absent;
    }
  };
  struct Level {
    Words words;  // none of unigrams: the n-th is word n
    Numbers probabilities, back_offs;
    std::span<const std::uint32_t> child_starts;
  };

  // Goes on by one word: the longest n-gram that there is says how probable it is, and every longer context
  // that was tried in vain has its price.
  WordScore step(Contexts& contexts, std::uint32_t word) const {
    Contexts next;
    next.fill(absent);
    next[1] = word;
    int longest = 1;
    for (int length = 1; length < order(); ++length) {
      if (contexts[length] == absent) continue;
      const Level& level = levels_[length - 1];
      const std::uint32_t found = levels_[length].words.find(level.child_starts[contexts[length]],
                                                             level.child_starts[contexts[length] + 1], word);
      if (found == absent) continue;
      next[length + 1] = found;
      longest = length + 1;
    }
    double sum = levels_[longest - 1].probabilities[next[longest]];
    for (int length = longest; length < order(); ++length) {
      if (contexts[length] != absent) sum += levels_[length - 1].back_offs[contexts[length]];
    }
    contexts = next;
    return {sum, longest};
  }

  LanguageModel(std::unique_ptr<MappedFile> file, std::unique_ptr<std::string> bytes, std::string_view view)
      : file_(std::move(file)), bytes_(std::move(bytes)) {
    const ModelContent found = model_content(view, ngram_file::magic, ngram_file::version, "n-grams");
    fingerprint_ = found.fingerprint;
    ByteReader body(found.bytes);
    const auto shape = get_section<std::uint32_t>(body);
    require(shape.size() == 3 && shape[0] >= 1 && shape[0] <= highest_order);
    require((shape[1] == 16 || shape[1] == 32) && (shape[2] == 16 || shape[2] == 32));
    const auto about = get_section<char>(body);
    about_ = {about.data(), about.size()};
    const auto lengths = get_section<std::uint8_t>(body), text = get_section<std::uint8_t>(body);
    require(lengths.size() >= first_word);
    vocabulary_.emplace(text, lengths, "words");
    for (std::uint32_t i = 0; i < first_word; ++i) require((*vocabulary_)[i] == special_words[i]);
    for (std::uint32_t order = 1; order <= shape[0]; ++order) {
      Level level;
      if (order > 1 && shape[2] == 16) level.words.narrow = get_section<std::uint16_t>(body);
      if (order > 1 && shape[2] == 32) level.words.wide = get_section<std::uint32_t>(body);
      level.probabilities = numbers(body, order == 1 ? 32 : shape[1]);
      if (order < shape[0]) {
        level.back_offs = numbers(body, order == 1 ? 32 : shape[1]);
        level.child_starts = get_section<std::uint32_t>(body);
      }
      levels_.push_back(level);
    }
    require(body.done());
    check_levels();
  }

  void check_levels() const {
    require(levels_.front().probabilities.size() == vocabulary_->count());
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const Level& level = levels_[i];
      require(i == 0 || level.words.size() == level.probabilities.size());
      if (i + 1 == levels_.size()) break;
      const auto starts = level.child_starts;
      require(level.back_offs.size() == level.probabilities.size());
      require(starts.size() == level.probabilities.size() + 1 && starts.front() == 0);
      require(starts.back() == levels_[i + 1].words.size() && std::is_sorted(starts.begin(), starts.end()));
      const Words& words = levels_[i + 1].words;
      for (std::size_t parent = 0; parent + 1 < starts.size(); ++parent) {
        for (std::uint32_t child = starts[parent]; child < starts[parent + 1]; ++child) {
          require(words[child] < vocabulary_->count());
          require(child == starts[parent] || words[child - 1] < words[child]);
        }
      }
    }
  }

  static Numbers numbers(ByteReader& body, std::uint32_t bits) {
    Numbers numbers;
    if (bits == 32) {
      numbers.wide = get_section<float>(body);
      for (const float number : numbers.wide) require(std::isfinite(number));
      return numbers;
    }
    const auto range = get_section<float>(body);
    require(range.size() == 2 && std::isfinite(range[0]) && std::isfinite(range[1]));
    numbers.least = range[0];
    numbers.step = range[1];
    numbers.narrow = get_section<std::uint16_t>(body);
    return numbers;
  }

  std::unique_ptr<MappedFile> file_;
  std::unique_ptr<std::string> bytes_;  // instead of a file
  std::uint64_t fingerprint_ = 0;
  std::string_view about_;
  std::optional<PackedStrings> vocabulary_;
  std::vector<Level> levels_;
};

}  // namespace metaphrase::language_models
