// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <string_view>
#include <vector>

namespace apus::cli::lifetimes {

/// Line and column in a file, from 1.
struct position {
    int line = 0, column = 0;
    auto operator<=>(const position&) const = default;
};

/// Node of clang's syntax tree: a declaration, a statement or an expression.
struct node {
    std::string_view kind;  ///< Name of clang's class: "VarDecl".
    std::string_view id;    ///< Address in the dump, by which other nodes refer to this node.
    std::string_view file;
    position begin, end;     ///< First character of the node, and first character of its last token.
    std::string_view text;   ///< The rest of the node's line, after its location.
    std::string_view name;   ///< Name of a declaration; otherwise empty.
    std::string_view type;   ///< The type, desugared if clang prints that form.
    std::size_t number = 0;  ///< Position in the order of the source.
    node* parent = nullptr;
    std::vector<node*> children{};

    bool is(std::string_view what) const noexcept { return kind == what; }
    bool says(std::string_view word) const noexcept { return text.find(word) != text.npos; }
};

/// Syntax trees of functions, parsed from the output of clang-query-19 (`set output dump`).
///
/// Repeated parts are left out: everything in a `co_await` except its operand, everything in a coroutine except its
/// body, and the second copy of the body of a lambda.
class syntax_tree {
public:
    /// `dump` must outlive the tree. Lines that are not part of a tree are ignored.
    explicit syntax_tree(std::string_view dump);
    syntax_tree(const syntax_tree&) = delete;
    syntax_tree& operator=(const syntax_tree&) = delete;

    /// Returns one root per match.
    const std::vector<node*>& roots() const noexcept { return roots_; }

private:
    class reader;
    std::deque<node> nodes_;
    std::vector<node*> roots_;
};

}  // namespace apus::cli::lifetimes
