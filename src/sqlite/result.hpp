// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sql/engine.hpp"

#include <string>
#include <vector>

namespace apus::sqlite {

/// Rows copied from SQLite, so that they can be read on another thread.
class result final : public sql::rows {
public:
    std::size_t size() const noexcept override { return names_.empty() ? 0 : cells_.size() / names_.size(); }
    unsigned columns() const noexcept override { return static_cast<unsigned>(names_.size()); }
    std::string_view column_name(unsigned column) const noexcept override { return names_[column]; }
    std::string_view column_type(unsigned column) const noexcept override { return types_[column]; }
    sql::value cell(std::size_t row, unsigned column) override {
        sql::value v = cells_[row * names_.size() + column];
        if (v.kind == sql::value_kind::text || v.kind == sql::value_kind::bytes)
            v.text = std::string_view(bytes_).substr(static_cast<std::size_t>(v.integer), v.count);
        return v;
    }

    void add_column(std::string name, std::string type) {
        names_.push_back(std::move(name));
        types_.push_back(std::move(type));
    }
    void add(sql::value v) { cells_.push_back(v); }
    void add_text(sql::value_kind kind, std::string_view text) {
        cells_.push_back({.kind = kind,
                          .count = static_cast<std::uint32_t>(text.size()),
                          .integer = static_cast<std::int64_t>(bytes_.size())});
        bytes_ += text;
    }
    std::size_t memory() const noexcept { return bytes_.size() + cells_.size() * sizeof(sql::value); }

private:
    std::vector<std::string> names_, types_;
    std::vector<sql::value> cells_;  // for a text, its offset in bytes_ and its size
    std::string bytes_;
};

}  // namespace apus::sqlite
