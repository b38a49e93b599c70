// SPDX-License-Identifier: Apache-2.0
#pragma once

// The request a handler sees and the response it gives. Routes and the server are in app.hpp;
// bodies that are produced or consumed piece by piece are in stream.hpp.

#include <apus/error.hpp>
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

/// A value that is kept with a request, in front of the value itself. Its memory comes from the
/// free list of this core that coroutine frames come from.
struct kept_value {
    const void* key;
    kept_value* next = nullptr;
    void (*destroy)(kept_value*) noexcept;
};

/// Its address stands for a type. Not const, so that no linker folds two of them into one.
template <class T>
inline char type_key = 0;

/// What middleware sets: the key of a type, nothing, or what nobody knows, as of all without a member `sets`.
inline char may_set_anything = 0;
inline constexpr const void* sets_nothing = nullptr;

template <class T>
struct kept final : kept_value {
    static_assert(alignof(T) <= alignof(std::max_align_t),
                  "what is kept with a request has the alignment of ordinary types");
    T value;

    explicit kept(T&& v) : kept_value{&type_key<T>, nullptr, drop}, value(std::move(v)) {}
    static void drop(kept_value* self) noexcept { delete static_cast<kept*>(self); }
    static void* operator new(std::size_t size) { return frame_allocate(size); }
    static void operator delete(void* self, std::size_t size) noexcept { frame_free(self, size); }
};

kept_value* find_kept(request&, const void* key) noexcept;
void keep(request&, kept_value*) noexcept;  // in front of the others, in place of one with the same key

}  // namespace detail

/// Whether handlers may take a `T&` or `const T&` that middleware has set with `request::set`. To
/// be set for a type of yours: `template <> inline constexpr bool apus::request_value<user> = true;`
/// A route with no middleware around it that could set one is a bug of the program: making the
/// service throws `std::logic_error`. Where it could, but has not, the client gets 500.
template <class T>
inline constexpr bool request_value = false;

namespace detail {

/// The only middleware that sets values of this type, for messages; null where any may.
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

/// One field line of a head or trailer section (RFC 9110, 5).
struct field_view {
    std::string_view name;   ///< As sent; compare it without regard to case.
    std::string_view value;  ///< Without the white space around it.
};

/// Waits for the next piece of a request's body. Made by `request::read`.
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

/// A request whose head has arrived. Belongs to the core it came in on, and is valid until its
/// handler's task ends; so are the views it gives.
class request {
public:
    explicit request(http::exchange& of) noexcept : of_(&of) {}
    request(const request&) = delete;
    request& operator=(const request&) = delete;

    method verb() const noexcept;                 ///< `other` for those it has no name for.
    std::string_view verb_text() const noexcept;  ///< The method as sent: also those that `method` has no name for.
    std::string_view target() const noexcept;     ///< As sent (RFC 9112, 3.2).
    std::string_view path() const noexcept;       ///< Percent-decoded, without the query.
    std::string_view query() const noexcept;      ///< As sent, without the `?`.
    /// From an absolute-form target, else from Host. Empty in HTTP/1.0 without one.
    std::string_view host() const noexcept;
    std::string_view capture(unsigned index) const noexcept;  ///< Value of the index-th `{name}`, decoded.
    unsigned captures() const noexcept;                       ///< How many the route has.

    /// The first field of this name, in any case; empty if there is none.
    std::string_view header(std::string_view name) const noexcept;
    std::size_t header_count() const noexcept;
    field_view header_at(std::size_t index) const noexcept;  ///< In the order sent; `index` below `header_count()`.

    /// The address of the peer, or of who a PROXY header has named (serve.hpp), as text: "127.0.0.1", "::1" or "unix".
    std::string_view remote_address() const;

    /// The next piece of the body, or an empty view at its end. Valid until the next read. The
    /// client is held back while nobody reads. A body that breaks a limit or the protocol's
    /// grammar never gets here: the handler's task is cancelled and the client gets the error.
    body_read read() noexcept { return body_read(*of_); }

    /// The whole body, or what is left of it. A body over `limits::body` is a 413.
    task<std::string> body();

    /// Fields sent after a chunked body (RFC 9112, 7.1.2). None until `read` came to the end.
    std::size_t trailer_count() const noexcept;
    field_view trailer_at(std::size_t index) const noexcept;

    /// Keeps a value with this request: what middleware has found out, for what is behind it. There
    /// is one of each type; another takes its place. It stays where it is until the request is
    /// over, and is then destroyed, the newest first. A request without such values costs nothing.
    template <class T>
    T& set(T value) {
        auto* made = new detail::kept<T>(std::move(value));
        detail::keep(*this, made);
        return made->value;
    }

    /// The value of exactly this type, or null if nobody has set one.
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

/// A body that a coroutine writes: the callable of `stream` or `upgrade`, of any type.
struct producer {
    void* self = nullptr;
    task<> (*run)(void* self, request&, class writer_core&) = nullptr;
    void (*destroy)(void* self) = nullptr;
    std::uint64_t size = unknown_size;  // of the body, in bytes, if it is known: fewer are a broken response
};

/// Empties `text`, and frees its memory where it has more than `kept` bytes.
inline void clear_text(std::string& text, std::size_t kept) noexcept {
    if (text.capacity() > kept) std::string().swap(text);
    else text.clear();
}

}  // namespace detail

/// What goes back to the client. Content-Length, Transfer-Encoding, Connection and Date are the
/// server's business: fields of these names are refused.
class response {
public:
    explicit response(int status = 200) noexcept : status_(status) {}
    response(response&& other) noexcept;
    response& operator=(response&& other) noexcept;
    /// The answer that says why: a problem document, or what `app::on_error` makes of it. It gets its body where
    /// it leaves the handler or middleware.
    explicit response(error why);
    ~response() {
        if (producer_.self) drop_producer();
        if (refusal_) drop_refusal();
    }

    /// 200 with a text of UTF-8.
    static response text(std::string bytes);
    /// The same, without copying: `bytes` must be of static storage, as string literals are.
    static response literal(std::string_view bytes) noexcept {
        response res;
        res.set_literal(bytes);
        return res;
    }

    int status() const noexcept { return status_; }  ///< 200 unless it was set.
    /// From 200 to 599; another code makes the answer a 500.
    response& status(int code) & noexcept {
        status_ = code;
        return *this;
    }
    response&& status(int code) && noexcept { return std::move(status(code)); }

    /// Adds a field line, after those of the same name. Throws `std::invalid_argument` if the
    /// name is no token, the value holds CR, LF, NUL or another control byte, or the field is one
    /// that the server sets: so data of a client can never end a line (RFC 9110, 5.5).
    response& header(std::string_view name, std::string_view value) &;
    response&& header(std::string_view name, std::string_view value) && { return std::move(header(name, value)); }

    /// The first field of this name among those added, or empty.
    std::string_view header(std::string_view name) const noexcept;

    /// Removes every field of this name that was added.
    response& remove_header(std::string_view name) &;
    response&& remove_header(std::string_view name) && { return std::move(remove_header(name)); }

    /// Replaces the body. `media_type` is what Content-Type will say (RFC 9110, 8.3).
    response& body(std::string bytes, std::string_view media_type) &;
    response&& body(std::string bytes, std::string_view media_type) && {
        return std::move(body(std::move(bytes), media_type));
    }
    std::string_view body() const noexcept { return literal_.data() ? literal_ : std::string_view(bytes_); }
    std::string_view media_type() const noexcept;

    // For the server and for stream.hpp.
    response& produce(detail::producer, std::string_view media_type) &;
    detail::producer& producer() noexcept { return producer_; }
    bool streams() const noexcept { return producer_.self && !literal_.data(); }  // else `body` is all of it
    void hold(std::string_view bytes, detail::producer owner) noexcept;    // a body in memory that the owner keeps
    void append_field_lines(std::string_view lines) { fields_ += lines; }  // "name: value\r\n" each, known to be valid
    std::string& bytes() noexcept { return bytes_; }
    std::string_view field_lines() const noexcept { return fields_; }
    // of another response
    response& lines(std::string_view whole_lines) & { return fields_.append(whole_lines), *this; }
    response& lines_not_there(std::string_view whole_lines) &;  // those whose names are not there
    bool has_literal() const noexcept { return literal_.data() != nullptr; }
    void set_literal(std::string_view bytes) noexcept {
        literal_ = bytes;
        known_type_ = 1;
    }
    unsigned known_type() const noexcept { return known_type_; }
    void set_known_type(std::uint8_t type) noexcept { known_type_ = type; }  // of a response without a Content-Type

    const error* refusal() const noexcept { return refusal_; }  // of a response whose body is made of it later
    error take_refusal();                                       ///< For the server: `refusal`, which is null then.

    /// As new, but with the memory of a small body and of few field lines, for the next response.
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
    std::uint8_t known_type_ = 0;  // of http::known_types; 0 is none, or a type that is a line of fields_
    std::string_view literal_;
    std::string bytes_;
    std::string fields_;  // "name: value\r\n" for each
    detail::producer producer_;
    error* refusal_ = nullptr;
};

/// 200 with a page of HTML in UTF-8. What a client sent must be escaped in it.
response html(std::string bytes);

/// 204: done, nothing to show.
struct none {};

namespace detail {

/// Adds a field line. Throws as `response::header` does.
void append_field_line(std::string& lines, std::string_view name, std::string_view value);

/// Checks a status and what its answer holds.
template <int Status, class T>
constexpr void check_reply() {
    static_assert(Status >= 200 && Status <= 599, "the status of an answer is from 200 to 599");
    static_assert(std::is_same_v<T, none> || (Status != 204 && Status != 205 && Status != 304),
                  "204, 205 and 304 have no body: return apus::with_status<204>()");
}

/// A value with a status and fields of its own. `Self` is the public type.
template <class Self, int Status, class T>
class reply_base {
public:
    static constexpr int status = Status;

    reply_base(T of) : value(std::move(of)) { check_reply<Status, T>(); }

    T value;

    /// Adds a field. Throws as `response::header` does.
    Self& header(std::string_view name, std::string_view content) & {
        append_field_line(field_lines, name, content);
        return static_cast<Self&>(*this);
    }
    Self&& header(std::string_view name, std::string_view content) && { return std::move(header(name, content)); }

    /// Where the new or other resource is: the field Location.
    Self& at(std::string_view url) & { return header("location", url); }
    Self&& at(std::string_view url) && { return std::move(at(url)); }

    std::string field_lines;  // for the server
};

}  // namespace detail

/// 201, with the new resource as body: `return apus::created(todo).at("/todos/7");`
template <class T>
class created : public detail::reply_base<created<T>, 201, T> {
public:
    using detail::reply_base<created<T>, 201, T>::reply_base;
};
template <class T>
created(T) -> created<T>;

/// A value that is answered with a status of its own. Made by `with_status`; descriptions (openapi.hpp) have both.
template <int Status, class T = none>
class answered : public detail::reply_base<answered<Status, T>, Status, T> {
public:
    using detail::reply_base<answered<Status, T>, Status, T>::reply_base;
};

/// Answers with this status: `return apus::with_status<202>(job).at("/jobs/7").header("retry-after", "5");`
template <int Status, class T>
answered<Status, T> with_status(T value) {
    return {std::move(value)};
}
/// The same without a body.
template <int Status>
answered<Status> with_status() {
    return {none()};
}

/// The whole body of a request, as a handler's parameter: the handler runs when all of it has
/// arrived, and needs not be a coroutine. A body over `limits::body` is a 413.
struct body_text {
    std::string_view bytes;  ///< Valid until the handler's task ends.
    operator std::string_view() const noexcept { return bytes; }
};

}  // namespace apus
