// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/outbox_targets.hpp>

#include <stdexcept>
#include <utility>

namespace apus::redis {
namespace {

std::string required(std::string name, const char* what) {
    if (name.empty()) throw std::invalid_argument(std::string("outbox: the name of the Redis ") + what + " is empty");
    return name;
}

// The members before `data`, which already is JSON.
struct message_head {
    std::string id, type, key;
};

}  // namespace

stream_target::stream_target(client db, std::string stream, std::uint64_t max_length)
    : db_(std::move(db)), stream_(required(std::move(stream), "stream")), max_length_(max_length) {}

task<> stream_target::operator()(const outbox_event& e) const {
    if (max_length_ == 0)
        return db_.command<>("XADD", stream_, "*", "id", e.id, "type", e.type, "key", e.key, "data", e.body);
    return db_.command<>("XADD", stream_, "MAXLEN", "~", static_cast<long long>(max_length_), "*", "id", e.id, "type",
                         e.type, "key", e.key, "data", e.body);
}

channel_target::channel_target(client db, std::string channel)
    : db_(std::move(db)), channel_(required(std::move(channel), "channel")) {}

task<> channel_target::operator()(const outbox_event& e) const {
    std::string text = to_json(message_head{e.id, e.type, e.key});
    text.back() = ',';
    return db_.command<>("PUBLISH", channel_, text + "\"data\":" + e.body + "}");
}

}  // namespace apus::redis
