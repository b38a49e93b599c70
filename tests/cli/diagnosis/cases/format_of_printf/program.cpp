// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

void show(long n) { std::printf("%d\n", n); }
