// SPDX-License-Identifier: Apache-2.0
#include "middleware/decoded_body.hpp"

#include "http/exchange.hpp"

#include <utility>

namespace apus::middleware {
namespace {

constexpr codec::refusal invalid_content_coding{400, "the body does not match its Content-Encoding"};
constexpr codec::refusal too_large{413, "the decoded body exceeds the limit of this route"};
constexpr codec::refusal too_dense{413, "the compression ratio of the body exceeds the limit"};
constexpr codec::refusal no_memory{503, "not enough memory to decode the body"};

constexpr std::size_t slice = 256 * 1024;  // bytes decoded without interruption: takes about a millisecond
constexpr std::size_t step_size = 32 * 1024;

}  // namespace

const codec::refusal body_cut_short{400, "the encoded body is truncated"};

const codec::refusal* refusal_of(compression::bounded state) noexcept {
    switch (state) {
        case compression::bounded::bad: return &invalid_content_coding;
        case compression::bounded::too_large: return &too_large;
        case compression::bounded::too_dense: return &too_dense;
        case compression::bounded::partial:
        case compression::bounded::done: break;
    }
    return nullptr;
}

bool decoded_pieces::refuse(http::exchange& x, const codec::refusal& why) noexcept {
    refused_ = true;
    raw_ = {};
    x.via->refuse_body(x, why);
    return false;
}

bool decoded_pieces::next(http::exchange& x) noexcept {
    try {
        return !refused_ && go_on(x);
    } catch (...) {
        return refuse(x, no_memory);
    }
}

bool decoded_pieces::go_on(http::exchange& x) {
    if (!x.body.empty()) raw_ = std::exchange(x.body, {});
    while (true) {
        while (!raw_.empty() || more_) {
            const auto step = decoder_.take(raw_, room_);
            if (const auto* why = refusal_of(step.state)) return refuse(x, *why);
            raw_.remove_prefix(step.used);
            more_ = step.made == room_.size();
            x.body = {room_.data(), step.made};
            if (step.made) return true;
        }
        if (x.body_ended) return decoder_.complete() || refuse(x, body_cut_short);
        x.via->request_more_body(x);
        if (x.body.empty() && !x.body_ended) return false;
        raw_ = std::exchange(x.body, {});
    }
}

bool decoded_whole::go_on() {
    const std::size_t end = text_.size() + slice;
    while (text_.size() < end) {
        const std::size_t before = text_.size();
        text_.resize(before + step_size);
        const auto step = decoder_.take(raw_, {text_.data() + before, step_size});
        text_.resize(before + step.made);
        refused_ = refusal_of(step.state);
        if (refused_) return true;
        raw_.remove_prefix(step.used);
        if (!raw_.empty() || step.made == step_size) continue;
        if (!decoder_.complete()) refused_ = &body_cut_short;
        return true;
    }
    return false;
}

}  // namespace apus::middleware
