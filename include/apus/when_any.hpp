// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs several tasks concurrently and waits for the first one to end.

#include <apus/detail/joint_wait.hpp>

#include <stdexcept>
#include <variant>
#include <vector>

namespace apus {

/// Index and value of the task that ended first.
template <class T>
struct first_ended {
    std::size_t index;
    T value;
};

namespace detail {

template <class T>
using value_or_monostate = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <class... T, std::size_t... I>
auto take_first(joint_task* from, joint_task* first, std::index_sequence<I...>) {
    using variant = std::variant<value_or_monostate<T>...>;
    std::optional<variant> value;
    auto take = [&]<std::size_t Index, class V>() {
        if (first != from + Index) return;
        if constexpr (std::is_void_v<V>) value.emplace(std::in_place_index<Index>);
        else value.emplace(std::in_place_index<Index>, first->take<V>());
    };
    (take.template operator()<I, T>(), ...);
    return *std::move(value);
}

template <class T>
struct first_of_range {
    using type = first_ended<T>;
};
template <>
struct first_of_range<void> {
    using type = std::size_t;
};

}  // namespace detail

/// Runs tasks concurrently until the first one ends, and returns its value.
/// The result is a variant. Its `index()` is the position of the task; tasks without a value have `std::monostate`.
///
/// When the first task ends, the other tasks are cancelled and destroyed before the wait ends. If the first task has
/// failed, the awaiting coroutine fails with the same error. Cancelling the awaiting task cancels all tasks.
///
/// Tasks start in order. If a task ends without waiting, later tasks do not start.
template <class... T>
    requires(sizeof...(T) > 0)
task<std::variant<detail::value_or_monostate<T>...>> when_any(task<T>... tasks) {
    detail::joint_task all[] = {detail::joint_task(std::move(tasks))...};
    detail::joint_wait wait(all, sizeof...(T), detail::joint_wait::until::first);
    auto* first = co_await wait;
    if (first->failure()) co_await wait.fail_with(*first);
    wait.cancel(first);
    co_return detail::take_first<T...>(all, first, std::index_sequence_for<T...>());
}

/// Like `when_any` with arguments, for any number of tasks of one type.
/// Returns the index of the task that ended first, with its value if it has one. Throws `std::invalid_argument` if
/// there are no tasks.
template <class T>
task<typename detail::first_of_range<T>::type> when_any(std::vector<task<T>> tasks) {
    if (tasks.empty()) throw std::invalid_argument("when_any: the list of tasks is empty");
    std::vector<detail::joint_task> all;
    all.reserve(tasks.size());
    for (auto& t : tasks) all.emplace_back(std::move(t));
    detail::joint_wait wait(all.data(), all.size(), detail::joint_wait::until::first);
    auto* first = co_await wait;
    if (first->failure()) co_await wait.fail_with(*first);
    wait.cancel(first);
    const auto index = static_cast<std::size_t>(first - all.data());
    if constexpr (std::is_void_v<T>) co_return index;
    else co_return first_ended<T>{index, first->template take<T>()};
}

}  // namespace apus
