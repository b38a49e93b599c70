// SPDX-License-Identifier: Apache-2.0
#include <string>

TEST_CASE("a sum") { CHECK(1 + 1 == 2); }
