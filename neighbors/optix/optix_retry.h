#pragma once
/// When another try to load OptiX is worthwhile after a failure. Private to neighbors/.

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "neighbors/optix/optix_program_sets.h"

namespace riffle {

/// A try takes up to a second, and an audit makes a search for each state: the same try is not repeated.
struct FailedOptixTry {
  /// [bytes] more than at that try. A context takes some hundred MiB, and free memory fluctuates with every buffer.
  static constexpr std::size_t kFreed = std::size_t{64} << 20;

  std::string why;
  std::size_t free = 0;  ///< [bytes] on the GPU after the try
  bool by_name = false;  ///< the settings named OptiX, instead of leaving the choice to the program

  bool worth_another(std::size_t free_now, bool by_name_now) const {
    return (by_name_now && !by_name) || free_now >= free + kFreed;
  }
};

/// The context of one GPU and what failed there. Programs that cannot be made say nothing of the others; without a context
/// there are none. Context: as OptixContext, in which prepare() throws.
template <class Context>
class OptixTries {
 public:
  /// @param make  makes the context, or throws
  /// @param free  [bytes] free on the GPU now
  /// @return the context with these programs ready; nullptr if it is impossible, and why
  template <class Make, class Free>
  std::shared_ptr<Context> get(OptixPrograms programs, bool by_name, const Make& make, const Free& free,
                               std::string& why_not) {
    std::optional<FailedOptixTry>& own = failed_programs_[static_cast<int>(programs)];
    for (std::optional<FailedOptixTry>* failure : {&failed_context_, &own})
      if (*failure && !(*failure)->worth_another(free(), by_name)) {
        why_not = (*failure)->why;
        return nullptr;
      }
    std::optional<FailedOptixTry>* trying = &failed_context_;
    try {
      if (!context_) context_ = make();
      failed_context_.reset();
      trying = &own;
      context_->prepare(programs);
      own.reset();
      ready_ = true;
      return context_;
    } catch (const std::exception& error) {
      if (!ready_) context_ = nullptr;  // its memory may be what is missing, and nothing uses it
      *trying = FailedOptixTry{error.what(), free(), by_name};
      why_not = (*trying)->why;
      return nullptr;
    }
  }

 private:
  std::shared_ptr<Context> context_;
  bool ready_ = false;                            ///< any programs are
  std::optional<FailedOptixTry> failed_context_;  ///< the context could not be made
  std::optional<FailedOptixTry> failed_programs_[kOptixPrograms];
};

}  // namespace riffle
