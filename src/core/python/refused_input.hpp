// What bindings throw at input that a kernel must not see.
#pragma once

#include <stdexcept>
#include <string>

namespace metaphrase {

// `what()` is a code of errors.py, a space and the message. The sub-module `transport` gives it its
// Python name.
struct RefusedInputError : std::runtime_error {
  RefusedInputError(const char* code, const std::string& message)
      : std::runtime_error(std::string(code) + " " + message) {}
};

}  // namespace metaphrase
