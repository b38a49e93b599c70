// SPDX-License-Identifier: Apache-2.0
#include "disk/file_body.hpp"

#include <apus/blocking.hpp>

#include <algorithm>
#include <cerrno>
#include <utility>

#include <unistd.h>

namespace apus::disk {
namespace {

using codec::fields::byte_range;

// Reads up to `size` bytes, on a thread that may wait. Nothing: the file has become shorter.
result<std::string> read_piece(const runtime::file& from, std::uint64_t at, std::size_t size) {
    std::string bytes(size, '\0');
    ssize_t n;
    do n = pread(from.fd(), bytes.data(), size, static_cast<off_t>(at));
    while (n < 0 && errno == EINTR);
    if (n <= 0) return fail(500, "a file has become shorter, or cannot be read, while it is sent");
    bytes.resize(static_cast<std::size_t>(n));
    return bytes;
}

task<> write_part(const open_file& file, byte_range part, detail::writer_core& out) {
    constexpr std::uint64_t piece = 64 * 1024;
    for (std::uint64_t at = part.first; at <= part.last;) {
        const auto size = static_cast<std::size_t>(std::min(piece, part.last - at + 1));
        auto read = [contents = file.contents, at, size] { return read_piece(*contents, at, size); };
        const std::string bytes = co_await blocking(std::move(read));
        at += bytes.size();
        co_await out.write(bytes);
    }
}

task<> write_body(void* self, request&, detail::writer_core& out) {
    const auto& body = *static_cast<const file_body*>(self);
    for (const auto& section : body.sections) {
        co_await out.write(section.text);
        co_await write_part(*body.file, section.part, out);
    }
    co_await out.write(body.end);
}

}  // namespace

void put_body(std::unique_ptr<file_body> body, response& out) {
    std::uint64_t size = body->end.size();
    for (const auto& section : body->sections) size += section.text.size() + section.part.size();
    out.produce({body.release(), write_body, [](void* self) { delete static_cast<file_body*>(self); }, size}, {});
}

task<> write_held_bytes(void* self, request&, detail::writer_core& out) { co_await out.write(static_cast<const open_file*>(self)->bytes); }

}  // namespace apus::disk
