// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/json_string.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace apus::server {

/// Appends a JSON object or array to a text. The destructor ends it.
class json_part {
public:
    /// `begin`: `{` for an object, `[` for an array.
    json_part(std::string& to, char begin) : to_(to), end_(begin == '{' ? '}' : ']') { to_ += begin; }
    json_part(const json_part&) = delete;
    json_part& operator=(const json_part&) = delete;
    ~json_part() { to_ += end_; }

    /// Begins the next element. The caller appends it to the returned text.
    std::string& next() {
        if (!std::exchange(first_, false)) to_ += ',';
        return to_;
    }
    /// Begins the next member. The caller appends its value to the returned text.
    std::string& key(std::string_view name) { return ((next() += '"') += name) += "\":"; }
    void text(std::string_view name, std::string_view value) { base::append_json_string(key(name), value); }
    void optional_text(std::string_view name, std::string_view value) {
        if (!value.empty()) text(name, value);
    }
    void number(std::string_view name, std::uint64_t value) { key(name) += std::to_string(value); }
    void boolean(std::string_view name, bool value) { key(name) += value ? "true" : "false"; }
    void literal(std::string_view name, std::string_view value) { key(name) += value; }  ///< A value that is JSON.

private:
    std::string& to_;
    const char end_;
    bool first_ = true;
};

}  // namespace apus::server
