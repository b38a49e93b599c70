// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sessions in handlers. Middleware for sessions: sessions.hpp.

#include <apus/http.hpp>

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace apus {

namespace middleware {
class session_cookies;
}

/// Named texts and numbers of one browser that persist between its requests.
/// A handler inside `sessions` takes a `session&`. Until a value is set, no cookie is sent and no data is stored. A
/// session object belongs to its request. Changes after the handler has returned its response, as in a streamed body,
/// are lost.
class session {
public:
    session(session&&) noexcept = default;
    session& operator=(session&&) noexcept = default;

    /// Returns the value of a name, or nullopt.
    /// The default T is a view that is valid until the session is changed; other types are an integer or bool that was
    /// set.
    template <class T = std::string_view>
    std::optional<T> find(std::string_view name) const {
        const std::string* text = find_text(name);
        if (!text) return std::nullopt;
        if constexpr (std::is_same_v<T, bool>) return *text == "1";
        else if constexpr (std::is_integral_v<T>) return number<T>(*text);
        else return T(*text);
    }

    /// Sets the text of a name, and replaces its previous value.
    /// Throws `std::length_error` if the session becomes too large for its store.
    void set(std::string_view name, std::string_view value);
    /// Sets an integer or bool, like a text.
    template <class T>
        requires std::is_integral_v<T>
    void set(std::string_view name, T value) {
        if constexpr (std::is_same_v<T, bool>) set(name, std::string_view(value ? "1" : "0"));
        else if constexpr (std::is_signed_v<T>) set_number(name, static_cast<long long>(value));
        else set_number(name, static_cast<unsigned long long>(value));
    }

    /// Removes a name. Unknown names are ignored.
    void erase(std::string_view name);

    bool fresh() const noexcept { return old_id_.empty(); }  ///< Whether the request had no valid session.
    bool empty() const noexcept { return values_.empty(); }  ///< Whether no value is set.
    bool has_id() const noexcept { return !id_.empty(); }    ///< Whether the browser has the id, or gets it.

    /// Changes the session's id and resets its age, but keeps its values.
    /// Call it on login and on a change of permissions. This invalidates an id that an attacker may know (session
    /// fixation).
    void renew();

    /// Ends the session: removes its data from this object, the store and the browser.
    /// Setting a value afterwards begins a new session.
    void destroy();

    /// Returns the session's id: 22 letters, digits, '-' and '_'.
    /// The id is secret: do not log it. Calling this function creates the session, even if it is empty.
    const std::string& id();

private:
    friend class middleware::session_cookies;
    struct item {
        std::string name, text;
    };
    explicit session(std::size_t room) noexcept : room_(room) {}

    void set_number(std::string_view name, long long);
    void set_number(std::string_view name, unsigned long long);
    const std::string* find_text(std::string_view name) const noexcept;
    std::size_t size() const noexcept;
    template <class T>
    static std::optional<T> number(const std::string& text) {
        using wide = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
        wide value = 0;
        if (!read_number(text, value) || static_cast<wide>(static_cast<T>(value)) != value) return std::nullopt;
        return static_cast<T>(value);
    }
    static bool read_number(const std::string& text, long long& value) noexcept;
    static bool read_number(const std::string& text, unsigned long long& value) noexcept;

    std::vector<item> values_;
    std::string id_;                     // empty until an id is assigned
    std::string old_id_;                 // id sent by the browser
    std::int64_t began_ = 0, seen_ = 0;  // seconds since 1970
    std::size_t room_;
    bool changed_ = false;
};

/// Enables `session` as a parameter of handlers.
template <>
inline constexpr bool request_value<session> = true;
template <>
inline constexpr const char* detail::only_setter<session> = "apus::sessions";

}  // namespace apus
