// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

int main() { throw std::runtime_error("no such todo"); }
