// SPDX-License-Identifier: Apache-2.0
#include "redis/command_keys.hpp"

#include "base/ascii.hpp"
#include "codec/resp/reply.hpp"
#include "redis/commands.hpp"
#include "redis/key_slot.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::redis {
namespace {

constexpr const char* several_slots =
    "the keys belong to several hash slots of the cluster: give them a common hash tag, such as {user:7}";
constexpr const char* one_node = "on a cluster, this command would concern only one node";

enum class keys : std::uint8_t {
    none,           // any node can execute the command
    first,          // the first argument
    all,            // all arguments
    alternate,      // each second argument: key, value, key, value
    two,            // the first two arguments
    second,         // the second argument, after a subcommand
    from_second,    // all arguments except the first
    all_but_last,   // the last argument is a timeout
    counted,        // a number of keys, then the keys
    counted_later,  // an argument, a number of keys, then the keys
    stored,         // a key, a number of keys, then the keys
    after_streams,  // the first half of the arguments after STREAMS
    with_store,     // the first argument, and the one after STORE or STOREDIST
    refused         // concerns one node
};

struct rule {
    std::string_view name;
    keys where;
};

// Sorted by name, for a binary search. For all other commands, the key is the first argument.
constexpr rule rules[] = {{"ACL", keys::refused},
                          {"BGREWRITEAOF", keys::refused},
                          {"BGSAVE", keys::refused},
                          {"BITOP", keys::from_second},
                          {"BLMOVE", keys::two},
                          {"BLMPOP", keys::counted_later},
                          {"BLPOP", keys::all_but_last},
                          {"BRPOP", keys::all_but_last},
                          {"BRPOPLPUSH", keys::two},
                          {"BZMPOP", keys::counted_later},
                          {"BZPOPMAX", keys::all_but_last},
                          {"BZPOPMIN", keys::all_but_last},
                          {"CLUSTER", keys::none},
                          {"COMMAND", keys::none},
                          {"CONFIG", keys::refused},
                          {"COPY", keys::two},
                          {"DBSIZE", keys::refused},
                          {"DEBUG", keys::refused},
                          {"DEL", keys::all},
                          {"ECHO", keys::none},
                          {"EVAL", keys::counted_later},
                          {"EVALSHA", keys::counted_later},
                          {"EVALSHA_RO", keys::counted_later},
                          {"EVAL_RO", keys::counted_later},
                          {"EXISTS", keys::all},
                          {"FAILOVER", keys::refused},
                          {"FCALL", keys::counted_later},
                          {"FCALL_RO", keys::counted_later},
                          {"FLUSHALL", keys::refused},
                          {"FLUSHDB", keys::refused},
                          {"FUNCTION", keys::refused},
                          {"GEORADIUS", keys::with_store},
                          {"GEORADIUSBYMEMBER", keys::with_store},
                          {"GEOSEARCHSTORE", keys::two},
                          {"INFO", keys::none},
                          {"KEYS", keys::refused},
                          {"LASTSAVE", keys::refused},
                          {"LATENCY", keys::refused},
                          {"LCS", keys::two},
                          {"LMOVE", keys::two},
                          {"LMPOP", keys::counted},
                          {"MEMORY", keys::second},
                          {"MGET", keys::all},
                          {"MIGRATE", keys::refused},
                          {"MODULE", keys::refused},
                          {"MOVE", keys::refused},
                          {"MSET", keys::alternate},
                          {"MSETNX", keys::alternate},
                          {"OBJECT", keys::second},
                          {"PFCOUNT", keys::all},
                          {"PFMERGE", keys::all},
                          {"PING", keys::none},
                          {"PUBLISH", keys::none},
                          {"PUBSUB", keys::refused},
                          {"RANDOMKEY", keys::refused},
                          {"RENAME", keys::two},
                          {"RENAMENX", keys::two},
                          {"ROLE", keys::none},
                          {"RPOPLPUSH", keys::two},
                          {"SAVE", keys::refused},
                          {"SCAN", keys::refused},
                          {"SCRIPT", keys::refused},
                          {"SDIFF", keys::all},
                          {"SDIFFSTORE", keys::all},
                          {"SINTER", keys::all},
                          {"SINTERCARD", keys::counted},
                          {"SINTERSTORE", keys::all},
                          {"SLOWLOG", keys::refused},
                          {"SMOVE", keys::two},
                          {"SORT", keys::with_store},
                          {"SUNION", keys::all},
                          {"SUNIONSTORE", keys::all},
                          {"SWAPDB", keys::refused},
                          {"TIME", keys::none},
                          {"TOUCH", keys::all},
                          {"UNLINK", keys::all},
                          {"UNWATCH", keys::none},
                          {"WAIT", keys::none},
                          {"WAITAOF", keys::none},
                          {"WATCH", keys::all},
                          {"XGROUP", keys::second},
                          {"XINFO", keys::second},
                          {"XREAD", keys::after_streams},
                          {"XREADGROUP", keys::after_streams},
                          {"ZDIFF", keys::counted},
                          {"ZDIFFSTORE", keys::stored},
                          {"ZINTER", keys::counted},
                          {"ZINTERCARD", keys::counted},
                          {"ZINTERSTORE", keys::stored},
                          {"ZMPOP", keys::counted},
                          {"ZRANGESTORE", keys::two},
                          {"ZUNION", keys::counted},
                          {"ZUNIONSTORE", keys::stored}};
static_assert(std::ranges::is_sorted(rules, {}, &rule::name));

keys rule_of(std::string_view command) noexcept {
    const upper_name name(command);
    const auto* const found = std::ranges::lower_bound(rules, name.text(), {}, &rule::name);
    return found != std::end(rules) && found->name == name.text() ? found->where : keys::first;
}

/// Arguments of a command, without its name.
class arguments {
public:
    explicit arguments(const detail::command_text& of) {
        std::string_view left = of.body();
        codec::resp::take_element(left);
        while (!left.empty()) all_.push_back(codec::resp::take_element(left).text);
    }

    std::size_t size() const noexcept { return all_.size(); }

    void add(std::size_t from, std::size_t to, std::size_t step = 1) {
        for (std::size_t i = from; i < std::min(to, all_.size()); i += step) found_.push_back(all_[i]);
    }
    // Redis refuses a wrong number of keys, so such a command may be sent to any node.
    void add_counted(std::size_t at) {
        std::size_t count = 0;
        if (at >= all_.size()) return;
        const std::string_view text = all_[at];
        if (std::from_chars(text.data(), text.data() + text.size(), count).ec != std::errc()) return;
        add(at + 1, at + 1 + std::min(count, all_.size()));
    }
    // `from`: the first argument that may be the keyword. Earlier arguments may have any value.
    void add_after_streams(std::size_t from) {
        for (std::size_t i = from; i < all_.size(); ++i)
            if (base::same_word(all_[i], "streams")) return add(i + 1, i + 1 + (all_.size() - i - 1) / 2);
    }
    void add_stored() {
        for (std::size_t i = 1; i + 1 < all_.size(); ++i)
            if (base::same_word(all_[i], "store") || base::same_word(all_[i], "storedist")) add(i + 1, i + 2);
    }
    std::vector<std::string_view> found() && { return std::move(found_); }

private:
    std::vector<std::string_view> all_;
    std::vector<std::string_view> found_;
};

}  // namespace

command_slot slot_of(const detail::command_text& command) {
    const command_keys found = keys_of(command);
    if (found.all) return {.slot = std::nullopt, .fault = one_node};
    command_slot made;
    for (const std::string_view key : found.keys) add_slot(made, {.slot = slot_of_key(key), .fault = nullptr});
    return made;
}

command_keys keys_of(const detail::command_text& command) {
    const keys where = rule_of(command.name());
    if (where == keys::refused) return {.keys = {}, .all = true};
    if (where == keys::none) return {};
    arguments in(command);
    switch (where) {
        case keys::none:
        case keys::refused: break;
        case keys::first: in.add(0, 1); break;
        case keys::all: in.add(0, in.size()); break;
        case keys::alternate: in.add(0, in.size(), 2); break;
        case keys::two: in.add(0, 2); break;
        case keys::second: in.add(1, 2); break;
        case keys::from_second: in.add(1, in.size()); break;
        case keys::all_but_last: in.add(0, std::max<std::size_t>(in.size(), 1) - 1); break;
        case keys::counted: in.add_counted(0); break;
        case keys::counted_later: in.add_counted(1); break;
        case keys::stored: in.add(0, 1), in.add_counted(1); break;
        case keys::after_streams: in.add_after_streams(base::same_word(command.name(), "xreadgroup") ? 3 : 0); break;
        case keys::with_store: in.add(0, 1), in.add_stored(); break;
    }
    return {.keys = std::move(in).found(), .all = false};
}

void add_slot(command_slot& to, const command_slot& other) noexcept {
    if (!to.fault) to.fault = other.fault;
    if (!other.slot) return;
    if (!to.slot) to.slot = other.slot;
    else if (*to.slot != *other.slot && !to.fault) to.fault = several_slots;
}

}  // namespace apus::redis
