// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <apus/app.hpp>
#include <apus/blocking.hpp>
struct row {
    std::string kept_password;
};
apus::task<std::string> keep() {
    auto found = apus::blocking([] { return row{}; });
    co_return found.kept_password;
}
