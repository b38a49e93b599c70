// SPDX-License-Identifier: Apache-2.0
#include <apus/task.hpp>

int size();

apus::task<int> twice() { co_return 2 * co_await size(); }
