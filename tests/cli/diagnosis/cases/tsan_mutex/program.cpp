// SPDX-License-Identifier: Apache-2.0
#include <mutex>

std::mutex lock;

int main() {
    lock.unlock();
    return 0;
}
