// Language models as text, in the format that is named after ARPA: for each order, a line for each n-gram
// with its probability, its words and its back-off weight, logarithms to base 10.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/string_table.hpp"
#include "language_models/ngram_model.hpp"

namespace metaphrase::language_models {

// The lines of `count` n-grams from the `first` one on. Numbers have as many digits as tell one float from
// the next; a back-off weight is left out where nothing follows that one could back off from.
inline std::string arpa_lines(const NgramModel& model, int order, std::size_t first, std::size_t count) {
  const NgramLevel& level = model.levels[order - 1];
  NgramPath path(model, order, first);
  std::string lines;
  const auto put = [&lines](double number) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, static_cast<float>(number)).ptr;
    lines.append(digits, end);
  };
  for (std::size_t i = first; i < first + count; ++i) {
    if (i > first) path.advance();
    put(level.log_probabilities[i]);
    for (int place = 0; place < order; ++place)
      lines.append(place == 0 ? "\t" : " ").append(model.vocabulary[path.word(place)]);
    if (!level.child_starts.empty() && level.child_starts[i] < level.child_starts[i + 1]) {
      lines.push_back('\t');
      put(level.log_back_offs[i]);
    }
    lines.push_back('\n');
  }
  return lines;
}

// Reads a file line by line. An n-gram may stand anywhere among those of its order, but its beginning must be
// an n-gram of the order below. Without <unk>, unknown words have the probability that KenLM gives them.
class ArpaReader {
 public:
  static constexpr double missing_unknown = -100;

  void add(std::string_view line) {
    ++line_;
    const std::string_view text = trimmed(line);
    if (text.empty()) return;
    switch (part_) {
      case Part::preamble:
        if (text == "\\data\\") part_ = Part::counts;
        return;
      case Part::counts: return text.front() == '\\' ? open_section(text) : add_count(text);
      case Part::ngrams:
        return text.front() == '\\' && is_heading(text) ? close_section(text) : add_ngram(line);
      case Part::end: require(false, "there is text after \\end\\");
    }
  }

  // How many lines have been read, and so the one at fault after an exception.
  std::uint64_t line() const { return line_; }

  NgramModel take() {
    require(part_ != Part::preamble, "there is no line \\data\\");
    require(part_ == Part::end, "the file ends before \\end\\");
    return std::move(model_);
  }

 private:
  enum class Part { preamble, counts, ngrams, end };
  struct Ngram {
    std::uint32_t context, word;
    double log_probability, log_back_off;
  };

  static constexpr std::string_view blanks = " \t\r";
  // A file that states more n-grams than this is not believed; numbers of n-grams have 32 bits.
  static constexpr std::uint64_t most_ngrams = 0xFFFFFFFE;

  static void require(bool sound, const std::string& message) {
    if (!sound) throw std::invalid_argument(message);
  }

  static std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
  }

  // Cuts the next word off.
  static std::string_view next_word(std::string_view& text) {
    text = trimmed(text);
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    return word;
  }

  static double number(std::string_view text) {
    // from_chars knows no sign +, and an infinity is not to be computed with.
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    require(error == std::errc{} && end == text.data() + text.size() && std::isfinite(value) &&
                std::abs(value) < 1e6,
            "'" + std::string(text) + "' is not a logarithm");
    return value;
  }

  static double log_probability(std::string_view text) {
    const double value = number(text);
    require(value <= 0, "'" + std::string(text) + "' is the logarithm of a probability above 1");
    return value;
  }

  static bool is_heading(std::string_view text) { return text == "\\end\\" || text.ends_with("-grams:"); }

  void add_count(std::string_view text) {
    const std::string expected = "ngram " + std::to_string(counts_.size() + 1) + "=";
    std::string_view rest = text;
    std::uint64_t count = 0;
    bool sound = next_word(rest) == "ngram";
    rest = trimmed(rest);
    const std::size_t equals = rest.find('=');
    sound = sound && equals != std::string_view::npos &&
            trimmed(rest.substr(0, equals)) == std::to_string(counts_.size() + 1);
    if (sound) {
      const std::string_view digits = trimmed(rest.substr(equals + 1));
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
      sound = error == std::errc{} && end == digits.data() + digits.size() && count <= most_ngrams;
    }
    require(sound, "'" + expected + "' with a number is expected");
    require(counts_.size() < std::size_t{highest_order}, "n-grams of more than 5 words are not read");
    counts_.push_back(count);
  }

  void open_section(std::string_view text) {
    const int order = model_.order() + 1;
    const std::string heading = "\\" + std::to_string(order) + "-grams:";
    require(!counts_.empty(), "'ngram 1=' with a number is expected");
    require(static_cast<std::size_t>(order) <= counts_.size(), "'\\end\\' is expected");
    require(text == heading, "'" + heading + "' is expected");
    part_ = Part::ngrams;
    ngrams_.clear();
  }

  void add_ngram(std::string_view line) {
    const int order = model_.order() + 1;
    require(ngrams_.size() < counts_[order - 1], "there are more n-grams than the file states");
    std::string_view rest = line;
    Ngram ngram{0, 0, log_probability(next_word(rest)), 0};
    for (int place = 0; place < order; ++place) {
      const std::string_view text = next_word(rest);
      require(!text.empty(), std::to_string(order) + " words are expected");
      const std::uint32_t word = order == 1 ? add_word(text) : word_number(text);
      if (place == order - 1) {
        ngram.word = word;
      } else {
        ngram.context = place == 0 ? word : child(place - 1, ngram.context, word);
      }
    }
    if (const std::string_view text = next_word(rest); !text.empty()) ngram.log_back_off = number(text);
    require(trimmed(rest).empty(), "there is more than a back-off weight behind the words");
    ngrams_.push_back(ngram);
  }

  std::uint32_t add_word(std::string_view text) {
    require(text.size() <= longest_word, "a word is longer than 255 bytes");
    if (text == "<UNK>") text = special_words[unknown_word];
    const auto before = words_.size();
    const auto number = static_cast<std::uint32_t>(words_.intern(text));
    require(number == before, "'" + std::string(text) + "' stands there twice");
    return number;
  }

  std::uint32_t word_number(std::string_view text) {
    if (text == "<UNK>") text = special_words[unknown_word];
    const auto before = words_.size();
    const auto number = static_cast<std::uint32_t>(words_.intern(text));
    require(number < before, "'" + std::string(text) + "' is not among the unigrams");
    return number_of_[number];
  }

  // Of the n-gram `parent` of `level` (from 0), the one that a word makes longer.
  std::uint32_t child(int level, std::uint32_t parent, std::uint32_t word) const {
    const auto& starts = model_.levels[level].child_starts;
    const auto& words = model_.levels[level + 1].words;
    const auto begin = words.begin() + starts[parent], end = words.begin() + starts[parent + 1];
    const auto found = std::lower_bound(begin, end, word);
    require(found != end && *found == word, "the words but the last are no n-gram of the file");
    return static_cast<std::uint32_t>(found - words.begin());
  }

  void close_section(std::string_view text) {
    const int order = model_.order() + 1;
    require(ngrams_.size() == counts_[order - 1], "there are fewer n-grams than the file states");
    order == 1 ? add_unigrams() : add_level();
    ngrams_.clear();
    part_ = Part::counts;
    if (text != "\\end\\") return open_section(text);
    require(static_cast<std::size_t>(order) == counts_.size(), "the file ends before its last order");
    ngrams_.shrink_to_fit();
    part_ = Part::end;
  }

  // Words are numbered as in models of ours: the special ones, then the others by their bytes.
  void add_unigrams() {
    words_.intern(special_words[unknown_word]);
    if (words_.size() > ngrams_.size()) ngrams_.push_back({0, 0, missing_unknown, 0});
    const auto rank = [this](std::uint32_t word) {
      const auto found = std::find(std::begin(special_words), std::end(special_words), words_[word]);
      return found - std::begin(special_words);
    };
    std::vector<std::uint32_t> sorted(words_.size());
    std::iota(sorted.begin(), sorted.end(), 0u);
    std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
      return rank(a) != rank(b) ? rank(a) < rank(b) : words_[a] < words_[b];
    });
    require(sorted.size() >= first_word && rank(sorted[sentence_begin]) == sentence_begin &&
                rank(sorted[sentence_end]) == sentence_end,
            "the unigrams lack <s> or </s>");
    number_of_.resize(sorted.size());
    NgramLevel level;
    for (std::uint32_t i = 0; i < sorted.size(); ++i) {
      number_of_[sorted[i]] = i;
      model_.vocabulary.emplace_back(words_[sorted[i]]);
      append(level, {0, i, ngrams_[sorted[i]].log_probability, ngrams_[sorted[i]].log_back_off});
    }
    model_.levels.push_back(std::move(level));
  }

  void add_level() {
    std::sort(ngrams_.begin(), ngrams_.end(), [](const Ngram& a, const Ngram& b) {
      return a.context != b.context ? a.context < b.context : a.word < b.word;
    });
    NgramLevel& parents = model_.levels.back();
    parents.child_starts.assign(parents.size() + 1, 0);
    NgramLevel level;
    for (std::size_t i = 0; i < ngrams_.size(); ++i) {
      const bool again =
          i > 0 && ngrams_[i].context == ngrams_[i - 1].context && ngrams_[i].word == ngrams_[i - 1].word;
      require(!again, "an n-gram above stands there twice");
      ++parents.child_starts[ngrams_[i].context + 1];
      append(level, ngrams_[i]);
    }
    std::partial_sum(parents.child_starts.begin(), parents.child_starts.end(), parents.child_starts.begin());
    model_.levels.push_back(std::move(level));
  }

  void append(NgramLevel& level, const Ngram& ngram) const {
    level.words.push_back(ngram.word);
    level.log_probabilities.push_back(ngram.log_probability);
    if (static_cast<std::size_t>(model_.order()) + 1 < counts_.size())
      level.log_back_offs.push_back(ngram.log_back_off);
  }

  Part part_ = Part::preamble;
  std::uint64_t line_ = 0;
  std::vector<std::uint64_t> counts_;
  StringTable words_;  // as the file has them
  std::vector<std::uint32_t> number_of_;
  std::vector<Ngram> ngrams_;
  NgramModel model_;
};

}  // namespace metaphrase::language_models
