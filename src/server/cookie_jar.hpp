// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::server {

/// Cookies of a test client, stored by name only. A Max-Age of 0 or less removes a cookie.
class cookie_jar {
public:
    /// Stores the cookies of a response head's Set-Cookie lines.
    void take(std::string_view head);

    /// Returns the value of the request's Cookie field, such as "a=b; c=d", or an empty string.
    std::string line() const;
    std::string_view value(std::string_view name) const noexcept;
    void clear() noexcept { kept_.clear(); }

private:
    void set(std::string_view cookie);

    std::vector<std::pair<std::string, std::string>> kept_;
};

}  // namespace apus::server
