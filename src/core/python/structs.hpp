// Structs that Python makes once and hands to kernels as often as it likes.
#pragma once

#include <new>
#include <utility>

namespace metaphrase {

// For __init__ of a struct with these members; its check(), if it has one, sees it before anybody else does.
template <class Struct, class... Members>
void make_struct(Struct* self, Members... members) {
  Struct made{std::move(members)...};
  if constexpr (requires { made.check(); }) made.check();
  new (self) Struct(std::move(made));
}

}  // namespace metaphrase
