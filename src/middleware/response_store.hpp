// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::middleware {

/// A response as it was given. Not changed once it is stored. Times in milliseconds of the loop.
struct stored_response {
    int status = 200;
    std::vector<std::pair<std::string, std::string>> fields;
    std::string type, body, etag;
    std::vector<std::pair<std::string, std::string>> vary;  ///< What the request had in the fields that Vary names.
    bool for_authorized = false;                            ///< Also for requests with Authorization (RFC 9111, 3.5).
    std::uint64_t born = 0, fresh_until = 0, usable_until = 0;

    std::size_t size() const noexcept;  ///< Of its memory, about.
    bool fits(const request&) const;    ///< What Vary names is as it was.
};

/// Responses within a bound of bytes, those used longest ago dropped first. For all threads.
class response_store {
public:
    explicit response_store(std::size_t bytes) noexcept : most_(bytes) {}

    /// The newest under this key that fits the request, fresh or stale.
    std::shared_ptr<const stored_response> find(const std::string& key, const request&);

    /// Takes the place of one for the same request. One over the bound is not kept.
    void put(const std::string& key, std::shared_ptr<const stored_response>, const request&);

    void erase(const std::string& key);  ///< All under this key.

    std::size_t bytes() const;  ///< In use.

private:
    struct item {
        std::string key;
        std::shared_ptr<const stored_response> what;
    };
    using items = std::list<item>;

    void drop(items::iterator) noexcept;

    std::size_t most_;
    std::size_t used_ = 0;
    items items_;  // the last used first
    std::multimap<std::string_view, items::iterator> by_key_;
    mutable std::mutex lock_;
};

}  // namespace apus::middleware
