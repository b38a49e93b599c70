// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::server {

/// The cookies of a test's client, by name only. Those with a Max-Age of 0 or less go.
class cookie_jar {
public:
    /// Takes the Set-Cookie lines of an answer's head.
    void take(std::string_view head);

    /// "a=b; c=d", or empty.
    std::string line() const;
    std::string_view value(std::string_view name) const noexcept;
    void clear() noexcept { kept_.clear(); }

private:
    void set(std::string_view cookie);

    std::vector<std::pair<std::string, std::string>> kept_;
};

}  // namespace apus::server
