// SPDX-License-Identifier: Apache-2.0
#include <apus/task.hpp>

#include <string>

apus::task<std::string> name();

apus::task<std::size_t> length() {
    std::string found = name();
    co_return found.size();
}
