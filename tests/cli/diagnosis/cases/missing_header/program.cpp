// SPDX-License-Identifier: Apache-2.0
#include <fmt9/core.h>

int main() { return 0; }
