// Models of the parser: any weights give a tree.
#include "analysis/parser.hpp"

#include "models/model_input.hpp"

METAPHRASE_MUTATES_MODELS(8)

int examine(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase;
  return fuzz::read_damaged(data, size, [](std::string_view file) {
    const analysis::Parser parser(file);
    const std::vector<std::string_view> strings{"The", "cat", "sat", ".", "DT", "NN", "Ünder", ""};
    const std::vector<std::int64_t> offsets{0, 4, 4, 7};
    const std::vector<std::int32_t> form{0, 1, 2, 3, 6, 7, 1}, tag{4, 5, 5, 5, 4, 4, 7},
        upos{4, 4, 5, 5, 7, 7, 7};
    std::vector<std::int32_t> heads(form.size()), relations(form.size());
    parser.parse({offsets, form, tag, upos, strings}, true, 1, heads.data(), relations.data());
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
      const std::int64_t length = offsets[row + 1] - offsets[row];
      for (std::int64_t t = 0; t < length; ++t) {
        std::int64_t at = t + 1, steps = 0;
        for (; at != 0; ++steps) {
          fuzz::expect(at >= 0 && at <= length && steps <= length, "every word has a way to the root");
          at = heads[static_cast<std::size_t>(offsets[row] + at - 1)];
        }
        const std::int32_t relation = relations[static_cast<std::size_t>(offsets[row] + t)];
        fuzz::expect(relation >= 0 && static_cast<std::size_t>(relation) < parser.model().relations.size(),
                     "relations have names");
      }
    }
  });
}
