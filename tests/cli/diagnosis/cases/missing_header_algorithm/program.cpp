// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>
#include <apus/app.hpp>
std::vector<std::string> sorted(std::vector<std::string> all) {
    std::ranges::sort(all);
    return all;
}
