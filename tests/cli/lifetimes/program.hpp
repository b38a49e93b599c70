// SPDX-License-Identifier: Apache-2.0
// Declarations for the cases of bad.cpp and good.cpp: an application with state that its requests share.
#pragma once

#include <apus/app.hpp>
#include <apus/json.hpp>
#include <apus/sleep.hpp>
#include <apus/task_scope.hpp>
#include <apus/when_all.hpp>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct user {
    std::string name;
    int visits = 0;
    const std::string& title() const { return name; }
    std::string_view initial() const { return std::string_view(name).substr(0, 1); }
};

struct shop {
    std::map<int, user> users;
    std::unordered_map<std::string, int> stock;
    std::vector<std::string> items;
    std::string motto;
};

inline std::map<int, user> all_users;
inline const std::vector<std::string> all_words = {"one", "two"};

inline apus::task<> wait() { co_await apus::sleep_for(apus::milliseconds(1)); }
inline apus::task<user> load(int id) {
    co_await wait();
    co_return user{.name = std::to_string(id)};
}
inline apus::task<> greet(const std::string& name) {
    co_await wait();
    (void)name;
}
inline apus::task<> print(std::string_view text) {
    co_await wait();
    (void)text;
}
inline apus::task<> keep(std::string text) {
    co_await wait();
    (void)text;
}
inline apus::task<> add(int& total) {
    co_await wait();
    ++total;
}
inline apus::task<int> sum(std::span<const int> numbers) {
    co_await wait();
    co_return numbers.empty() ? 0 : numbers[0];
}
inline std::string text_of(int id) { return std::to_string(id); }
inline void use(std::string_view) {}

struct printer {
    std::string name;
    apus::task<> run() {
        co_await wait();
        use(name);
    }
};
