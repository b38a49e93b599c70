// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

int main() {
    void* p = std::malloc(8);
    std::free(p);
    std::free(p);
}
