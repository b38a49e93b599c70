// SPDX-License-Identifier: Apache-2.0
#include <string_view>

int main() {
    std::vector<int> all;
    return int(all.size());
}
