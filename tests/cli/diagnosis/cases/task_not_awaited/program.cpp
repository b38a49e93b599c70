// SPDX-License-Identifier: Apache-2.0
#include <apus/task.hpp>

apus::task<> save();

apus::task<> both() {
    save();
    co_return;
}
