// SPDX-License-Identifier: Apache-2.0
#include <apus/task.hpp>

#include <string>
#include <vector>

apus::task<int> count(std::vector<std::string> names);

apus::task<int> two(std::string a, std::string b) {
    co_return co_await count(std::vector<std::string>{a, b});
}
