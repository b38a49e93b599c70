// SPDX-License-Identifier: Apache-2.0
#pragma once

// Structured logs that never block a request. Formats and outputs: docs/logging.md.

#include <apus/duration.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace apus::log {

/// Severity of a record. `off` is only a minimum level, which disables all records.
enum class level : std::uint8_t {
    trace = 1,
    debug,
    info,
    warn,
    error,
    off
};

/// A key with a value, such as `{"id", 42}`.
/// A field does not copy its text: the text must live until the logging call returns. Keys consist of ASCII letters,
/// digits, `_`, `.` and `-`; other bytes become `_`.
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

    constexpr field() noexcept = default;  ///< An empty field, which is omitted from the record.
    /// Text of any bytes; special characters are escaped.
    constexpr field(std::string_view key, std::string_view value) noexcept
        : key_(key), text_(value.data()), size_(value.size()), kind_(kind::text) {}
    /// Text of a string literal, which would otherwise convert to bool.
    constexpr field(std::string_view key, const char* value) noexcept : field(key, std::string_view(value)) {}
    /// A floating-point number.
    constexpr field(std::string_view key, double value) noexcept : key_(key), real_(value), kind_(kind::real) {}

    /// A bool or an integer, but not a `char`, which is ambiguous.
    template <class T>
        requires(std::is_integral_v<T> && !std::is_same_v<T, char>)
    constexpr field(std::string_view key, T value) noexcept
        : key_(key), number_(static_cast<std::uint64_t>(value)), kind_(kind_of<T>()) {}
    field(std::string_view key, char value) = delete;  ///< Ambiguous: convert it to text or to a number.

    constexpr kind type() const noexcept { return kind_; }
    constexpr std::string_view key() const noexcept { return key_; }  ///< As passed, before invalid bytes are replaced.
    constexpr std::string_view text() const noexcept { return {text_, size_}; }  ///< Only for `text`.
    constexpr std::uint64_t number() const noexcept { return number_; }  ///< For a signed number, cast the result.
    constexpr double real() const noexcept { return real_; }             ///< Only for `real`.

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

extern constinit std::uint8_t threshold;  // 0 until the first record, which reads APUS_LOG

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
    // Inlined, so that fields are not constructed if the level is disabled.
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

// These functions write a record with up to eight fields: `apus::log::info("user created", {"id", 42}, {"name",
// name})`. Use a constant message per kind of event. Any thread. They neither wait nor fail: if the buffer is full, the
// record is dropped and counted as dropped.
inline constexpr detail::recorder<level::trace> trace;
inline constexpr detail::recorder<level::debug> debug;
inline constexpr detail::recorder<level::info> info;
inline constexpr detail::recorder<level::warn> warn;
inline constexpr detail::recorder<level::error> error;

/// Adds a field to all later records of the current request, and to its access log line:
/// `apus::log::add({"tenant", tenant})`. Replaces a field with the same key. At most eight fields per request. Texts
/// are copied and truncated to 256 bytes. No effect outside a request.
void add(const field&) noexcept;

/// Sets the minimum level of written records, and overrides APUS_LOG. Any thread.
void show(level least) noexcept;

/// Waits until all earlier records are written, but at most for `longest`.
/// Returns false on timeout. Blocks the thread: call it only at the end of a program. Exit also flushes records, for up
/// to 1 s.
bool flush(duration longest) noexcept;

/// Entry of the access log.
struct access_entry {
    std::string_view method;
    std::string_view target;
    int status = 0;
    std::uint64_t bytes = 0;         ///< Bytes of the response's body.
    std::uint64_t microseconds = 0;  ///< From the arrival of the head's last bytes to the end of the response.
    std::string_view peer;
    std::string_view request_id = {};  ///< Empty: omitted.
};

/// Writes a record with level info and message `request`. Called by the server for its access log.
void access(const access_entry&) noexcept;

}  // namespace apus::log
