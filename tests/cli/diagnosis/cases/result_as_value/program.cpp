// SPDX-License-Identifier: Apache-2.0
#include <apus/error.hpp>

#include <string>

apus::result<std::string> name();

std::size_t length() {
    std::string found = name();
    return found.size();
}
