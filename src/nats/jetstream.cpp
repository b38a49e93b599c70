// SPDX-License-Identifier: Apache-2.0
#include "nats/client_parts.hpp"
#include "nats/failure.hpp"

#include <apus/json.hpp>

#include <utility>

// JetStream: a message for a stream is a request, to which the stream responds with JSON.

namespace apus::nats {
namespace {

struct failed_ack {
    int code = 500;
    int err_code = 0;
    std::optional<std::string> text = {};

    static constexpr field_note fields[] = {{.field = "text", .name = "description"}};
};

struct ack_fields {
    std::optional<std::string> stream = {};
    std::optional<std::uint64_t> seq = {};
    bool duplicate = false;
    std::optional<failed_ack> error = {};
};

result<stream_ack> read_ack(const message& from) {
    auto got = from_json<ack_fields>(from.payload, {.ignore_unknown_fields = true, .null_keeps_initial_value = true});
    if (!got)
        return fail(unusable("the response is not the acknowledgement of a stream: is the subject one of a stream?"));
    if (got->error) {
        const failed_ack& why = *got->error;
        return fail(
            refused({.status = why.code, .code = why.err_code},
                    "JetStream: " + why.text.value_or("unknown error") + " (" + std::to_string(why.err_code) + ")"));
    }
    if (!got->stream || got->stream->empty() || !got->seq || *got->seq == 0)
        return fail(unusable("the acknowledgement of a stream has no sequence number"));
    return stream_ack{.stream = *std::move(got->stream), .sequence = *got->seq, .duplicate = got->duplicate};
}

task<stream_ack> store(detail::shared_client in, std::string subject, std::string payload, result<std::string> headers,
                       duration timeout) {
    std::string block = co_await std::move(headers);
    const message ack =
        co_await detail::send_request(std::move(in), std::move(subject), std::move(payload), std::move(block), timeout);
    co_return co_await read_ack(ack);
}

}  // namespace

task<stream_ack> client::publish_to_stream(std::string_view subject, std::string_view payload,
                                           const stream_options& how) const {
    std::vector<header> all = how.headers;
    if (!how.id.empty()) all.push_back({.name = "Nats-Msg-Id", .value = how.id});
    if (!how.stream.empty()) all.push_back({.name = "Nats-Expected-Stream", .value = how.stream});
    return store(in_, std::string(subject), std::string(payload), detail::to_block(all), how.timeout);
}

}  // namespace apus::nats
