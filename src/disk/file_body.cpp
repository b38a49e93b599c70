// SPDX-License-Identifier: Apache-2.0
#include "disk/file_body.hpp"

#include "http/exchange.hpp"

#include <apus/blocking.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace apus::disk {
namespace {

using codec::fields::byte_range;

// Reads up to `size` bytes; call it on a thread that may block.
result<std::string> read_piece(const runtime::file& from, std::uint64_t at, std::size_t size) {
    std::string bytes(size, '\0');
    bytes.resize(from.read(at, bytes));
    if (bytes.empty()) return fail(500, "a file was truncated or became unreadable while it was sent");
    return bytes;
}

// Whether a part of a file is in the page cache. Checks all of the part with cachestat (Linux 6.5), otherwise one byte
// per read-ahead window.
bool is_in_memory(const runtime::file& of, std::uint64_t at, std::uint64_t size) noexcept {
    struct stretch {
        std::uint64_t at, size;
    } const asked{at, size};
    std::array<std::uint64_t, 5> pages{};  // result of cachestat: the pages in the cache, and other counts
    constexpr long cachestat = 451;
    if (syscall(cachestat, of.fd(), &asked, pages.data(), 0) == 0) {
        static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
        return pages[0] >= (at + size - 1) / page - at / page + 1;
    }
    constexpr std::uint64_t read_ahead = 128 * 1024;
    for (std::uint64_t next = at; next < at + size; next += read_ahead) {
        char byte;
        iovec into{&byte, 1};
        if (preadv2(of.fd(), &into, 1, static_cast<off_t>(next), RWF_NOWAIT) < 0) return false;
    }
    return true;
}

// Makes the kernel read a part into the page cache.
result<void> read_in(const runtime::file& from, std::uint64_t at, std::uint64_t size) {
    constexpr std::uint64_t piece = 64 * 1024;
    for (std::uint64_t end = at + size; at < end;) {
        auto read = read_piece(from, at, static_cast<std::size_t>(std::min(piece, end - at)));
        if (!read) return std::unexpected(std::move(read).error());
        at += read->size();
    }
    return {};
}

// Passes the descriptor to the connection, which sends the bytes from the page cache without copying them. The part is
// read into the page cache first, so that sending does not wait for the disk.
task<> send_part(runtime::file_ref file, byte_range part, http::exchange& x, detail::writer_core& out) {
    constexpr std::uint64_t at_once = 1024 * 1024;
    for (std::uint64_t at = part.first; at <= part.last;) {
        const std::uint64_t size = std::min(at_once, part.last - at + 1);
        if (!is_in_memory(*file, at, size)) {
            co_await blocking(owning([file, at, size] { return read_in(*file, at, size); }));
        }
        if (!x.via->write_file(x, file, at, size)) break;
        at += size;
        if (at <= part.last) co_await out.write(std::string_view());
        part.first = at;
    }
    // Filters such as a compressor need the bytes in memory.
    while (part.first <= part.last) {
        constexpr std::uint64_t piece = 64 * 1024;
        const auto size = static_cast<std::size_t>(std::min(piece, part.last - part.first + 1));
        const std::string bytes =
            co_await blocking(owning([file, at = part.first, size] { return read_piece(*file, at, size); }));
        part.first += bytes.size();
        co_await out.write(bytes);
    }
}

task<> write_body(void* self, request& req, detail::writer_core& out) {
    const auto& body = *static_cast<const file_body*>(self);
    for (const auto& section : body.sections) {
        co_await out.write(section.text);
        co_await send_part(body.file->contents, section.part, detail::exchange_of(req), out);
    }
    co_await out.write(body.end);
}

}  // namespace

void put_body(std::unique_ptr<file_body> body, response& out) {
    std::uint64_t size = body->end.size();
    for (const auto& section : body->sections) size += section.text.size() + section.part.size();
    out.produce({body.release(), write_body, [](void* self) { delete static_cast<file_body*>(self); }, size}, {});
}

task<> write_held_bytes(void* self, request&, detail::writer_core& out) {
    co_await out.write(static_cast<const open_file*>(self)->bytes);
}

}  // namespace apus::disk
