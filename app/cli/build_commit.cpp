#include "app/cli/build_commit.h"

#include "commit_stamp.h"

namespace riffle {

const char* build_commit() { return RIFFLE_COMMIT; }

}  // namespace riffle
