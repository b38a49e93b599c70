// SPDX-License-Identifier: Apache-2.0
#pragma once

// Redis 7: commands, transactions, scripts, and publish/subscribe. Replies are converted to C++ values.

#include <apus/detail/json_calls.hpp>
#include <apus/detail/owned_parts.hpp>
#include <apus/detail/redis_reply.hpp>
#include <apus/detail/shared.hpp>
#include <apus/redis/batch.hpp>
#include <apus/redis/failure.hpp>
#include <apus/redis/options.hpp>
#include <apus/task.hpp>

#include <vector>

namespace apus::redis {

class executor;

namespace detail {

struct session_parts;
struct subscription_parts;

struct session_owner {
    static void keep(session_parts*) noexcept;
    static void let_go(session_parts*) noexcept;
};
using shared_session = apus::detail::shared<session_owner, session_parts>;

task<std::string> execute(shared_session in, command_text what);
task<std::string> evaluate(shared_session in, std::string code, command_text what);
task<replies> execute_batch(shared_session in, batch what);
task<std::optional<replies>> execute_atomically(shared_session in, batch what);
task<shared_session> reserve(shared_session in);
const session_parts& session_of(const executor&) noexcept;
error unreadable_json(std::string_view key, const error& why);
error conflict();

template <class T>
task<T> run(shared_session in, command_text what) {
    const std::string name = what.name();
    const bool hidden = what.hidden();
    const std::string reply = co_await execute(std::move(in), std::move(what));
    co_return co_await convert_reply<T>(reply, name, hidden);
}

template <class T>
task<T> run_script(shared_session in, std::string code, command_text what) {
    const bool hidden = what.hidden();
    const std::string reply = co_await evaluate(std::move(in), std::move(code), std::move(what));
    co_return co_await convert_reply<T>(reply, "EVALSHA", hidden);
}

template <class T>
task<std::optional<T>> run_json(shared_session in, std::string key) {
    const auto found = co_await run<std::optional<std::string>>(std::move(in), make_command("GET", key));
    if (!found) co_return std::nullopt;
    auto made = from_json<T>(*found);
    if (!made) co_await failure(unreadable_json(key, made.error()));
    co_return std::optional<T>(*std::move(made));
}

command_text set_command(std::string_view key, const command_text& value, const set_options&);
command_text expire_command(std::string_view key, duration lifetime);
std::string script_digest(std::string_view code);

}  // namespace detail

/// A Lua script, which Redis executes atomically. Any thread may use it.
class script {
public:
    explicit script(std::string code) : code_(std::move(code)), digest_(detail::script_digest(code_)) {}
    const std::string& code() const noexcept { return code_; }
    const std::string& digest() const noexcept { return digest_; }  ///< SHA-1, in hexadecimal digits.

private:
    std::string code_, digest_;
};

/// A Redis hash. Returned by `executor::hash`. Errors and lifetimes are as for `executor`.
class hash {
public:
    hash(detail::shared_session in, std::string key) : in_(std::move(in)), key_(std::move(key)) {}

    /// Returns the value of a field; nullopt if the field does not exist.
    template <class T = std::string>
    task<std::optional<T>> get(std::string_view field) const {
        return detail::run<std::optional<T>>(in_, detail::make_command("HGET", key_, field));
    }
    /// Returns all fields: `all<std::map<std::string, std::string>>()`.
    template <class Map>
    task<Map> all() const {
        return detail::run<Map>(in_, detail::make_command("HGETALL", key_));
    }
    /// Sets fields: `set("name", "Ann", "age", 7)`. Returns the number of new fields.
    template <class... V>
    task<long long> set(const V&... fields_and_values) const {
        static_assert(sizeof...(V) % 2 == 0 && sizeof...(V) != 0, "hash::set needs a value for each field");
        return detail::run<long long>(in_, detail::make_command("HSET", key_, fields_and_values...));
    }
    /// Adds to a number and returns the sum. A missing field counts as 0.
    task<long long> increment(std::string_view field, long long by = 1) const {
        return detail::run<long long>(in_, detail::make_command("HINCRBY", key_, field, by));
    }
    /// Removes fields. Returns the number of fields that existed.
    template <class... F>
    task<long long> erase(const F&... fields) const {
        return detail::run<long long>(in_, detail::make_command("HDEL", key_, fields...));
    }

private:
    detail::shared_session in_;
    std::string key_;
};

/// Executes commands.
///
/// Arguments are texts, numbers, bools, and `secret`s of these types. A range is sent as one argument per item, a map
/// as two arguments per entry. Arguments are copied before the function returns. The result is a task: `co_await` it.
/// If the task is destroyed, the reply is ignored, and the command may or may not take effect.
///
/// Errors:
/// - 503 with Retry-After: no connection can be established, the connection is lost before the reply, too many commands
///   wait, or Redis cannot serve now (LOADING, BUSY and similar).
/// - 504: no reply within `client_options::command_timeout`.
/// - 500: another error reply, or a reply of another type.
///
/// The text of an error reply is only in the cause, which is logged; `failure_of` returns its code. After the
/// connection is lost, commands that only read are repeated; other commands are not, since they may have been executed.
class executor {
public:
    /// Executes any command: `command<long long>("ZADD", "scores", 1.5, "ann")`.
    /// T is void, std::string, a number, bool, or an optional, pair, list, set or map of these types. A bool is read
    /// from an integer, from OK, or from null (false); an optional is nullopt for null. Commands that change the state
    /// of the connection (SELECT, AUTH, CLIENT, SUBSCRIBE, MULTI and similar) are refused with an error 500. A `client`
    /// also refuses commands that need a reserved connection (BLPOP, WATCH and similar).
    template <class T = void, class... A>
    task<T> command(std::string_view name, const A&... arguments) const {
        return detail::run<T>(in_, detail::make_command(name, arguments...));
    }

    /// Returns the value of a key; nullopt if the key does not exist.
    template <class T = std::string>
    task<std::optional<T>> get(std::string_view key) const {
        return command<std::optional<T>>("GET", key);
    }
    /// Sets a key. Returns whether the value was stored: see `set_options::when`.
    template <class V>
    task<bool> set(std::string_view key, const V& value, const set_options& how = {}) const {
        return detail::run<bool>(in_, detail::set_command(key, detail::make_command("", value), how));
    }
    /// Sets a key to a struct as JSON (json.hpp). The JSON contains the values of `secret` members.
    template <class T>
    task<bool> set_json(std::string_view key, const T& value, const set_options& how = {}) const {
        auto text = detail::make_command("", to_json_with_secrets(value));
        text.hide();
        return detail::run<bool>(in_, detail::set_command(key, text, how));
    }
    /// Returns a struct that `set_json` has stored; nullopt if the key does not exist.
    /// Invalid JSON: 500.
    template <class T>
    task<std::optional<T>> get_json(std::string_view key) const {
        return detail::run_json<T>(in_, std::string(key));
    }
    /// Removes keys. Returns the number of keys that existed.
    template <class... K>
    task<long long> del(const K&... keys) const {
        return command<long long>("DEL", keys...);
    }
    /// Adds to a number and returns the sum. A missing key counts as 0.
    task<long long> incr(std::string_view key, long long by = 1) const { return command<long long>("INCRBY", key, by); }
    /// Sets the lifetime of a key.
    /// Returns false if the key does not exist. Throws `std::invalid_argument` unless `lifetime` is positive.
    task<bool> expire(std::string_view key, duration lifetime) const {
        return detail::run<bool>(in_, detail::expire_command(key, lifetime));
    }
    redis::hash hash(std::string_view key) const { return {in_, std::string(key)}; }
    /// Sends a message to the subscribers of a channel.
    /// Returns the number of connections that received the message.
    task<long long> publish(std::string_view channel, std::string_view payload) const {
        return command<long long>("PUBLISH", channel, payload);
    }

    /// Executes a script with arguments and keys. `keys` is a text or a range of texts.
    /// Sends only the digest; sends the code too if Redis does not have the script.
    template <class T = void, class Keys, class... A>
    task<T> eval(const script& s, const Keys& keys, const A&... arguments) const {
        const auto each = detail::make_command("", keys);
        return detail::run_script<T>(
            in_, s.code(), detail::make_command("EVALSHA", s.digest(), each.arguments() - 1, keys, arguments...));
    }

    /// Sends all commands together, and returns their replies.
    /// An error of one command does not affect the others.
    task<replies> run(batch commands) const { return detail::execute_batch(in_, std::move(commands)); }
    /// Executes all commands as a transaction (MULTI, EXEC).
    /// Redis executes no other command between them. An error of one command during EXEC does not affect the others. If
    /// Redis refuses a command before EXEC, no command is executed, and the result is the error of the refused command.
    /// Returns nullopt if a watched key was changed: then no command was executed.
    task<std::optional<replies>> run_atomically(batch commands) const {
        return detail::execute_atomically(in_, std::move(commands));
    }

protected:
    explicit executor(detail::shared_session in) : in_(std::move(in)) {}
    friend const detail::session_parts& detail::session_of(const executor&) noexcept;
    detail::shared_session in_;
};

/// A connection that is not shared, for WATCH and for blocking commands such as BLPOP.
/// Belongs to one core. The destructor ends the watch of all keys and returns the connection for reuse; if a command is
/// in flight, the destructor closes the connection.
class reserved_connection : public executor {
public:
    explicit reserved_connection(detail::shared_session in) : executor(std::move(in)) {}  ///< Used by the library.
    reserved_connection(reserved_connection&&) noexcept = default;
    reserved_connection& operator=(reserved_connection&&) noexcept = default;

    /// Replaces `client_options::command_timeout` for commands on this connection.
    void set_timeout(duration);
    /// Watches keys: `run_atomically` returns nullopt if one of them has changed since this call.
    template <class... K>
    task<> watch(const K&... keys) const {
        return command<>("WATCH", keys...);
    }
};

/// A message of a subscription, or a gap between messages.
struct message {
    std::string channel;  ///< Empty for a gap.
    std::string payload;  ///< Empty for a gap.
    /// Whether earlier messages may be missing: read the current state.
    /// The first value of each subscription is a gap. Another gap follows after a lost connection, and after messages
    /// were dropped because more than `client_options::messages` were unread.
    bool gap = false;
};

/// Messages of a channel, or of all channels that match a pattern. Returned by `client::subscribe`.
/// Belongs to the core of its first `next`. The destructor unsubscribes.
class subscription {
public:
    explicit subscription(apus::detail::owned_parts<detail::subscription_parts>);  ///< Used by the library.

    /// Waits for a message or a gap, without a time limit: `co_await`. At most one call at a time.
    /// The first call subscribes and returns a gap; messages that are published later are received. Errors before the
    /// first gap: 503 if Redis is unreachable for `client_options::connect_timeout`, and 500 if Redis refuses the
    /// subscription. Afterwards, the client reconnects after a lost connection, and `next` returns a gap. Returns
    /// nullopt when the core stops. If the task is destroyed, no message is lost.
    task<std::optional<message>> next();

private:
    apus::detail::owned_parts<detail::subscription_parts> parts_;
};

namespace detail {

template <class F>
task<replies> in_transaction(shared_session in, std::vector<std::string> watch, F f, unsigned attempts) {
    reserved_connection on(co_await reserve(std::move(in)));
    for (unsigned attempt = 1;; ++attempt) {
        co_await on.watch(watch);
        batch commands = co_await f(on);
        if (auto done = co_await on.run_atomically(std::move(commands))) co_return *std::move(done);
        if (attempt >= attempts) co_await failure(conflict());
    }
}

}  // namespace detail

/// Client of a Redis server, of the primary that sentinels name, or of a cluster.
/// Copies share connections. Any core may use a copy; each core opens its own connections on first use. All requests of
/// a core share one connection, on a cluster one per node, and their commands do not wait for each other's replies
/// (pipelining). Create one client per app or per program. The connections of a core are closed when the core stops, or
/// when the last copy is destroyed on that core.
///
/// With `client_options::cache`, a core sees changes by its own commands at once. Changes by others are seen when the
/// message of Redis arrives; if the network is cut silently, after at most `cache_options::max_silence`.
///
/// On a cluster, all keys of a command, script, transaction or reserved connection must have the same hash slot:
/// otherwise error 500, and nothing is sent.
class client : public executor {
public:
    /// `redis://user:password@host:6379/0`, `rediss://...` for TLS, or `unix:/run/redis.sock?db=0`.
    /// With Sentinel: `redis+sentinel://user:password@host1:26379,host2:26379/service/0` (`rediss+sentinel`), with up
    /// to 32 sentinels; user and password are those of the Redis servers, see `client_options::sentinel`. For a
    /// cluster: `redis+cluster://user:password@host1:6379,host2:6379` (`rediss+cluster`), with up to 32 of its nodes.
    /// User, password, port and database number are optional. Percent-encode special characters. With TLS, the
    /// certificate of the server must match the host. Throws `std::invalid_argument` for an invalid URL, and
    /// `std::runtime_error` for a certificate or key file that cannot be used.
    explicit client(std::string_view url, const client_options& = {});

    /// Returns the messages of a channel: see `subscription`.
    /// All subscriptions of a core share one connection.
    subscription subscribe(std::string_view channel) const;
    /// Returns the messages of all channels that match a pattern of PSUBSCRIBE, such as `news.*`.
    subscription psubscribe(std::string_view pattern) const;

    /// Reserves a connection: `co_await`. Over `client_options::reserved`: 503 with Retry-After.
    task<reserved_connection> reserve() const;

    /// Changes keys depending on their values, by optimistic locking (WATCH).
    /// `f(const reserved_connection&) -> task<batch>` reads values and returns commands. The commands are executed only
    /// if none of `keys` (a range) has changed since before `f` was called. Otherwise `f` is called again. After
    /// `attempts` calls: 503 with Retry-After.
    template <class Keys, class F>
    task<replies> transaction(const Keys& keys, F f, unsigned attempts = 16) const {
        return detail::in_transaction(in_, std::vector<std::string>(keys.begin(), keys.end()), std::move(f), attempts);
    }
};

}  // namespace apus::redis
