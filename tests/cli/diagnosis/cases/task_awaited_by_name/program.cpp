// SPDX-License-Identifier: Apache-2.0
#include <apus/task.hpp>

apus::task<int> count();

apus::task<int> twice() {
    auto later = count();
    co_return 2 * co_await later;
}
