// What bindings throw at input that a kernel must not see.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

namespace metaphrase {

// metaphrase._core.RefusedInputError: a code of errors.py and, as `what()`, the message.
struct RefusedInputError : std::runtime_error {
  RefusedInputError(const char* why, const std::string& message) : std::runtime_error(message), code(why) {}

  // One row is at fault. The message is "unit row fault."; a caller knows a better name for the row.
  RefusedInputError(const char* why, const std::string& unit, std::size_t number, const std::string& what)
      : std::runtime_error(unit + " " + std::to_string(number) + what + "."),
        code(why),
        row(number),
        fault(what) {}

  const char* code;
  std::optional<std::size_t> row;
  std::string fault;
};

// What only a mistake of ours can break.
inline void require(bool sound, const char* message) {
  if (!sound) throw std::invalid_argument(message);
}

}  // namespace metaphrase
