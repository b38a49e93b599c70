// SPDX-License-Identifier: Apache-2.0
#include <apus/task.hpp>

#include <string>

apus::task<std::string> name();

apus::task<std::string> greeting() {
    auto who = co_await name();
    return "hello " + who;
}
