// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::schema {

/// A client's value that violates the schema.
struct fault {
    std::string pointer;   ///< Location: a JSON Pointer (RFC 6901); empty for the whole body.
    std::string found;     ///< "a text", "7", "nothing".
    std::string expected;  ///< "an integer from 1 to 5".

    /// Returns "found 7, expected an integer from 1 to 5".
    /// If `found` or `expected` is empty, returns only the other half.
    std::string sentence() const {
        if (found.empty()) return expected;
        return "found " + found + ", expected " + expected;
    }
};

/// Maximum number of faults reported for one body.
constexpr std::size_t max_faults = 32;

struct fault_list {
    std::vector<fault> faults;
    bool more = false;  ///< True if there are more than `max_faults` faults.
    int status = 422;   ///< Response status; a `check` may set another.

    void add(fault one) {
        if (faults.size() < max_faults) faults.push_back(std::move(one));
        else more = true;
    }
};

/// Appends "/" and a name to a JSON Pointer, escaped (RFC 6901, 3).
inline void append_reference(std::string& pointer, std::string_view name) {
    pointer += '/';
    for (char c : name) {
        if (c == '~') pointer += "~0";
        else if (c == '/') pointer += "~1";
        else pointer += c;
    }
}

}  // namespace apus::schema
