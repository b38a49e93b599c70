// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <apus/app.hpp>
#include <apus/blocking.hpp>
apus::task<std::string> keep() {
    std::string found = apus::blocking([] { return std::string("x"); });
    co_return found;
}
