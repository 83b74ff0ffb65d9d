// Models of sequence labellers: any weights give labels that may follow each other.
#include "analysis/labeller.hpp"

#include "models/model_input.hpp"

METAPHRASE_MUTATES_MODELS(8)

int examine(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase;
  return fuzz::read_damaged(data, size, [](std::string_view file) {
    const analysis::Labeller labeller(file);
    const std::vector<std::string> strings{"Mr.", "Smith", "went", "to", "London", "NNP", "VBD", "TO", ""};
    const std::vector<std::int64_t> offsets{0, 5, 5, 8};
    const std::vector<std::int32_t> form{0, 1, 2, 3, 4, 8, 4, 4}, tag{5, 5, 6, 7, 5, 8, 5, 0};
    const auto found = labeller.label({offsets.data(), 3, form.data(), tag.data(), strings}, 1);
    fuzz::expect(found.size() == form.size(), "every token has a label");
    const auto& labels = labeller.model().labels;
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
      std::string before;
      for (auto t = static_cast<std::size_t>(offsets[row]); t < static_cast<std::size_t>(offsets[row + 1]);
           ++t) {
        fuzz::expect(found[t] >= 0 && static_cast<std::size_t>(found[t]) < labels.size(),
                     "labels have names");
        const std::string& label = labels[static_cast<std::size_t>(found[t])];
        fuzz::expect(analysis::may_follow(before, label), "labels are IOB2");
        before = label;
      }
    }
  });
}
