// metaphrase._core.RefusedInputError, with what the C++ exception holds as attributes.
#include <nanobind/nanobind.h>

#include <exception>

#include "python/refused_input.hpp"

namespace nb = nanobind;

namespace metaphrase {

void bind_refused_input(nb::module_ module) {
  const nb::object kind =
      nb::steal(PyErr_NewException("metaphrase._core.RefusedInputError", nullptr, nullptr));
  module.attr("RefusedInputError") = kind;  // which keeps it alive
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void* registered) {
        try {
          std::rethrow_exception(thrown);
        } catch (const RefusedInputError& refused) {
          const nb::handle type(static_cast<PyObject*>(registered));
          const nb::object error = type(refused.what());
          error.attr("code") = refused.code;
          error.attr("message") = refused.what();
          error.attr("row") = refused.row ? nb::int_(*refused.row) : nb::object(nb::none());
          error.attr("fault") = nb::str(refused.fault.c_str());
          PyErr_SetObject(type.ptr(), error.ptr());
        }
      },
      kind.ptr());
}

}  // namespace metaphrase
