// SPDX-License-Identifier: Apache-2.0
#include <thread>

int visits = 0;

void visit() { ++visits; }

int main() {
    std::thread one(visit), two(visit);
    one.join();
    two.join();
    return 0;
}
