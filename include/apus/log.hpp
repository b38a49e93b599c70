// SPDX-License-Identifier: Apache-2.0
#pragma once

// Structured logs that never hold up a request. What becomes of a record: docs/logging.md.

#include <apus/duration.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace apus::log {

/// How much a record matters. `off` is no record's level: it stands for none at all.
enum class level : std::uint8_t {
    trace = 1,
    debug,
    info,
    warn,
    error,
    off
};

/// A key with a value, such as `{"id", 42}`. Refers to text, which must last until the call ends.
/// A key is ASCII letters, digits, `_`, `.` and `-`; other bytes become `_`.
class field {
public:
    enum class kind : std::uint8_t {
        none,
        text,
        signed_number,
        unsigned_number,
        real,
        truth
    };

    constexpr field() noexcept = default;  ///< Is left out of the record.
    /// A text, of any bytes: what would break the record is escaped.
    constexpr field(std::string_view key, std::string_view value) noexcept
        : key_(key), text_(value.data()), size_(value.size()), kind_(kind::text) {}
    /// The same, of a literal; else it would be taken for a bool.
    constexpr field(std::string_view key, const char* value) noexcept : field(key, std::string_view(value)) {}
    /// A number that is no integer.
    constexpr field(std::string_view key, double value) noexcept : key_(key), real_(value), kind_(kind::real) {}

    /// Of any integer but `char`, which could be meant as text, and of `bool`.
    template <class T>
        requires(std::is_integral_v<T> && !std::is_same_v<T, char>)
    constexpr field(std::string_view key, T value) noexcept
        : key_(key), number_(static_cast<std::uint64_t>(value)), kind_(kind_of<T>()) {}
    field(std::string_view key, char value) = delete;  ///< Say whether it is text or a number.

    constexpr kind type() const noexcept { return kind_; }                       ///< Which of the values it has.
    constexpr std::string_view key() const noexcept { return key_; }             ///< As given, not yet cleaned.
    constexpr std::string_view text() const noexcept { return {text_, size_}; }  ///< Only of `text`.
    constexpr std::uint64_t number() const noexcept { return number_; }          ///< Of a signed number: cast it.
    constexpr double real() const noexcept { return real_; }                     ///< Only of `real`.

private:
    template <class T>
    static constexpr kind kind_of() noexcept {
        if (std::is_same_v<T, bool>) return kind::truth;
        return std::is_signed_v<T> ? kind::signed_number : kind::unsigned_number;
    }

    std::string_view key_;
    union {
        const char* text_ = nullptr;
        std::uint64_t number_;
        double real_;
    };
    std::size_t size_ = 0;
    kind kind_ = kind::none;
};

namespace detail {

extern constinit std::uint8_t threshold;  // 0 until APUS_LOG has been read, which the first record does

void write(level, std::string_view message, const field* fields, std::size_t count) noexcept;

}  // namespace detail

/// Whether a record of this level may be written. Costs a load and a compare.
inline bool enabled(level of) noexcept {
    return static_cast<std::uint8_t>(of) >= __atomic_load_n(&detail::threshold, __ATOMIC_RELAXED);
}

namespace detail {

inline constexpr field absent{};

template <level Level>
struct recorder {
    // Inlined so that the fields of a level that is off are never made.
    [[gnu::always_inline]] void operator()(std::string_view message, const field& a = absent, const field& b = absent,
                                           const field& c = absent, const field& d = absent, const field& e = absent,
                                           const field& f = absent, const field& g = absent,
                                           const field& h = absent) const noexcept {
        if (!enabled(Level)) return;
        const field fields[] = {a, b, c, d, e, f, g, h};
        write(Level, message, fields, 8);
    }
};

}  // namespace detail

// Each writes a record: a message that is the same for each event of its kind, and up to eight
// fields: `apus::log::info("user created", {"id", 42}, {"name", name})`. From any thread; neither
// waits nor fails: a record that finds no room is dropped, and counted.
inline constexpr detail::recorder<level::trace> trace;
inline constexpr detail::recorder<level::debug> debug;
inline constexpr detail::recorder<level::info> info;
inline constexpr detail::recorder<level::warn> warn;
inline constexpr detail::recorder<level::error> error;

/// From now on each record that is made for the request that this thread works for ends in this field, as in
/// `apus::log::add({"tenant", tenant})`; so does its line in the access log. A second of the same key takes its place. Up to
/// eight of a request, whose texts are copied and cut after 256 bytes. No effect outside of a request.
void add(const field&) noexcept;

/// From now on writes records of this level and above, whatever APUS_LOG said. From any thread.
void show(level least) noexcept;

/// Waits until what was recorded before has been written, at most for this long; false if it has
/// not. Blocks its thread: for the end of a program, which does it by itself for up to 1 s.
bool flush(duration longest) noexcept;

/// What the access log says of one request.
struct access_entry {
    std::string_view method;
    std::string_view target;
    int status = 0;
    std::uint64_t bytes = 0;         ///< Of the response's body.
    std::uint64_t microseconds = 0;  ///< From when the head's last bytes were there to the end of the response.
    std::string_view peer;
    std::string_view request_id = {};  ///< Empty: left out.
};

/// A record of level info and message `request`. The server calls it when its access log is on.
void access(const access_entry&) noexcept;

}  // namespace apus::log
