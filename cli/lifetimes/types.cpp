// SPDX-License-Identifier: Apache-2.0
#include "cli/lifetimes/types.hpp"

#include <algorithm>
#include <span>

namespace apus::cli::lifetimes {
namespace {

constexpr std::string_view views[] = {"std::basic_string_view<",
                                      "std::string_view",
                                      "std::span<",
                                      "std::initializer_list<",
                                      "std::reference_wrapper<",
                                      "std::ranges::",
                                      "std::_Rb_tree_",
                                      "__gnu_cxx::__normal_iterator<",
                                      "std::__detail::_Node_",
                                      "std::_List_",
                                      "std::_Deque_",
                                      "std::_Fwd_list_",
                                      "std::_Bit_",
                                      "std::reverse_iterator<"};

constexpr std::string_view containers[] = {
    "std::vector<",   "std::deque<",         "std::list<",          "std::forward_list<",  "std::map<",
    "std::multimap<", "std::set<",           "std::multiset<",      "std::unordered_map<", "std::unordered_multimap<",
    "std::queue<",    "std::stack<",         "std::unordered_set<", "std::basic_string<",  "std::unordered_multiset<",
    "std::string",    "std::priority_queue<"};

bool begins(std::string_view type, std::span<const std::string_view> with) {
    type = bare(type);
    return std::ranges::any_of(with, [type](std::string_view each) { return type.starts_with(each); });
}

}  // namespace

std::string_view bare(std::string_view type) noexcept {
    while (type.ends_with('&') || type.ends_with(' ')) type.remove_suffix(1);
    while (type.starts_with("const ")) type.remove_prefix(6);
    return type;
}

bool is_reference(std::string_view type) noexcept { return type.ends_with('&'); }

bool is_pointer(std::string_view type) noexcept { return bare(type).ends_with('*') || bare(type).ends_with("*const"); }

bool is_view(std::string_view type) noexcept {
    return !bare(type).starts_with("std::string_view_") && begins(type, views);
}

bool refers(std::string_view type) noexcept { return is_reference(type) || is_pointer(type) || is_view(type); }

bool is_container(std::string_view type) noexcept {
    return !is_view(type) && !is_pointer(type) && begins(type, containers);
}

bool is_shared_pointer(std::string_view type) noexcept {
    constexpr std::string_view names[] = {"std::shared_ptr<", "std::weak_ptr<"};
    return begins(type, names);
}

bool is_owning_pointer(std::string_view type) noexcept {
    constexpr std::string_view names[] = {"std::unique_ptr<", "std::optional<"};
    return begins(type, names);
}

bool is_of_library(std::string_view type) noexcept {
    constexpr std::string_view names[] = {"std::", "apus::", "__gnu_cxx::"};
    return begins(type, names);
}

bool is_of_apus(std::string_view type) noexcept { return bare(type).starts_with("apus::"); }

bool is_task(std::string_view type) noexcept { return bare(type).starts_with("apus::task<"); }

std::string_view task_value(std::string_view function_type) noexcept {
    constexpr std::string_view begin = "apus::task<";
    const std::size_t arrow = function_type.rfind("-> ");
    if (arrow != function_type.npos) function_type.remove_prefix(arrow + 3);
    if (!function_type.starts_with(begin)) return {};
    function_type.remove_prefix(begin.size());
    int open = 1;
    for (std::size_t i = 0; i < function_type.size(); ++i) {
        open += function_type[i] == '<' ? 1 : function_type[i] == '>' ? -1 : 0;
        if (open == 0) return function_type.substr(0, i);
    }
    return {};
}

}  // namespace apus::cli::lifetimes
