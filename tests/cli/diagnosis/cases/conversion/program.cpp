// SPDX-License-Identifier: Apache-2.0
#include <string>

int main() {
    int n = std::string("1");
    return n;
}
