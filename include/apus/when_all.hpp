// SPDX-License-Identifier: Apache-2.0
#pragma once

// Several tasks at a time, and all of their values.

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

/// Runs tasks at a time on this core and gives their values as a tuple, in the order of the arguments:
/// `auto [user, orders] = co_await apus::when_all(find_user(id), find_orders(id));`
///
/// Tasks without a value add nothing to the tuple; if none has a value, there is no tuple. The first
/// task that fails cancels the others; when they have been destroyed, its error is passed on.
/// Cancelling the waiting task cancels all of them. No task outlives the wait.
///
/// Tasks start in order, each when those before it have begun to wait. A task that fails before the
/// others start keeps them from starting.
template <class... T>
    requires(sizeof...(T) > 0)
task<typename detail::joint_values<T...>::type> when_all(task<T>... tasks) {
    detail::joint_task all[] = {detail::joint_task(std::move(tasks))...};
    detail::joint_wait wait(all, sizeof...(T), detail::joint_wait::until::all);
    if (auto* failed = co_await wait) co_await wait.fail_with(*failed);
    if constexpr (!(std::is_void_v<T> && ...))
        co_return detail::take_values<T...>(all, std::index_sequence_for<T...>());
}

/// The same for any number of tasks of one type: their values in the same order, or nothing if they
/// have none. No tasks: no values.
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
