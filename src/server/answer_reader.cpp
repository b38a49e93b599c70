// SPDX-License-Identifier: Apache-2.0
#include "server/answer_reader.hpp"

#include "base/ascii.hpp"
#include "codec/http1/chunked.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

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
    throw std::runtime_error("these bytes are no HTTP/1.1 answer: " + std::string(bytes.substr(0, 200)));
}

std::size_t number(std::string_view digits) {
    std::size_t n = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), n).ec != std::errc()) no_answer(digits);
    return n;
}

}  // namespace

std::optional<test::answer> answer_reader::next(bool to_head) {
    while (true) {
        auto end = bytes_.find("\r\n\r\n");
        if (end == bytes_.npos) return {};
        test::answer a;
        a.head = bytes_.substr(0, end + 4);
        if (!a.head.starts_with("HTTP/1.")) no_answer(a.head);
        a.status = static_cast<int>(number(std::string_view(a.head).substr(9, 3)));
        if (a.status >= 100 && a.status < 200 && a.status != 101) {
            bytes_.erase(0, end + 4);  // another answer follows
            continue;
        }
        bool bare = to_head || a.status == 204 || a.status == 304 || a.status == 101;
        auto used = bare ? end + 4 : read_body(a, end + 4);
        if (!used) return {};
        bytes_.erase(0, *used);
        return a;
    }
}

std::optional<std::size_t> answer_reader::read_body(test::answer& a, std::size_t at) const {
    if (a.header("transfer-encoding") == "chunked") return read_chunks(a, at);
    auto length = a.header("content-length");
    if (length.empty()) {  // the end of the connection is that of the body
        if (!ended_) return {};
        a.body = bytes_.substr(at);
        return bytes_.size();
    }
    auto size = number(length);
    if (bytes_.size() - at < size) return {};
    a.body = bytes_.substr(at, size);
    return at + size;
}

std::optional<std::size_t> answer_reader::read_chunks(test::answer& a, std::size_t at) const {
    while (true) {
        auto rest = std::string_view(bytes_).substr(at);
        auto line = codec::http1::read_chunk_size(rest);
        if (line.state == outcome::bad) no_answer(rest);
        if (line.state == outcome::partial) return {};
        at += line.used;
        if (!line.value) break;
        if (bytes_.size() - at < line.value + 2) return {};
        a.body.append(bytes_, at, line.value);
        at += line.value + 2;
    }
    auto rest = std::string_view(bytes_).substr(at);
    auto end = rest.starts_with("\r\n") ? 0 : rest.find("\r\n\r\n");
    if (end == rest.npos || rest.size() < 2) return {};
    a.trailer = rest.substr(0, end ? end + 2 : 0);
    return at + (end ? end + 4 : 2);
}

}  // namespace apus::server

namespace apus::test {

std::string_view answer::header(std::string_view name) const noexcept { return server::field_in(head, name); }
std::string_view answer::trailer_field(std::string_view name) const noexcept { return server::field_in(trailer, name); }

}  // namespace apus::test
