// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a handler sees of a session. The middleware that keeps sessions is in sessions.hpp.

#include <apus/http.hpp>

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace apus {

namespace middleware {
class session_keeper;
}

/// What a service remembers of one browser between its requests: texts and numbers by name. A
/// handler behind `sessions` takes it as a `session&`. Nothing is sent or stored before something
/// is set. Belongs to its request; what is changed after the handler has given its response, as in
/// a streamed body, is lost.
class session {
public:
    session(session&&) noexcept = default;
    session& operator=(session&&) noexcept = default;

    /// The value of a name, or nothing: a view that is valid until the session is changed, or an
    /// integer or bool if it was set as one.
    template <class T = std::string_view>
    std::optional<T> find(std::string_view name) const {
        const std::string* text = find_text(name);
        if (!text) return std::nullopt;
        if constexpr (std::is_same_v<T, bool>) return *text == "1";
        else if constexpr (std::is_integral_v<T>) return number<T>(*text);
        else return T(*text);
    }

    /// Sets a text, replacing what the name had. Throws `std::length_error` if the session is then
    /// larger than its store takes.
    void set(std::string_view name, std::string_view value);
    /// The same with an integer or bool.
    template <class T>
        requires std::is_integral_v<T>
    void set(std::string_view name, T value) {
        if constexpr (std::is_same_v<T, bool>) set(name, std::string_view(value ? "1" : "0"));
        else set(name, std::string_view(std::to_string(value)));
    }

    /// Forgets a name. A name that is not there is fine.
    void erase(std::string_view name);

    bool fresh() const noexcept { return old_id_.empty(); }  ///< The request came without one that is good.
    bool empty() const noexcept { return values_.empty(); }  ///< Nothing is set.
    bool has_id() const noexcept { return !id_.empty(); }    ///< The browser has its id, or gets it with this answer.

    /// Gives the session another id and a new beginning, with what is in it. To be called when a user
    /// logs in or gets more rights: an id that somebody else knew before is then worth nothing.
    void renew();

    /// Ends the session: what is in it is forgotten here, by its store and by the browser. What is
    /// set after that begins another one.
    void destroy();

    /// Names the session: 22 letters, digits, '-' and '_'. It is a secret of the browser: do not log
    /// it. An empty session begins to exist by this.
    const std::string& id();

private:
    friend class middleware::session_keeper;
    struct item {
        std::string name, text;
    };
    explicit session(std::size_t room) noexcept : room_(room) {}

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
    std::string id_;                     // empty: has none yet
    std::string old_id_;                 // that it came with
    std::int64_t began_ = 0, seen_ = 0;  // in seconds since 1970
    std::size_t room_;
    bool changed_ = false;
};

/// Handlers take it as a parameter.
template <>
inline constexpr bool request_value<session> = true;
template <>
inline constexpr const char* detail::only_setter<session> = "apus::sessions";

}  // namespace apus
