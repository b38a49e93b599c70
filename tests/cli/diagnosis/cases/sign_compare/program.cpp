// SPDX-License-Identifier: Apache-2.0
#include <vector>

int count(const std::vector<int>& all) {
    int n = 0;
    for (int i = 0; i < all.size(); ++i) n += all[i];
    return n;
}
