// metaphrase._core.labelling: labels of token sequences (chunks, entities).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "analysis/labeller.hpp"
#include "python/arrays.hpp"
#include "python/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::analysis {
namespace {

using Strings = std::vector<std::string>;

nb::object label(const Labeller& self, LongVector offsets, IntVector form, IntVector tag,
                 const Strings& strings, int threads) {
  check_rows(offsets, form.size());
  check_cells({form, tag}, form.size(), strings.size());
  return nb::cast(as_array(without_gil([&] {
    return self.label({offsets.data(), offsets.size() - 1, form.data(), tag.data(), strings}, threads);
  })));
}

}  // namespace

void bind_labelling(nb::module_ module) {
  nb::class_<Labeller>(module, "Labeller")
      .def("__init__", &read_model<Labeller>, "model"_a)
      .def_prop_ro("fingerprint", [](const Labeller& self) { return self.model().fingerprint; })
      .def_prop_ro("task", [](const Labeller& self) { return self.model().task; })
      .def_prop_ro("labels", [](const Labeller& self) { return self.model().labels; })
      .def("label", &label, "offsets"_a, "form"_a, "tag"_a, "strings"_a, nb::kw_only(), "threads"_a);
}

}  // namespace metaphrase::analysis
