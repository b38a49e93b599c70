// SPDX-License-Identifier: Apache-2.0
#include "disk/answer.hpp"

#include "base/hex.hpp"
#include "codec/fields/byte_range.hpp"
#include "disk/file_body.hpp"
#include "http/selection.hpp"
#include "runtime/loop.hpp"

#include <array>
#include <span>
#include <utility>

#include <sys/random.h>

namespace apus::disk {
namespace {

using codec::fields::byte_range;
using codec::fields::ranges_asked;

std::string content_range(const byte_range& part, std::uint64_t size) {
    return "content-range: bytes " + std::to_string(part.first) + '-' + std::to_string(part.last) + '/' +
           std::to_string(size) + "\r\n";
}

// Returns a random boundary, which a file is unlikely to contain.
std::string new_boundary() {
    std::array<char, 12> bytes{};
    (void)getrandom(bytes.data(), bytes.size(), 0);
    return "apus-" + base::hex({bytes.data(), bytes.size()});
}

std::string_view slice(const open_file& file, const byte_range& part) {
    return std::string_view(file.bytes).substr(part.first, part.size());
}

void put_bytes(const held_file& file, std::string_view bytes, response& out) {
    held_file kept = file;
    out.hold(bytes, {const_cast<open_file*>(kept.leak()), write_held_bytes,
                     [](void* self) { held_file::give_back(static_cast<open_file*>(self)); }});
}

void put_part(const held_file& file, const byte_range& part, response& out) {
    if (file->in_memory) return put_bytes(file, slice(*file, part), out);
    auto body = std::make_unique<file_body>(file);
    body->sections.push_back({{}, part});
    put_body(std::move(body), out);
}

// multipart/byteranges (RFC 9110, 14.6).
void put_parts(const variant& v, std::span<const byte_range> parts, response& out) {
    const std::string boundary = new_boundary();
    const open_file& file = *v.file;
    auto body = std::make_unique<file_body>(v.file);
    for (const byte_range& part : parts) {
        std::string head =
            "--" + boundary + "\r\ncontent-type: " + v.media_type + "\r\n" + content_range(part, file.size()) + "\r\n";
        body->sections.push_back({body->sections.empty() ? std::move(head) : "\r\n" + head, part});
    }
    body->end = "\r\n--" + boundary + "--\r\n";
    const std::string type = "multipart/byteranges; boundary=" + boundary;
    if (!file.in_memory) {
        put_body(std::move(body), out);
        out.header("content-type", type);
        return;
    }
    std::string all;
    for (const auto& section : body->sections) (all += section.text) += slice(file, section.part);
    out.body(all + body->end, type);
}

void put_whole(const variant& v, response& out) {
    out.append_field_lines(v.lines);
    if (v.file->in_memory) put_bytes(v.file, v.file->bytes, out);
    else put_part(v.file, {0, v.file->size() - 1}, out);
}

// Writes the response to a Range field, satisfiable or not. Returns false if the field is ignored.
bool put_ranges(const variant& v, std::string_view range, response& out) {
    std::array<byte_range, max_parts> parts{};
    const ranges_asked asked = codec::fields::read_ranges(range, v.file->size(), parts);
    if (asked.kind == ranges_asked::what::whole) return false;
    if (asked.kind == ranges_asked::what::unsatisfiable) {
        out = response(error(416, "the requested range is beyond the end of the file"));
        out.header("content-range", "bytes */" + std::to_string(v.file->size()));
        return true;
    }
    out.status(206);
    if (asked.count == 1) {
        out.append_field_lines(v.lines);
        out.append_field_lines(content_range(parts[0], v.file->size()));
        put_part(v.file, parts[0], out);
    } else {
        out.append_field_lines(std::string_view(v.lines).substr(0, v.without_type));
        put_parts(v, std::span(parts).first(asked.count), out);
    }
    return true;
}

}  // namespace

void answer_with(const served_file& of, request& req, response& out) {
    using codec::fields::verdict;
    const http::selection asked(detail::exchange_of(req));
    const variant& v = of.choose(asked.accept_encoding);
    codec::fields::entity_tag tag;
    codec::fields::read_entity_tag(v.file->etag, tag);
    const codec::fields::current_validators current{true, tag, v.file->modified, v.file->settled};
    const std::int64_t now = runtime::unix_seconds();
    const verdict found = codec::fields::evaluate(asked.conditions, current, true, now);
    if (found != verdict::go_on) {
        out = http::unmet(found);
        if (found == verdict::not_modified) out.append_field_lines(std::string_view(v.lines).substr(0, v.of_304));
        return;
    }
    const bool ranges = asked.range.data() && req.method() == method::get &&
                        codec::fields::range_counts(asked.conditions.if_range, current, now);
    if (!ranges || !put_ranges(v, asked.range, out)) put_whole(v, out);
}

}  // namespace apus::disk
