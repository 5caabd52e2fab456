#pragma once
/// Errors by whose fault they are: the program's exit code follows from the type.

#include <stdexcept>
#include <string>

namespace riffle {

/// Something failed while running (exit code 1): a CUDA call, a file that cannot be written.
class RuntimeFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The command line or the scene is wrong (exit code 2).
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The request is legal but this machine has not what it asks for: no such device, too little memory (exit code 2).
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace riffle
