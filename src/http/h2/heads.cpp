// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/chunked.hpp"
#include "codec/http1/refusals.hpp"
#include "http/h2/protocol.hpp"

#include <algorithm>
#include <limits>
#include <utility>

// Header blocks of the client: requests and trailers. A block is decoded as it arrives, directly into the memory of its
// exchange. Ignored blocks are decoded too, because they change the HPACK dynamic table (RFC 9113, 4.3).

namespace apus::http::h2 {

using namespace codec::http2;
using codec::hpack::step;

void protocol::take_headers(const frame_head& head, std::string_view payload) {
    if (!strip_padding(head, payload) || !strip_priority(head, payload) || head.stream % 2 == 0)
        return fail_connection(error_code::protocol_error);
    continuations_ = 0;
    block_ends_stream_ = head.has(flag_end_stream);
    block_is_request_ = head.stream > last_stream_;
    head_exchange_ = block_is_request_ ? open_stream(head.stream) : reopen_stream(head.stream);
    if (terminated_) return;
    decoder_.begin_block(std::numeric_limits<std::uint32_t>::max());
    block_stream_ = head.stream;
    take_block(payload, head.has(flag_end_headers));
}

void protocol::take_continuation(const frame_head& head, std::string_view payload) {
    if (++continuations_ > continuations) return end_flood(core_.counts.h2_floods);
    take_block(payload, head.has(flag_end_headers));
}

// Returns null if the stream is ignored or refused.
h2_exchange* protocol::open_stream(std::uint32_t id) {
    last_stream_ = id;
    if (last_stream_announced_) return history().reset_by_server(id), nullptr;
    processed_stream_ = id;
    // Streams with unsent responses count too: for the client, they are still open.
    if (open_ + answered_ >= core_.bounds.h2_streams) return refuse_stream(id), nullptr;
    h2_exchange* x = own_.take();
    x->stream = id;
    x->via = this;
    x->bytes = nullptr;
    x->send_window = first_window_;
    x->fields.begin();
    x->next = first_;
    if (first_) first_->link = &x->next;
    x->link = &first_;
    first_ = x;
    if (open_++ == 0) ++core_.counts.h2_activations;
    streams_.insert(*x);
    return x;
}

// Refuses a stream over the limit (RFC 9113, 5.1.2). Each refusal counts as a reset, so that a client cannot cause
// refusals without limit.
void protocol::refuse_stream(std::uint32_t id) {
    ++core_.counts.refusals;
    history().reset_by_server(id);
    if (!resets_.take(core_.loop.now())) return end_flood(core_.counts.h2_resets);
    char* to = output().room(rst_stream_size);
    out_.wrote(write_rst_stream(to, id, error_code::refused_stream));
}

// Returns the exchange of the stream to which trailers belong. If the server has reset the stream, returns null, and
// the trailers are ignored. If the stream is closed, or its id was skipped, returns null and ends the connection (RFC
// 9113, 5.1 and 5.1.1).
h2_exchange* protocol::reopen_stream(std::uint32_t id) {
    h2_exchange* x = streams_.find(id);
    if (x && !x->client_done) return x;
    if (id <= forgotten_stream_) {
        // Trailers may have been in transit when the server reset the stream.
        if (!controls_.take(core_.loop.now())) end_flood(core_.counts.h2_floods);
        return nullptr;
    }
    const bool finished = x || (history_ && history_->was_finished(id));
    if (x || !history_ || !history_->was_reset(id))
        fail_connection(finished ? error_code::stream_closed : error_code::protocol_error);
    return nullptr;
}

void protocol::take_block(std::string_view in, bool ends) {
    if (!cut_.empty()) in = cut_.append(in);
    while (take_field(in)) {}
    if (terminated_) return;
    if (in.empty()) {
        if (!cut_.empty()) std::string().swap(cut_);
    } else if (ends) {
        return fail_connection(error_code::compression_error);
    } else {
        cut_ = std::string(in);
    }
    if (ends) end_block();
}

// Decodes a field. Returns false if no further field is complete.
bool protocol::take_field(std::string_view& in) {
    codec::hpack::field f;
    step read;
    if (!head_exchange_ || (block_is_request_ && !head_exchange_->fields.wants_more())) {
        read = decoder_.skip(in, f);
    } else {
        auto& fields = head_exchange_->fields;
        auto& scratch = own_.scratch;
        const auto room = [&] {
            return block_is_request_ ? fields.room() : std::span(scratch.room(0), scratch.capacity());
        };
        read = decoder_.next(in, room(), f);
        if (read == step::no_room) {
            if (block_is_request_ && !fields.make_room(f.need)) return fields.refuse_size(), true;
            if (!block_is_request_) scratch.room(f.need);
            read = decoder_.next(in, room(), f);
        }
        if (read == step::field) add_field(*head_exchange_, f);
    }
    if (read == step::bad) fail_connection(static_cast<error_code>(decoder_.why()->status));
    if (read != step::field) return false;
    // A few bytes of HPACK may expand to megabytes. If the fields are far over the limit, resets the stream and skips
    // the rest of the block.
    constexpr std::size_t far_over = 4;
    if (head_exchange_ && decoder_.list_size() > far_over * (core_.bounds.field_bytes + core_.bounds.request_line)) {
        ++core_.counts.h2_floods;
        reset(*head_exchange_, error_code::enhance_your_calm);
    }
    return !terminated_;
}

void protocol::add_field(h2_exchange& x, const codec::hpack::field& f) {
    if (block_is_request_) x.fields.add(f, own_.head_bounds, x.head);
    else add_trailer(x, f);
}

void protocol::end_block() {
    constexpr std::size_t max_kept = 16 * 1024;
    if (own_.scratch.capacity() > max_kept) own_.scratch.release();
    block_stream_ = 0;
    h2_exchange* x = std::exchange(head_exchange_, nullptr);
    if (!x) return;
    if (block_is_request_) {
        x->client_done = block_ends_stream_;
        return begin_request(*x);
    }
    // Trailers must end the stream (RFC 9113, 8.1).
    if (block_ends_stream_) end_request(*x);
    else reject_body(*x);
}

// Resets the stream of a malformed request (RFC 9113, 8.1.1), before any handler runs.
void protocol::reject_malformed(h2_exchange& x) {
    ++core_.counts.refusals;
    history().reset_by_server(x.stream);
    char* to = output().room(rst_stream_size);
    out_.wrote(write_rst_stream(to, x.stream, error_code::protocol_error));
    close_stream(x, true);
}

void protocol::add_trailer(h2_exchange& x, const codec::hpack::field& f) {
    namespace refusals = codec::http1::refusals;
    if (f.malformed || codec::fields::is_pseudo(f.id)) return reject_body(x);
    auto& section = x.use_trailers();
    const std::size_t bytes = section.bytes.size() + f.name.size() + f.value.size();
    if (section.count >= core_.bounds.fields || section.count >= codec::http1::max_fields)
        x.broken = &refusals::too_many_fields;
    else if (bytes > core_.bounds.field_bytes) x.broken = &refusals::fields_too_long;
    if (x.broken) return core_.loop.later(x.resume_later);
    if (!codec::http1::may_stand_in_trailers(f.name)) return;
    const auto keep = [&section](std::string_view part) {
        const codec::http1::slice where{static_cast<std::uint16_t>(section.bytes.size()),
                                        static_cast<std::uint16_t>(part.size())};
        section.bytes.append(part);
        return where;
    };
    auto& line = section.room()[section.count++];
    line.name = keep(f.name);
    line.value = keep(f.value);
}

// Sets the priority of the response (RFC 9218).
void protocol::order_response(h2_exchange& x) {
    codec::fields::read_priority(x.fields.priority(), x.order);
    if (priorities_) priorities_->apply(x.stream, x.order);
}

}  // namespace apus::http::h2
