// SPDX-License-Identifier: Apache-2.0
#include <apus/sql.hpp>

#include "sql/database_parts.hpp"
#include "sql/execution.hpp"
#include "sql/failure.hpp"
#include "sql/notification_hub.hpp"

#include <utility>

namespace apus::sql {

namespace detail {

struct notification_parts {
    shared_session in;
    std::string channel;
    std::unique_ptr<listener> from = nullptr;  // null before the first `next`
};

namespace {

task<> notify(shared_session in, std::string channel, std::string payload) {
    co_await check_notification(channel, payload);
    const std::uint64_t deadline = deadline_of(*in);
    co_await measured(*in, "notify", in->target().notify(std::move(channel), std::move(payload), deadline));
}

}  // namespace
}  // namespace detail

task<> executor::notify(std::string_view channel, std::string_view payload) const {
    return detail::notify(session_, std::string(channel), std::string(payload));
}

notification_stream database::listen(std::string_view channel) const {
    return notification_stream(
        apus::detail::own_parts(new detail::notification_parts{.in = session_, .channel = std::string(channel)}));
}

notification_stream::notification_stream(apus::detail::owned_parts<detail::notification_parts> p)
    : parts_(std::move(p)) {}

task<std::optional<notification>> notification_stream::next() {
    auto& parts = *parts_;
    if (!parts.from) {
        co_await check_notification(parts.channel, {});
        parts.from = parts.in->db->listen(parts.channel);
    }
    auto got = co_await parts.from->next().outcome();
    if (!got) co_await failure(mapped(std::move(got.error()), parts.in->options.map_error));
    co_return *std::move(got);
}

}  // namespace apus::sql
