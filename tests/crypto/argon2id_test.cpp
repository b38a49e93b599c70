// SPDX-License-Identifier: Apache-2.0
#include "crypto/argon2id.hpp"

#include <doctest/doctest.h>

#include <ctime>

using namespace apus::crypto;

namespace {

// Returns CPU time of this thread in milliseconds, which other load of the machine does not affect much.
double cost_of_comparing(const std::string& text) {
    timespec before{}, after{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    CHECK_FALSE(is_argon2id_of(text, "password"));
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    return static_cast<double>(after.tv_sec - before.tv_sec) * 1e3 +
           static_cast<double>(after.tv_nsec - before.tv_nsec) / 1e6;
}

}  // namespace

TEST_CASE("a check for an unknown user takes as long as one for a known user") {
    const argon2id_cost cost{19'456, 2};
    CHECK(cost_of_comparing(argon2id_of_nobody(cost)) > 2);
    CHECK(cost_of_comparing(argon2id("other", cost)) > 2);
    CHECK(cost_of_comparing("$argon2id$v=19$m=19456,t=2,p=1$broken") < 2);
}

TEST_CASE("cost parameters in a hash") {
    const auto said = [](std::string_view text) { return argon2id_cost_of(text).value_or(argon2id_cost{0, 0}); };
    CHECK(said(argon2id("x", {8'192, 3})) == argon2id_cost{8'192, 3});
    CHECK(said("$argon2id$v=19$m=8192,t=3,p=4$salt$hash") == argon2id_cost{8'192, 3});
    for (const char* text :
         {"", "$argon2id$", "$argon2id$v=19$m=8192,t=3,p=0$s$h", "$argon2id$v=19$m=8192,t=3,p=1",
          "$argon2id$v=19$t=3,m=8192,p=1$s$h", "$argon2i$v=19$m=8192,t=3,p=1$s$h", "$argon2id$v=18$m=8192,t=3,p=1$s$h",
          "$argon2id$v=19$m=-1,t=3,p=1$s$h", "$argon2id$v=19$m=4294967296,t=3,p=1$s$h"})
        CHECK(said(text) == argon2id_cost{0, 0});
    CHECK(said("$argon2id$v=19$m=8192,t=3,p=1$" + std::string(200, 's')) == argon2id_cost{0, 0});
}
