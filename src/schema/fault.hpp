// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::schema {

/// A value of the client that is not what the schema says.
struct fault {
    std::string pointer;   ///< Where: a JSON Pointer (RFC 6901), empty for the whole.
    std::string found;     ///< "a text", "7", "nothing".
    std::string expected;  ///< "an integer from 1 to 5".

    /// "found 7, expected an integer from 1 to 5"; only one half if the other is empty.
    std::string sentence() const {
        if (found.empty()) return expected;
        return "found " + found + ", expected " + expected;
    }
};

/// Faults kept of one body at most: a client learns enough from these.
constexpr std::size_t max_faults = 32;

struct fault_list {
    std::vector<fault> faults;
    bool more = false;  ///< There were more than `max_faults`.
    int status = 422;   ///< What the client gets; a `check` may ask for another.

    void add(fault one) {
        if (faults.size() < max_faults) faults.push_back(std::move(one));
        else more = true;
    }
};

/// Adds "/" and a name to a JSON Pointer, escaped as RFC 6901, 3 says.
inline void append_reference(std::string& pointer, std::string_view name) {
    pointer += '/';
    for (char c : name) {
        if (c == '~') pointer += "~0";
        else if (c == '/') pointer += "~1";
        else pointer += c;
    }
}

}  // namespace apus::schema
