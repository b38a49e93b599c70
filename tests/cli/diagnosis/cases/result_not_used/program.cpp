// SPDX-License-Identifier: Apache-2.0
#include <apus/error.hpp>

apus::result<int> half(int n);

void print(int n) { half(n); }
