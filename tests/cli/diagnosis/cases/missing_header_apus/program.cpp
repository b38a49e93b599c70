// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>

int main() { return 0; }
