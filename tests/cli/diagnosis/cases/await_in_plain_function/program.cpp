// SPDX-License-Identifier: Apache-2.0
#include <apus/task.hpp>

apus::task<int> count();

int twice() { return 2 * co_await count(); }
