// SPDX-License-Identifier: Apache-2.0
#pragma once

// Outbox: events that are stored with a transaction of the program's database, and delivered to other systems after the
// commit. Guide: docs/outbox.md.

#include <apus/detail/shared.hpp>
#include <apus/duration.hpp>
#include <apus/jobs.hpp>
#include <apus/json.hpp>
#include <apus/sql.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apus {

class router;

/// Options of an outbox. All nodes of an outbox should use the same options.
struct outbox_options {
    std::string name = "outbox";   ///< Name of its queue of jobs. 1 to 40 letters, digits, `_`, `-` and `.`.
    unsigned concurrency = 64;     ///< Maximum deliveries at a time in this process. Each destination gets a share.
    duration lease = seconds(15);  ///< Time without a heartbeat until other nodes take over deliveries. At least 1 s.
    duration drain = seconds(20);  ///< Time for deliveries after SIGTERM. Choose less than `serve_options::drain`.
};

/// Options of an event.
struct publish_options {
    /// Events with the same key reach a destination in the order of their transactions.
    /// They are delivered one after the other. At most 200 bytes of UTF-8, otherwise 400. Empty: in any order.
    std::string key = {};
    std::vector<std::string> to = {};  ///< Names of destinations. Empty: all destinations of this object.
};

/// An event, as it is delivered.
struct outbox_event {
    std::string id;             ///< 32 hexadecimal digits. Repeated deliveries have the same id, at all destinations.
    std::string type;           ///< Name of the struct.
    std::string key;            ///< `publish_options::key`.
    std::string body;           ///< The struct as JSON.
    std::int64_t published_at;  ///< Milliseconds since 1970, by the clock of the publishing node.
};

namespace detail {

struct outbox_parts;
struct outbox_owner {
    static void keep(outbox_parts*) noexcept;
    static void let_go(outbox_parts*) noexcept;
};

// Names are sent as header fields.
consteval bool is_event_name(std::string_view name) {
    if (name.empty() || name.size() > 200 || name.front() == ' ' || name.back() == ' ') return false;
    for (const char c : name)
        if (c < ' ' || c > '~') return false;
    return true;
}

template <class Event>
consteval std::string_view event_name() {
    static_assert(schema_aggregate<Event>, "an event must be a struct with the fields of schema.hpp");
    std::string_view name = schema_table<Event>.name;
    if constexpr (requires { std::string_view(Event::event_name); }) name = Event::event_name;
    return name;
}

/// A type-erased function that delivers events.
struct delivery_call {
    void* self;
    task<> (*run)(void* self, const outbox_event&, jobs::context&);
    void (*destroy)(void* self) noexcept;
};

template <class F>
delivery_call erase_delivery(F f) {
    static_assert(
        requires(F& g, const outbox_event& e, jobs::context& c) {
            requires std::is_same_v<decltype(g(e, c)), task<>>;
        } || requires(F& g, const outbox_event& e) { requires std::is_same_v<decltype(g(e)), task<>>; },
        "a destination must be (const apus::outbox_event&, apus::jobs::context&) -> apus::task<>, or (const "
        "apus::outbox_event&) -> apus::task<>");
    return {.self = new F(std::move(f)),
            .run = [](void* self, const outbox_event& e, jobs::context& c) -> task<> {
                F& g = *static_cast<F*>(self);
                if constexpr (std::is_invocable_v<F&, const outbox_event&, jobs::context&>) return g(e, c);
                else return g(e);
            },
            .destroy = [](void* self) noexcept { delete static_cast<F*>(self); }};
}

}  // namespace detail

/// Events of a database, and the destinations that get them.
/// Copies refer to the same outbox. Belongs to one core: create it in `make_app`.
///
/// An event is a plain struct of the types of json.hpp. Its name is the name of the struct without namespaces, or
/// `static constexpr std::string_view event_name` (ASCII). `publish` stores the event in the caller's transaction, once
/// for each destination. After the commit, it is delivered to each destination at least once. A failed delivery is
/// repeated, with growing delays. After the last attempt, the event becomes a dead letter, and the next event of its
/// key follows. Deliveries are jobs (jobs.hpp): create the tables with `jobs::migrate`, and use `apus jobs`.
class outbox {
public:
    /// Throws `std::invalid_argument` for invalid options.
    explicit outbox(const sql::database&, const outbox_options& = {});

    /// Adds a destination: `f(const outbox_event&, jobs::context&) -> task<>`, or without the context.
    /// Examples: `webhook`, `redis::stream_target`. The event is delivered when the task of `f` has ended without an
    /// error. The event is valid until then. `name` is stored with events: 1 to 40 letters, digits, `_`, `-` and `.`.
    /// Call it before `start`. Throws `std::invalid_argument` for invalid arguments, and `std::logic_error` for a
    /// second destination with the same name.
    template <class F>
    void deliver(std::string_view name, F f, const jobs::handler_options& how = default_delivery()) const {
        add(name, detail::erase_delivery(std::move(f)), how);
    }
    /// 20 attempts within four to eight hours, each of at most 30 s, and 16 at a time per destination.
    static jobs::handler_options default_delivery() noexcept {
        return {.attempts = 20, .deadline = seconds(30), .concurrency = 16};
    }

    /// Stores an event, usually with a transaction. Returns its id.
    /// Awaitable. The event is delivered after the commit, and never after a rollback. With a database, an own
    /// transaction stores it for all destinations or none. Values of `secret` are stored and delivered in clear text.
    /// Errors: the errors of SQL statements; 400 for an invalid key; 413 for an event that, as a JSON string with id,
    /// type and key, is over `database_options::value_size`; 500 without a destination, and for a name in `to` that is
    /// not a destination of this object.
    template <class Event>
    task<std::string> publish(const sql::executor& in, const Event& event, const publish_options& how = {}) const {
        static_assert(detail::is_event_name(detail::event_name<Event>()),
                      "`event_name` must have 1 to 200 characters of ASCII, without control characters");
        return insert(in, detail::event_name<Event>(), to_json_with_secrets(event), how);
    }

    /// Delivers events in this process, on one core of the app's server.
    /// When the server stops, deliveries continue for up to `outbox_options::drain`. Deliveries that still run are then
    /// cancelled and repeated by another node. Adds the metrics `outbox_deliveries_total` and `outbox_delay_seconds`.
    void start(router& app) const;

    /// Delivers events on this core until `stop`; then drains and returns.
    /// For programs without a server. Call it once.
    task<> run() const;
    void stop() const noexcept;  ///< Ends `run`.

private:
    void add(std::string_view name, detail::delivery_call, const jobs::handler_options&) const;
    task<std::string> insert(sql::executor in, std::string_view type, std::string body, publish_options) const;

    detail::shared<detail::outbox_owner, detail::outbox_parts> parts_;
};

}  // namespace apus
