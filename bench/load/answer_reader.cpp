// SPDX-License-Identifier: Apache-2.0
#include "answer_reader.hpp"

#include <algorithm>

namespace load {
namespace {

constexpr std::size_t longest_head = 65'536;  // bytes; longer heads are invalid

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

void answer_reader::reset() { *this = {}; }

reading answer_reader::finish() {
    at_ = step::head;
    return reading::done;
}

bool answer_reader::ended() {
    if (at_ != step::with_connection) return false;
    finish();
    return true;
}

reading answer_reader::begin_body(const answer_head& head, std::string_view text, bool bodiless) {
    head_ = head;
    if (head.status != 200) line_ = text.substr(0, text.find('\r'));
    if (head.status < 200 && head.status != 101) return reading::more;  // an interim response; the final one follows
    body_ = 0;
    if (bodiless || head.status < 200 || head.status == 204 || head.status == 304) return finish();
    left_ = 0;
    switch (head.body) {
        case answer_head::ends::by_length:
            left_ = head.length;
            at_ = step::by_length;
            return left_ == 0 ? finish() : reading::more;
        case answer_head::ends::by_chunks:
            at_ = step::by_chunks;
            in_chunk_ = chunk::size;
            digits_ = false;
            return reading::more;
        case answer_head::ends::with_connection:
            head_.closes = true;
            at_ = step::with_connection;
            return reading::more;
    }
    return reading::bad;
}

reading answer_reader::read_on(std::string_view& in, head_memory& heads, bool bodiless) {
    while (at_ == step::head) {
        if (in.empty()) return reading::more;
        const auto before = part_.size();
        std::string_view text = in;
        if (before > 0) text = part_.append(in);
        const auto end = text.find("\r\n\r\n");
        if (end == text.npos) {
            if (before == 0) part_ = in;
            in = {};
            return part_.size() > longest_head ? reading::bad : reading::more;
        }
        text = text.substr(0, end + 4);
        in.remove_prefix(text.size() - before);
        const answer_head* head = heads.read(text);
        if (!head) return reading::bad;
        const auto result = begin_body(*head, text, bodiless);
        part_.clear();
        if (result != reading::more) return result;
    }
    if (at_ == step::by_chunks) return read_chunks(in);
    const auto take = at_ == step::by_length ? std::min<std::uint64_t>(left_, in.size()) : in.size();
    in.remove_prefix(std::size_t(take));
    body_ += take;
    left_ -= at_ == step::by_length ? take : 0;
    return at_ == step::by_length && left_ == 0 ? finish() : reading::more;
}

reading answer_reader::read_chunks(std::string_view& in) {
    while (!in.empty()) {
        if (in_chunk_ == chunk::data && left_ > 0) {
            const auto take = std::min<std::uint64_t>(left_, in.size());
            in.remove_prefix(std::size_t(take));
            body_ += take;
            left_ -= take;
            if (left_ == 0) in_chunk_ = chunk::data_end;
            continue;
        }
        const char c = in.front();
        in.remove_prefix(1);
        const auto result = read_chunk_byte(c);
        if (result != reading::more) return result;
    }
    return reading::more;
}

reading answer_reader::read_chunk_byte(char c) {
    switch (in_chunk_) {
        case chunk::size:
            if (const int digit = hex_digit(c); digit >= 0) {
                if (left_ >> 60) return reading::bad;
                left_ = left_ << 4 | unsigned(digit);
                digits_ = true;
                return reading::more;
            }
            if (!digits_) return reading::bad;
            in_chunk_ = chunk::extension;
            [[fallthrough]];
        case chunk::extension:
            if (c != '\n') return reading::more;
            digits_ = false;
            column_ = 0;
            in_chunk_ = left_ > 0 ? chunk::data : chunk::trailer;
            return reading::more;
        case chunk::data_end:
            if (c == '\n') in_chunk_ = chunk::size;
            return c == '\n' || c == '\r' ? reading::more : reading::bad;
        case chunk::trailer:
            if (c == '\n' && column_ == 0) return finish();
            if (c != '\r') column_ = c == '\n' ? 0 : column_ + 1;
            return reading::more;
        case chunk::data: break;
    }
    return reading::bad;
}

}  // namespace load
