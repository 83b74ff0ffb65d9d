// Between Python's values and those of the kernels.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
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

// The characters of a str without a copy; a lone surrogate raises Python's UnicodeEncodeError.
inline std::string_view strict_utf8(nanobind::handle text) {
  if (!PyUnicode_Check(text.ptr())) throw nanobind::type_error("a text is not a str");
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!data) throw nanobind::python_error();
  if (size > std::numeric_limits<std::int32_t>::max()) {
    throw nanobind::value_error("a text is longer than 2 GB");
  }
  return {data, static_cast<std::size_t>(size)};
}

inline std::vector<std::string_view> strict_utf8_list(const nanobind::list& texts) {
  std::vector<std::string_view> views;
  views.reserve(texts.size());
  for (nanobind::handle text : texts) views.push_back(strict_utf8(text));
  return views;
}

// Gives the numbers away to a numpy array, without copying them.
template <class Number>
nanobind::ndarray<nanobind::numpy, Number, nanobind::ndim<1>> as_array(std::vector<Number>&& numbers) {
  auto* owned = new std::vector<Number>(std::move(numbers));
  nanobind::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  return {owned->data(), {owned->size()}, owner};
}

// For __init__ of what is made of the content of a model file.
template <class Model>
void read_model(Model* self, nanobind::bytes content) {
  const std::string_view bytes(content.c_str(), content.size());
  nanobind::gil_scoped_release release;
  new (self) Model(bytes);
}

// Row i of packed columns is [offsets[i], offsets[i + 1]).
inline void check_rows(const Vector<std::int64_t>& offsets, std::size_t tokens) {
  const std::size_t rows = offsets.size();
  bool rise = rows > 0 && offsets(0) == 0 && offsets(rows - 1) == static_cast<std::int64_t>(tokens);
  for (std::size_t i = 1; rise && i < rows; ++i) {
    rise = offsets(i) >= offsets(i - 1) &&
           offsets(i) - offsets(i - 1) <= std::numeric_limits<std::int32_t>::max();
  }
  if (!rise) throw nanobind::value_error("the offsets do not rise from 0 to the number of tokens");
}

// Every cell of a column is the number of a string.
inline void check_cells(std::initializer_list<Vector<std::int32_t>> columns, std::size_t tokens,
                        std::size_t strings) {
  for (const Vector<std::int32_t>& column : columns) {
    if (column.size() != tokens) throw nanobind::value_error("the columns differ in length");
    for (std::size_t i = 0; i < tokens; ++i) {
      if (column(i) < 0 || static_cast<std::size_t>(column(i)) >= strings) {
        throw nanobind::value_error("a cell is not the number of a string");
      }
    }
  }
}

}  // namespace metaphrase
