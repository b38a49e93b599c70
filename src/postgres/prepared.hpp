// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "postgres/result.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <apus/error.hpp>

namespace apus::postgres {

class call;

/// A statement that the server has prepared on one connection, or is preparing.
struct prepared {
    std::string sql;
    std::string name;        ///< Empty: the server must parse the statement again before each execution.
    std::vector<oid> types;  ///< Types of its parameters.
    std::shared_ptr<const row_format> format = nullptr;  ///< Null if the statement returns no rows.
    /// Whether the format may change, so that the server must send it at each execution.
    /// For example, the name in FETCH may belong to another cursor.
    bool varies = false;
    std::vector<call*> waiting;  ///< Calls that wait until the statement is prepared.
    std::optional<error> failed;
    std::string state;  ///< SQLSTATE of the failure.
    bool ready = false;
    unsigned in_use = 0;  ///< Number of executions in flight. While positive, the statement is not evicted.
};

/// Prepared statements of one connection: the most recently used ones, up to `most`.
class statement_cache {
public:
    static constexpr std::size_t most = 256;

    prepared* find(std::string_view sql);
    /// `named`: whether the server keeps the statement between executions.
    prepared& add(std::string_view sql, bool named);
    /// If the cache has too many statements, removes the least recently used one that is not in use.
    /// Returns the statement's name. Without a removed statement, or if it has no name, returns an empty text.
    std::string evict();
    void remove(const prepared&);
    template <class F>
    void each(F f) {
        for (auto& p : order_) f(p);
    }

private:
    using list = std::list<prepared>;
    list order_;  // most recently used first
    std::unordered_map<std::string_view, list::iterator> by_text_;
    std::uint64_t names_ = 0;
};

}  // namespace apus::postgres
