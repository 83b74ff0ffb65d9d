// metaphrase_training: what only training/ needs, an extension that the wheel of metaphrase does not carry.
#include <nanobind/nanobind.h>

#include "base/byte_stream.hpp"

namespace nb = nanobind;

namespace metaphrase::training {
void bind_analyser(nb::module_ module);
void bind_labeller(nb::module_ module);
void bind_parser(nb::module_ module);
}  // namespace metaphrase::training

NB_MODULE(metaphrase_training, module) {
  module.doc() = "Trains the models of metaphrase's analysers; see src/core/training.";
  nb::exception<metaphrase::ModelError>(module, "ModelError", PyExc_ValueError);
  metaphrase::training::bind_analyser(module);
  metaphrase::training::bind_labeller(module);
  metaphrase::training::bind_parser(module);
}
