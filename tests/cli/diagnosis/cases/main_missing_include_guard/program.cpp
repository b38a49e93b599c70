// SPDX-License-Identifier: Apache-2.0
#include "twice.hpp"
#include "twice.hpp"

int main() { return twice{}.n; }
