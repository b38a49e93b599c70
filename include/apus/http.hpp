// SPDX-License-Identifier: Apache-2.0
#pragma once

// Requests and responses of handlers. Routes and the app: app.hpp; streamed bodies: stream.hpp; the server:
// serve.hpp.

#include <apus/error.hpp>
#include <apus/reply.hpp>
#include <apus/task.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace apus {

namespace http {
struct exchange;
}

class request;

namespace detail {

http::exchange& exchange_of(request&) noexcept;

/// Header of a value stored with a request; the value follows in memory.
/// Allocated from this core's free list for coroutine frames.
struct kept_value {
    const void* key;
    kept_value* next = nullptr;
    void (*destroy)(kept_value*) noexcept;
};

/// Variable whose address identifies T.
/// Not const, so that the linker does not merge the keys of two types.
template <class T>
inline char type_key = 0;

/// Marker for middleware that does not declare `sets` and may set values of any type.
inline char may_set_anything = 0;
inline constexpr const void* sets_nothing = nullptr;

template <class T>
struct kept final : kept_value {
    static_assert(alignof(T) <= alignof(std::max_align_t), "a request value must not be over-aligned");
    T value;

    explicit kept(T&& v) : kept_value{&type_key<T>, nullptr, drop}, value(std::move(v)) {}
    static void drop(kept_value* self) noexcept { delete static_cast<kept*>(self); }
    static void* operator new(std::size_t size) { return frame_allocate(size); }
    static void operator delete(void* self, std::size_t size) noexcept { frame_free(self, size); }
};

kept_value* find_kept(request&, const void* key) noexcept;
void keep(request&, kept_value*) noexcept;  // adds it at the front; replaces a value with the same key

}  // namespace detail

/// Enables handlers to take a `T&` or `const T&` that middleware sets with `request::set`.
/// Specialize it: `template <> inline constexpr bool apus::request_value<user> = true;` If no middleware of the route
/// can set the value, creating the service throws `std::logic_error`. If middleware can set the value but did not, the
/// client gets 500.
template <class T>
inline constexpr bool request_value = false;

namespace detail {

/// Name of the only middleware that sets values of T, for error messages.
/// Null: any middleware may set them.
template <class T>
inline constexpr const char* only_setter = nullptr;

}  // namespace detail

/// The methods of RFC 9110, 9.3, and PATCH (RFC 5789). `other` is any other token.
enum class method : std::uint8_t {
    get,
    head,
    post,
    put,
    patch,
    del,
    options,
    trace,
    connect,
    other
};

/// A field line of a head or trailer section (RFC 9110, 5).
struct field_view {
    std::string_view name;   ///< As sent. Compare names case-insensitively.
    std::string_view value;  ///< Without surrounding white space.
};

/// Awaitable: waits for the next piece of a request's body. Returned by `request::read`.
class [[nodiscard]] body_read {
public:
    explicit body_read(http::exchange& of) noexcept : of_(&of) {}
    body_read(const body_read&) = delete;
    body_read& operator=(const body_read&) = delete;
    ~body_read();

    bool await_ready() noexcept;
    void await_suspend(std::coroutine_handle<> reader) noexcept;
    std::string_view await_resume() noexcept;

private:
    http::exchange* of_;
    bool waits_ = false;
};

/// A request with a complete head. Belongs to the core that received it.
/// The request and its views are valid until its handler's task ends.
class request {
public:
    explicit request(http::exchange& of) noexcept : of_(&of) {}
    request(const request&) = delete;
    request& operator=(const request&) = delete;

    apus::method method() const noexcept;           ///< The method; `other` if it has no enumerator.
    std::string_view method_text() const noexcept;  ///< The method as sent, including unknown methods.
    std::string_view target() const noexcept;       ///< As sent (RFC 9112, 3.2).
    std::string_view path() const noexcept;         ///< Percent-decoded, without the query.
    std::string_view query() const noexcept;        ///< As sent, without the `?`.
    /// The host of an absolute-form target, otherwise Host. Empty for HTTP/1.0 requests without Host.
    std::string_view host() const noexcept;
    std::string_view capture(unsigned index) const noexcept;  ///< Value of the index-th `{name}`, decoded.
    unsigned captures() const noexcept;                       ///< Number of captures of the route.

    /// Returns the first field of this name, case-insensitively; empty if missing.
    std::string_view header(std::string_view name) const noexcept;
    std::size_t header_count() const noexcept;
    field_view header_at(std::size_t index) const noexcept;  ///< In the order sent; `index` below `header_count()`.

    /// Returns the peer's address as text, such as "127.0.0.1", "::1" or "unix".
    /// If the connection has a PROXY header, returns the address in this header (serve.hpp).
    std::string_view remote_address() const;

    /// Reads the next piece of the body; the view is empty at the end.
    /// The view is valid until the next read. Until then the client is slowed down (backpressure). If the body exceeds
    /// a limit or is malformed, the `co_await` does not return: the handler's task is cancelled, and the client gets
    /// the error.
    body_read read() noexcept { return body_read(*of_); }

    /// Reads the whole body, or the rest of it. A body over `limits::body` gets 413.
    task<std::string> body();

    /// Fields sent after a chunked body (RFC 9112, 7.1.2). Empty until `read` has reached the end.
    std::size_t trailer_count() const noexcept;
    field_view trailer_at(std::size_t index) const noexcept;

    /// Stores a value with this request, for handlers and inner middleware.
    /// There is one value per type; setting another value of the type replaces it. A value keeps its address until the
    /// request ends; then values are destroyed in reverse order. Requests without values have no overhead.
    template <class T>
    T& set(T value) {
        auto* made = new detail::kept<T>(std::move(value));
        detail::keep(*this, made);
        return made->value;
    }

    /// Returns the value of exactly this type; null if not set.
    template <class T>
    T* find() noexcept {
        auto* found = detail::find_kept(*this, &detail::type_key<T>);
        return found ? &static_cast<detail::kept<T>*>(found)->value : nullptr;
    }

private:
    friend http::exchange& detail::exchange_of(request&) noexcept;
    http::exchange* of_;
};

inline http::exchange& detail::exchange_of(request& req) noexcept { return *req.of_; }

namespace detail {

constexpr std::uint64_t unknown_size = ~std::uint64_t{0};

/// A body written by a coroutine: the type-erased callable of `stream` or `upgrade`.
struct producer {
    void* self = nullptr;
    task<> (*run)(void* self, request&, class writer_core&) = nullptr;
    void (*destroy)(void* self) = nullptr;
    std::uint64_t size = unknown_size;  // bytes of the body if known; a shorter body is an error
};

/// Clears `text`. Frees its memory if the capacity is more than `kept` bytes.
inline void clear_text(std::string& text, std::size_t kept) noexcept {
    if (text.capacity() > kept) std::string().swap(text);
    else text.clear();
}

}  // namespace detail

/// Response to a request.
/// The server sets Content-Length, Transfer-Encoding, Connection and Date: setting them is an error.
class response {
public:
    explicit response(int status = 200) noexcept : status_(status) {}
    response(response&& other) noexcept;
    response& operator=(response&& other) noexcept;
    /// Error response: a problem document, or the response of `app::on_error`.
    /// The body is created when the response leaves the handler or middleware.
    explicit response(error why);
    ~response() {
        if (producer_.self) drop_producer();
        if (refusal_) drop_refusal();
    }

    /// Returns a 200 with UTF-8 text.
    static response text(std::string bytes);
    /// Returns a 200 with an HTML page in UTF-8. The caller must escape all data from clients.
    static response html(std::string bytes);
    /// Returns a 200 with UTF-8 text that is not copied.
    /// `bytes` must have static storage, like string literals.
    static response literal(std::string_view bytes) noexcept {
        response res;
        res.set_literal(bytes);
        return res;
    }

    int status() const noexcept { return status_; }  ///< Default: 200.
    /// Sets the status, from 200 to 599. For any other code, the client gets 500.
    response& status(int code) & noexcept {
        status_ = code;
        return *this;
    }
    response&& status(int code) && noexcept { return std::move(status(code)); }

    /// Adds a field line, after existing lines of the same name.
    /// Throws `std::invalid_argument` if the name is not a token, the value contains CR, LF, NUL or another control
    /// character, or the server sets the field itself. This prevents header injection by client data (RFC 9110, 5.5).
    response& header(std::string_view name, std::string_view value) &;
    response&& header(std::string_view name, std::string_view value) && { return std::move(header(name, value)); }

    /// Returns the first field of this name in the response; empty if absent.
    std::string_view header(std::string_view name) const noexcept;

    /// Removes all added fields of this name.
    response& remove_header(std::string_view name) &;
    response&& remove_header(std::string_view name) && { return std::move(remove_header(name)); }

    /// Replaces the body. `media_type` becomes Content-Type (RFC 9110, 8.3).
    response& body(std::string bytes, std::string_view media_type) &;
    response&& body(std::string bytes, std::string_view media_type) && {
        return std::move(body(std::move(bytes), media_type));
    }
    std::string_view body() const noexcept { return literal_.data() ? literal_ : std::string_view(bytes_); }
    std::string_view media_type() const noexcept;

    // Used by the server and by stream.hpp.
    response& produce(detail::producer, std::string_view media_type) &;
    detail::producer& producer() noexcept { return producer_; }
    bool streams() const noexcept { return producer_.self && !literal_.data(); }  // if false, `body` is the whole body
    void hold(std::string_view bytes, detail::producer owner) noexcept;    // a body in memory that `owner` keeps alive
    void append_field_lines(std::string_view lines) { fields_ += lines; }  // valid lines: "name: value\r\n"
    std::string& bytes() noexcept { return bytes_; }
    std::string_view field_lines() const noexcept { return fields_; }
    void free_field_lines() noexcept { std::string().swap(fields_); }  // with their memory; after the head is sent
    // Add field lines of another response.
    response& lines(std::string_view whole_lines) & { return fields_.append(whole_lines), *this; }
    response& lines_not_there(std::string_view whole_lines) &;  // adds only lines with absent names
    bool has_literal() const noexcept { return literal_.data() != nullptr; }
    void set_literal(std::string_view bytes) noexcept {
        literal_ = bytes;
        known_type_ = 1;
    }
    unsigned known_type() const noexcept { return known_type_; }
    void set_known_type(std::uint8_t type) noexcept { known_type_ = type; }  // used without a Content-Type

    const error* refusal() const noexcept { return refusal_; }  // the error, if the body is not created yet; else null
    error take_refusal();                                       ///< Used by the server. Moves `refusal` out.

    /// Resets to a new response, but keeps the memory of a small body and of few field lines for reuse.
    void clear() noexcept {
        constexpr std::size_t body_kept = 16 * 1024, lines_kept = 4096;
        status_ = 200;
        literal_ = {};
        known_type_ = 0;
        detail::clear_text(bytes_, body_kept);
        detail::clear_text(fields_, lines_kept);
        if (producer_.self) drop_producer();
        if (refusal_) drop_refusal();
    }

private:
    void set_media_type(std::string_view);
    void drop_producer() noexcept;
    void drop_refusal() noexcept;

    int status_;
    std::uint8_t known_type_ = 0;  // index into http::known_types; 0: no Content-Type, or one in fields_
    std::string_view literal_;
    std::string bytes_;
    std::string fields_;  // "name: value\r\n" for each
    detail::producer producer_;
    error* refusal_ = nullptr;
};

/// Text that a handler returns without a copy: `return apus::literal("hello\n");`.
/// Accepts string literals and constants of static storage; other text does not compile.
class literal {
public:
    template <std::size_t N>
    consteval literal(const char (&text)[N]) noexcept : text_(text, N - 1) {}
    /// For constants at namespace scope: `constexpr std::string_view page = ...`
    consteval literal(std::string_view text) noexcept : text_(text) {}
    constexpr operator std::string_view() const noexcept { return text_; }

private:
    std::string_view text_;
};

/// The whole body of a request, as a handler's parameter.
/// The handler runs when the whole body has arrived, and need not be a coroutine. A body over `limits::body` gets 413.
struct body_text {
    std::string_view bytes;  ///< Valid until the handler's task ends.
    operator std::string_view() const noexcept { return bytes; }
};

// Instantiated once, in the library, to save compile time.
extern template class result<response>;
extern template class detail::late<result<response>>;
extern template class task<response>;
extern template struct task<response>::awaiter<true>;
extern template struct task<response>::awaiter<false>;

}  // namespace apus
