// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs several tasks concurrently and waits for all of them.

#include <apus/detail/joint_wait.hpp>

#include <tuple>
#include <vector>

namespace apus {

namespace detail {

template <class T>
auto joint_value(joint_task& of) {
    if constexpr (std::is_void_v<T>) return std::tuple<>();
    else return std::tuple<T>(of.take<T>());
}

template <class... T>
struct joint_values {
    using type = decltype(std::tuple_cat(joint_value<T>(std::declval<joint_task&>())...));
};
template <class... T>
    requires(std::is_void_v<T> && ...)
struct joint_values<T...> {
    using type = void;
};

template <class... T, std::size_t... I>
auto take_values(joint_task* from, std::index_sequence<I...>) {
    return std::tuple_cat(joint_value<T>(from[I])...);
}

}  // namespace detail

/// Runs tasks concurrently on this core, and returns a tuple of their values.
/// The values are in the order of the arguments:
/// `auto [user, orders] = co_await apus::when_all(find_user(id), find_orders(id));`
///
/// Tasks without a value add nothing to the tuple; if no task has a value, the result is void. If a task fails, the
/// others are cancelled and destroyed; then the awaiting coroutine fails with the same error. Cancelling the awaiting
/// task cancels all tasks. No task outlives the wait.
///
/// Tasks start in order, each after the previous one has ended or suspended. If a task fails without waiting, later
/// tasks do not start.
template <class... T>
    requires(sizeof...(T) > 0)
task<typename detail::joint_values<T...>::type> when_all(task<T>... tasks) {
    detail::joint_task all[] = {detail::joint_task(std::move(tasks))...};
    detail::joint_wait wait(all, sizeof...(T), detail::joint_wait::until::all);
    if (auto* failed = co_await wait) co_await wait.fail_with(*failed);
    if constexpr (!(std::is_void_v<T> && ...))
        co_return detail::take_values<T...>(all, std::index_sequence_for<T...>());
}

/// Like `when_all` with arguments, for any number of tasks of one type.
/// Returns a vector of their values, or void.
template <class T>
auto when_all(std::vector<task<T>> tasks) -> task<
    typename std::conditional_t<std::is_void_v<T>, std::type_identity<void>,
                                std::type_identity<std::vector<std::conditional_t<std::is_void_v<T>, int, T>>>>::type> {
    std::vector<detail::joint_task> all;
    all.reserve(tasks.size());
    for (auto& t : tasks) all.emplace_back(std::move(t));
    detail::joint_wait wait(all.data(), all.size(), detail::joint_wait::until::all);
    if (auto* failed = co_await wait) co_await wait.fail_with(*failed);
    if constexpr (!std::is_void_v<T>) {
        std::vector<T> values;
        values.reserve(all.size());
        for (auto& one : all) values.push_back(one.template take<T>());
        co_return values;
    }
}

}  // namespace apus
