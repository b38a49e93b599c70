// SPDX-License-Identifier: Apache-2.0
#include <vector>

int main() {
    std::vector<int> all(3);
    return all[3];
}
