// SPDX-License-Identifier: Apache-2.0
#include "http/h2/frame_reader.hpp"

#include <algorithm>
#include <cstring>

namespace apus::http::h2 {

using namespace codec::http2;

frame_reader::step frame_reader::next(std::string_view& bytes, item& out) {
    if (at_ == place::preface) {
        const step seen = read_preface(bytes);
        if (at_ == place::preface) return seen;
    }
    if (at_ == place::skipped) {
        const std::size_t n = std::min<std::size_t>(left_, bytes.size());
        bytes.remove_prefix(n);
        left_ -= static_cast<std::uint32_t>(n);
        if (left_) return step::more;
        at_ = place::between;
    }
    if (at_ == place::between) {
        if (!kept_.empty()) std::string().swap(kept_);
        if (!read_head(bytes)) return step::more;
        out.head = head_;
        return step::head;
    }
    out.head = head_;
    if (at_ == place::data) return read_data(bytes, out);
    if (!read_payload(bytes, out.payload)) return step::more;
    at_ = place::between;
    return step::frame;
}

frame_reader::step frame_reader::read_preface(std::string_view& bytes) noexcept {
    const std::size_t n = std::min(preface.size() - buffered_, bytes.size());
    if (bytes.substr(0, n) != preface.substr(buffered_, n)) return step::invalid_preface;
    bytes.remove_prefix(n);
    buffered_ = static_cast<std::uint8_t>(buffered_ + n);
    if (buffered_ < preface.size()) return step::more;
    buffered_ = 0;
    at_ = place::between;
    return step::more;
}

bool frame_reader::read_head(std::string_view& bytes) noexcept {
    if (bytes.empty()) return false;
    if (buffered_ == 0 && !in_block_) ++number_;
    if (buffered_ == 0 && bytes.size() >= frame_head_size) {
        head_ = read_frame_head(bytes.data());
        bytes.remove_prefix(frame_head_size);
    } else {
        const std::size_t n = std::min(frame_head_size - buffered_, bytes.size());
        std::memcpy(part_ + buffered_, bytes.data(), n);
        bytes.remove_prefix(n);
        buffered_ = static_cast<std::uint8_t>(buffered_ + n);
        if (buffered_ < frame_head_size) return false;
        buffered_ = 0;
        head_ = read_frame_head(part_);
    }
    left_ = head_.length;
    if (head_.type == frame_type::headers || head_.type == frame_type::continuation)
        in_block_ = !head_.has(flag_end_headers);
    if (head_.type == frame_type::data) {
        at_ = place::data;
        padding_ = 0;
        padding_due_ = head_.has(flag_padded);
    } else {
        at_ = is_known(head_.type) ? place::payload : place::skipped;
    }
    return true;
}

bool frame_reader::read_payload(std::string_view& bytes, std::string_view& payload) {
    const std::size_t n = std::min<std::size_t>(left_, bytes.size());
    left_ -= static_cast<std::uint32_t>(n);
    if (kept_.empty() && left_ == 0) {
        payload = bytes.substr(0, n);
    } else if (n) {
        kept_.reserve(head_.length);
        kept_.append(bytes.substr(0, n));
        payload = kept_;
    }
    bytes.remove_prefix(n);
    return left_ == 0;
}

frame_reader::step frame_reader::read_data(std::string_view& bytes, item& out) noexcept {
    out.padding = 0;
    if (padding_due_) {
        if (bytes.empty()) return step::more;
        padding_ = static_cast<std::uint8_t>(bytes.front());
        padding_due_ = false;
        bytes.remove_prefix(1);
        --left_;
        out.padding = 1;
        if (padding_ > left_) return step::invalid_padding;
    }
    if (bytes.empty() && left_ && !out.padding) return step::more;
    std::size_t n = std::min<std::size_t>(left_ - padding_, bytes.size());
    out.payload = bytes.substr(0, n);
    bytes.remove_prefix(n);
    left_ -= static_cast<std::uint32_t>(n);
    if (left_ == padding_) {
        n = std::min<std::size_t>(padding_, bytes.size());
        bytes.remove_prefix(n);
        left_ -= static_cast<std::uint32_t>(n);
        padding_ = static_cast<std::uint8_t>(padding_ - n);
        out.padding += static_cast<std::uint32_t>(n);
    }
    out.ends = left_ == 0;
    if (out.ends) at_ = place::between;
    return step::data;
}

}  // namespace apus::http::h2
