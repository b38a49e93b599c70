// SPDX-License-Identifier: Apache-2.0
#include <concepts>

template <std::integral T>
T twice(T n) {
    return 2 * n;
}

int main() { return int(twice(1.5)); }
