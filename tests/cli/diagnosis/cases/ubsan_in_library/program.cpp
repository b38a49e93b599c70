// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <vector>

int price(const std::vector<int>& prices, std::size_t at) { return prices[at]; }

int main() { return price({}, 0); }
