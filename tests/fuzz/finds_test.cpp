/// Inputs that went wrong once, each with what the reader says of it now.

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/fuzz/reader.h"
