// SPDX-License-Identifier: Apache-2.0
#include "server/response_reader.hpp"

#include "base/ascii.hpp"
#include "codec/http1/chunked.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace apus::server {
namespace {

using codec::outcome;

std::string_view field_in(std::string_view lines, std::string_view name) noexcept {
    while (!lines.empty()) {
        auto line = lines.substr(0, lines.find("\r\n"));
        auto colon = line.find(':');
        if (colon != line.npos && base::equal_ignoring_case(line.substr(0, colon), name)) {
            auto value = line.substr(colon + 1);
            while (!value.empty() && base::is_blank(value.front())) value.remove_prefix(1);
            return value;
        }
        lines.remove_prefix(std::min(lines.size(), line.size() + 2));
    }
    return {};
}

[[noreturn]] void no_answer(std::string_view bytes) {
    throw std::runtime_error("invalid HTTP/1.1 response: " + std::string(bytes.substr(0, 200)));
}

std::size_t number(std::string_view digits) {
    std::size_t n = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), n).ec != std::errc()) no_answer(digits);
    return n;
}

}  // namespace

std::optional<test::response> response_reader::next(bool to_head) {
    if (!advance(to_head)) return {};
    stage_ = stage::head;
    return std::exchange(now_, {});
}

bool response_reader::advance(bool to_head) {
    while (stage_ != stage::done)
        if (!step(to_head)) return false;
    return true;
}

// Advances one stage. Returns false if more bytes are needed.
bool response_reader::step(bool to_head) {
    switch (stage_) {
        case stage::head: return read_head(to_head);
        case stage::sized: return read_sized(stage::done);
        case stage::chunk_size: return read_chunk_size();
        case stage::chunk: return read_sized(stage::chunk_end);
        case stage::chunk_end:
            if (bytes_.size() < 2) return false;
            bytes_.erase(0, 2);
            stage_ = stage::chunk_size;
            return true;
        case stage::trailer: return read_trailer();
        case stage::until_close:
            now_.body += std::exchange(bytes_, {});
            if (ended_) stage_ = stage::done;
            return ended_;
        case stage::done: break;
    }
    return true;
}

bool response_reader::read_head(bool to_head) {
    const auto end = bytes_.find("\r\n\r\n");
    if (end == bytes_.npos) return false;
    now_ = {};
    now_.head = bytes_.substr(0, end + 4);
    if (!now_.head.starts_with("HTTP/1.")) no_answer(now_.head);
    now_.status = static_cast<int>(number(std::string_view(now_.head).substr(9, 3)));
    bytes_.erase(0, end + 4);
    if (now_.status >= 100 && now_.status < 200 && now_.status != 101) return true;  // another head follows
    const bool bare = to_head || now_.status == 204 || now_.status == 304 || now_.status == 101;
    stage_ = bare ? stage::done : body_stage();
    return true;
}

response_reader::stage response_reader::body_stage() {
    if (now_.header("transfer-encoding") == "chunked") return stage::chunk_size;
    const auto length = now_.header("content-length");
    if (length.empty()) return stage::until_close;
    left_ = number(length);
    return stage::sized;
}

bool response_reader::read_sized(stage then) {
    const std::size_t here = std::min(left_, bytes_.size());
    now_.body.append(bytes_, 0, here);
    bytes_.erase(0, here);
    left_ -= here;
    if (left_ > 0) return false;
    stage_ = then;
    return true;
}

bool response_reader::read_chunk_size() {
    const auto line = codec::http1::read_chunk_size(bytes_);
    if (line.state == outcome::bad) no_answer(bytes_);
    if (line.state == outcome::partial) return false;
    bytes_.erase(0, line.used);
    left_ = line.value;
    stage_ = left_ > 0 ? stage::chunk : stage::trailer;
    return true;
}

bool response_reader::read_trailer() {
    if (bytes_.size() < 2) return false;
    const auto end = bytes_.starts_with("\r\n") ? 0 : bytes_.find("\r\n\r\n");
    if (end == bytes_.npos) return false;
    now_.trailer = bytes_.substr(0, end ? end + 2 : 0);
    bytes_.erase(0, end ? end + 4 : 2);
    stage_ = stage::done;
    return true;
}

}  // namespace apus::server

namespace apus::test {

std::string_view response::header(std::string_view name) const noexcept { return server::field_in(head, name); }
std::string_view response::trailer_field(std::string_view name) const noexcept {
    return server::field_in(trailer, name);
}

}  // namespace apus::test
