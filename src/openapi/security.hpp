// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/json_value.hpp>
#include <apus/security_note.hpp>

#include <span>
#include <string>
#include <vector>

namespace apus::openapi {

/// What the middleware around a route asks, put together.
struct asked {
    /// Security Requirement Objects (4.8.30), of which one is to be met. Empty: nothing is asked.
    json_value requirements;
    std::vector<std::string> fields;  ///< Header fields that are taken besides.
    bool malformed = false;           ///< 400 for credentials that cannot be read.
    bool unknown = false;             ///< 401.
    bool forbidden = false;           ///< 403.
};

/// The ways to prove who one is (Security Scheme Objects, 4.8.27) of one document, by names.
class security_schemes {
public:
    /// Adds those of the notes around a route, from the outermost on. `changes`: by a method that is not safe.
    asked of(std::span<const security_note>, bool changes);

    /// All of them by name, in the order in which they were met; null if there are none.
    json_value components() && { return std::move(all_); }

private:
    std::string name_of(const security_note&);

    json_value all_;
};

}  // namespace apus::openapi
