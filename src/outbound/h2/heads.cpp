// SPDX-License-Identifier: Apache-2.0
#include "codec/hpack/errors.hpp"
#include "outbound/h2/session.hpp"

#include <span>
#include <utility>

// Header blocks of the server: response heads and trailers. Fields are decoded when they arrive. Ignored blocks are
// decoded too, to keep the HPACK table in sync (RFC 9113, 4.3).

namespace apus::outbound::h2 {

using namespace codec::http2;
using codec::hpack::step;

void session::take_headers(const frame_head& head, std::string_view payload) {
    if (!strip_padding(head, payload) || !strip_priority(head, payload))
        return terminate(error_code::protocol_error, "the padding or priority of HEADERS is invalid");
    if (is_idle(head.stream)) return terminate(error_code::protocol_error, "HEADERS on an idle stream");
    stream* s = find(head.stream);
    if (s ? s->ended : history_.was_finished(head.stream))
        return terminate(error_code::stream_closed, "HEADERS after the end of a response");
    if (!s && !take_control()) return terminate(error_code::enhance_your_calm, "too many frames without effect");
    block_ = s;
    block_id_ = head.stream;
    block_ends_stream_ = head.has(flag_end_stream);
    continuations_ = 0;
    if (s) {
        s->begun = true;
        if (s->has_head) fields_.begin(section::trailers, s->trailers, limits_);
        else fields_.begin(section::head, s->to, limits_);
    }
    // Limits the decoded size of the block, since a few bytes of HPACK may expand to megabytes.
    constexpr std::uint32_t far_over = 4;
    decoder_.begin_block(far_over * (limits_.field_bytes + limits_.request_line));
    take_block(payload, head.has(flag_end_headers));
}

void session::take_continuation(const frame_head& head, std::string_view payload) {
    if (++continuations_ > max_continuations)
        return terminate(error_code::enhance_your_calm, "a header block has too many CONTINUATION frames");
    take_block(payload, head.has(flag_end_headers));
}

void session::take_block(std::string_view in, bool ends) {
    if (!cut_.empty()) in = cut_.append(in);
    while (take_field(in)) {}
    if (failure_) return;
    if (!in.empty() && ends) return terminate(error_code::compression_error, codec::hpack::errors::block_cut.reason);
    cut_ = std::string(in);
    if (ends) end_block();
}

// Decodes a field. Returns false if no further field is complete.
bool session::take_field(std::string_view& in) {
    codec::hpack::field f;
    step read;
    if (!block_ || !fields_.wants_more()) {
        read = decoder_.skip(in, f);
    } else {
        read = decoder_.next(in, scratch_, f);
        if (read == step::no_room) {
            scratch_.resize(f.need);
            read = decoder_.next(in, scratch_, f);
        }
        if (read == step::field) fields_.add(f);
    }
    if (read == step::bad) terminate(static_cast<error_code>(decoder_.why()->status), decoder_.why()->reason);
    return read == step::field;
}

void session::end_block() {
    constexpr std::size_t max_kept = 16 * 1024;
    if (scratch_.size() > max_kept) std::string().swap(scratch_);
    block_id_ = 0;
    stream* s = std::exchange(block_, nullptr);
    if (!s) return;
    if (const char* why = fields_.finish())
        return fail(*s, error_code::protocol_error, std::string("invalid response from the upstream: ") + why);
    if (!s->has_head) return end_head(*s);
    if (!block_ends_stream_)
        return fail(*s, error_code::protocol_error, "invalid response from the upstream: trailers without END_STREAM");
    end_response(*s);
}

void session::end_head(stream& s) {
    const int status = fields_.status();
    if (status < 200) {
        if (block_ends_stream_)
            return fail(s, error_code::protocol_error,
                        "invalid response from the upstream: interim response with END_STREAM");
        if (++s.interim_ > max_interim)
            return fail(s, error_code::enhance_your_calm, "the upstream sent too many interim responses");
        s.continues = s.continues || status == 100;
        return note_event(s);
    }
    s.has_head = true;
    s.bodiless_ = s.to_head_ || status == 204 || status == 304;
    s.sized_ = fields_.has_length();
    s.length_ = fields_.length();
    s.has_body = !s.bodiless_ && !block_ends_stream_;
    if (block_ends_stream_) end_response(s);
    else note_event(s);
}

}  // namespace apus::outbound::h2
