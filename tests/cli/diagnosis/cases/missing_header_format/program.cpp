// SPDX-License-Identifier: Apache-2.0
#include <print>

int main() { std::print("hello\n"); }
