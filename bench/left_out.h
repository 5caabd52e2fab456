#pragma once
/// Rows of a table that cannot be measured.

#include <string>
#include <utility>

#include "core/error.h"

namespace riffle::bench {

/// Does the work of one row. @return why it cannot be done, for the row's note: the other rows are measured nevertheless;
/// "" if it is done
template <class Work>
std::string why_left_out(Work&& work) {
  try {
    std::forward<Work>(work)();
    return "";
  } catch (const InputError& error) {  // such as too few particles for the box
    return error.what();
  } catch (const Unavailable& error) {
    return error.what();
  } catch (const RuntimeFailure& error) {
    return error.what();
  }
}

}  // namespace riffle::bench
