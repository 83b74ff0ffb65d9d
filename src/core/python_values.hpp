// Between Python's values and those of the kernels.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string_view>
#include <utility>
#include <vector>

namespace metaphrase {

template <class Number>
using Vector = nanobind::ndarray<const Number, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// A lone surrogate has no UTF-8 form: such a word is in no lexicon, which the empty word stands for. The text
// lives as long as the word does.
inline std::string_view utf8(PyObject* word) {
  if (!PyUnicode_Check(word)) throw nanobind::type_error("words must be str");
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(word, &size);
  if (text == nullptr) {
    PyErr_Clear();
    return {};
  }
  return {text, static_cast<std::size_t>(size)};
}

// Gives the numbers away to a numpy array, without copying them.
template <class Number>
nanobind::ndarray<nanobind::numpy, Number, nanobind::ndim<1>> as_array(std::vector<Number>&& numbers) {
  auto* owned = new std::vector<Number>(std::move(numbers));
  nanobind::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  return {owned->data(), {owned->size()}, owner};
}

}  // namespace metaphrase
