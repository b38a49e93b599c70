// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <apus/app.hpp>
std::string checked(std::string name) {
    if (name.empty()) return apus::fail(400, "no name");
    return name;
}
