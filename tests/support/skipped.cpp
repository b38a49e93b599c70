// SPDX-License-Identifier: Apache-2.0
#include "support/skipped.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace apus::support {

namespace {

std::vector<std::string>& reasons() noexcept {
    static std::vector<std::string> all;
    return all;
}

}  // namespace

void skip(std::string why) {
    if (std::ranges::find(reasons(), why) == reasons().end()) reasons().push_back(std::move(why));
}

void skip_uring(const std::string& why) {
    if (std::getenv("APUS_NEEDS_URING"))
        FAIL_CHECK("io_uring cannot be used, and APUS_NEEDS_URING asks for it: " << why);
    else skip("io_uring was left out: " + why);
}

const std::vector<std::string>& skipped() noexcept { return reasons(); }

}  // namespace apus::support
