// SPDX-License-Identifier: Apache-2.0
#include <apus/nats/outbox_targets.hpp>

#include "base/percent.hpp"
#include "codec/nats/subject.hpp"

#include <stdexcept>
#include <utility>

namespace apus::nats {
namespace {

task<> stored(task<stream_ack> ack) { co_await std::move(ack); }

std::vector<header> headers_of(const outbox_event& e) {
    std::vector<header> made{{.name = "Event-Type", .value = e.type}};
    if (e.key.empty()) return made;
    std::string key;
    base::append_percent_encoded(key, e.key, [](char c) { return c > ' ' && c <= '~' && c != '%'; });
    made.push_back({.name = "Event-Key", .value = std::move(key)});
    return made;
}

}  // namespace

stream_target::stream_target(client bus, std::string subject, std::string stream)
    : bus_(std::move(bus)), subject_(std::move(subject)), stream_(std::move(stream)) {
    if (!codec::nats::is_subject(subject_)) throw std::invalid_argument("outbox: the NATS subject is invalid");
    if (!stream_.empty() && (!codec::nats::is_subject(stream_) || stream_.contains('.')))
        throw std::invalid_argument("outbox: the name of the NATS stream is invalid");
}

task<> stream_target::operator()(const outbox_event& e) const {
    return stored(bus_.publish_to_stream(subject_, e.body, {.id = e.id, .stream = stream_, .headers = headers_of(e)}));
}

}  // namespace apus::nats
