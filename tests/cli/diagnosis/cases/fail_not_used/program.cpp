// SPDX-License-Identifier: Apache-2.0
#include <apus/error.hpp>

apus::result<int> half(int n) {
    if (n % 2) apus::fail(422, "an even number");
    return n / 2;
}
