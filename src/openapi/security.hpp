// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/json_value.hpp>
#include <apus/security_note.hpp>

#include <span>
#include <string>
#include <vector>

namespace apus::openapi {

/// The combined security requirements of all middleware around a route.
struct asked {
    /// Security Requirement Objects (4.8.30); a request must meet one of them. Empty: there are no
    /// requirements.
    json_value requirements;
    std::vector<std::string> fields;  ///< Additional header fields that the middleware reads.
    bool malformed = false;           ///< The middleware sends 400 for malformed credentials.
    bool unknown = false;             ///< The middleware sends 401.
    bool forbidden = false;           ///< The middleware sends 403.
};

/// The security schemes of a document (Security Scheme Objects, 4.8.27), by name.
class security_schemes {
public:
    /// Adds the schemes of a route's middleware, outermost first.
    /// `changes` is true for unsafe methods (RFC 9110, 9.2.1).
    asked of(std::span<const security_note>, bool changes);

    /// Returns all schemes by name, in the order of their first use; null if there are none.
    json_value components() && { return std::move(all_); }

private:
    std::string name_of(const security_note&);

    json_value all_;
};

}  // namespace apus::openapi
