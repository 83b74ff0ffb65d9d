// Python's str and bytes as kernels read them.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "python/without_gil.hpp"

namespace metaphrase {

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

// The list or tuple keeps the words, and the words their UTF-8 text, alive.
template <class Words>
std::vector<std::string_view> utf8_list(const Words& words) {
  std::vector<std::string_view> views;
  views.reserve(nanobind::len(words));
  for (const nanobind::handle word : words) views.push_back(utf8(word.ptr()));
  return views;
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

// For __init__ of what is made of the content of a model file.
template <class Model>
void read_model(Model* self, nanobind::bytes content) {
  const std::string_view bytes(content.c_str(), content.size());
  without_gil([&] { new (self) Model(bytes); });
}

// For __init__ of what is read from a file; bytes, because a path need not be valid UTF-8.
template <class File>
void open_file(File* self, nanobind::bytes path) {
  const std::string name(path.c_str(), path.size());
  without_gil([&] {
    if constexpr (requires { File::open(name); }) {
      new (self) File(File::open(name));
    } else {
      new (self) File(name);
    }
  });
}

// What is not UTF-8, which only a forged file has, becomes U+FFFD.
inline nanobind::str to_str(std::string_view text) {
  const auto size = static_cast<Py_ssize_t>(text.size());
  PyObject* decoded = PyUnicode_DecodeUTF8(text.data(), size, "replace");
  if (decoded == nullptr) throw nanobind::python_error();
  return nanobind::steal<nanobind::str>(decoded);
}
inline nanobind::bytes to_bytes(std::string_view text) { return nanobind::bytes(text.data(), text.size()); }

template <class Texts>
nanobind::list to_list(const Texts& texts) {
  nanobind::list list;
  for (std::size_t i = 0; i < texts.size(); ++i) list.append(to_str(texts[i]));
  return list;
}

// The content of a file that is made while other threads may run Python.
template <class Make>
nanobind::bytes bytes_of(Make&& make) {
  return to_bytes(without_gil(make));
}

}  // namespace metaphrase
