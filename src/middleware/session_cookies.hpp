// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crypto/sealed_box.hpp"

#include <apus/sessions.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::middleware {

/// Converts between cookies and sessions, and sets the session cookie of responses. Immutable.
class session_cookies {
public:
    session_cookies(sessions_options, session_store*, const std::vector<std::string>* secrets);

    session_store* store() const noexcept { return store_; }
    duration lifetime() const noexcept { return how_.idle < how_.absolute ? how_.idle : how_.absolute; }

    /// Returns the session id in the request's cookie if its format is valid, otherwise an empty text.
    std::string_view id_in(const request&) const noexcept;
    static std::string key_of(std::string_view id);

    session nothing() const noexcept { return session(room_); }
    session from_cookie(const request&) const;
    /// Decodes a stored session. Returns a new session if `bytes` is empty or invalid, or if the
    /// session has expired.
    session from_bytes(std::string_view bytes, std::string_view id) const;

    /// Changes to make in the store when the response is complete.
    struct verdict {
        std::string remove;  ///< Id of the session to remove from the store; empty if there is nothing to remove.
        std::string save;    ///< Bytes to save under the session's id; empty if there is nothing to save.
        std::string id;
    };
    /// Sets the cookie in `res`, if needed.
    verdict commit(session&, response& res) const;

private:
    std::int64_t now() const;
    std::string encoded(const session&) const;
    bool decode(std::string_view bytes, session&) const;
    bool expired(const session&) const;
    void put_cookie(response&, const session&, std::string_view value) const;

    sessions_options how_;
    cookie_options cookie_;
    session_store* store_;
    std::optional<crypto::sealed_box> box_;
    std::size_t room_;
};

}  // namespace apus::middleware
