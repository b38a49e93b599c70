// SPDX-License-Identifier: Apache-2.0
#include <apus/task.hpp>

apus::task<> job();

apus::task<int> count() { co_await job(); }
