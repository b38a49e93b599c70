// SPDX-License-Identifier: Apache-2.0
#include <string>

int length(const std::string& text);

int main() { return length(1, 2); }
