#pragma once
/// Errors, one type for each kind of cause. The program's exit code follows from the type.

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

/// The request is valid but this machine lacks what it needs: no such device, too little memory (exit code 2).
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace riffle
