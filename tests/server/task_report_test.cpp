// SPDX-License-Identifier: Apache-2.0
#include "server/task_report.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

TEST_CASE("the name of a coroutine is its function without return type and template arguments") {
    struct row {
        std::string_view function, name;
    };
    const row rows[] = {
        {"task<int> f(int)", "f(int)"},
        {"task<> shop::(anonymous namespace)::find(const order &)", "shop::(anonymous namespace)::find(const order &)"},
        {"task<std::vector<std::pair<int, task<int>>>> f(int)", "f(int)"},
        {"apus::task<std::string> f()", "f()"},
        {"auto main()::(anonymous class)::operator()(int) const", "main()::(anonymous class)::operator()(int) const"},
        {"task<typename detail::joint_values<T...>::type> apus::when_all(task<T>...) [T = <int, void>]",
         "apus::when_all(task<T>...)"},
        // g++ 12
        {"void f(f(int)::_Z1fi.Frame*)", "f"},
        {"void main()::<lambda(int)>::operator()(main()::<lambda(int)>::_ZZ4mainENKUliE_clEi.Frame*)",
         "main()::<lambda(int)>::operator()"},
        {"apus::task<T> f(T) [with T = int]", "f(T)"},
        // not names of coroutines
        {"", ""},
        {"task<", "task<"},
        {"task<int>", "task<int>"},
        {".Frame*)", ".Frame*)"},
        {"x]", "x]"},
    };
    for (const auto& r : rows) CHECK(apus::server::coroutine_name(r.function) == r.name);
    CHECK(apus::server::coroutine_name(std::string(5000, 'x')).size() == 200);
    CHECK(apus::server::coroutine_name("task<> " + std::string(5000, 'x')).size() == 200);
}
