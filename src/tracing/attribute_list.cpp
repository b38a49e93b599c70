// SPDX-License-Identifier: Apache-2.0
#include "tracing/attribute_list.hpp"

#include "base/utf8.hpp"
#include "codec/protobuf/writer.hpp"
#include "tracing/proper_text.hpp"

#include <bit>

namespace apus::tracing {
namespace {

namespace pb = codec::protobuf;
using kind = log::field::kind;

// Fields of AnyValue and KeyValue (opentelemetry/proto/common/v1/common.proto).
enum any_value : std::uint32_t {
    string_value = 1,
    bool_value = 2,
    int_value = 3,
    double_value = 4
};
enum key_value : std::uint32_t {
    attribute_key = 1,
    attribute_value = 2
};

// Truncates at the end of a character: receivers reject a whole export if a `string` is invalid UTF-8.
std::string_view cut(std::string_view text) noexcept {
    if (text.size() <= max_text) return text;
    std::size_t end = max_text;
    while (end > max_text - 4 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80) --end;
    return text.substr(0, end);
}

constexpr std::size_t usual = 384;       // bytes of the attributes of a request
constexpr std::size_t short_size = 100;  // of key and text, so that sizes of messages are below 128

// Size of the AnyValue message.
std::size_t size_of_value(const log::field& f, std::string_view text) noexcept {
    switch (f.type()) {
        case kind::none: break;
        case kind::text: return pb::bytes_size(string_value, text.size());
        case kind::truth: return 2;
        case kind::signed_number:
        case kind::unsigned_number: return 1 + pb::varint_size(f.number());
        case kind::real: return 1 + sizeof(double);
    }
    return 0;
}

void write_value(pb::field_writer& to, const log::field& f, std::string_view text) noexcept {
    switch (f.type()) {
        case kind::none: break;
        case kind::text: return to.bytes(string_value, text);
        case kind::truth: return to.number(bool_value, f.number() != 0);
        case kind::signed_number:
        case kind::unsigned_number: return to.number(int_value, f.number());
        case kind::real: return to.fixed64(double_value, std::bit_cast<std::uint64_t>(f.real()));
    }
}

}  // namespace

void proper_text::make_proper() {
    view_ = cut(view_);
    if (base::is_utf8(view_)) return;
    made_ = base::repaired_utf8(view_);
    view_ = made_;
}

void append_text(std::string& to, std::uint32_t field, std::string_view text) {
    pb::append_bytes(to, field, proper_text(text).view());
}

void append_attribute(std::string& to, std::uint32_t field, const log::field& f) {
    if (f.type() == kind::none) return;
    const proper_text key(f.key()), text(f.type() == kind::text ? f.text() : std::string_view());
    const std::size_t size = size_of_value(f, text.view());
    const std::size_t both = pb::bytes_size(attribute_key, key.view().size()) + pb::bytes_size(attribute_value, size);
    const std::size_t before = to.size(), whole = before + pb::bytes_size(field, both);
    // The function's second argument is not used: libstdc++ 12 passes the new capacity.
    to.resize_and_overwrite(whole, [&](char* bytes, std::size_t) {
        pb::field_writer out(bytes + before);
        out.head(field, both);
        out.bytes(attribute_key, key.view());
        out.head(attribute_value, size);
        write_value(out, f, text.view());
        return whole;
    });
}

void attribute_list::add(const log::field& f) {
    if (f.type() == kind::none) return;
    if (count_ == max_count) return ++dropped_, void();
    if (count_++ == 0) bytes_.reserve(usual);
    append_attribute(bytes_, field_, f);
}

// Sizes below 128 and field numbers below 16 are varints of one byte.
void attribute_list::add_text(std::string_view key, std::string_view text) {
    if (key.size() + text.size() > short_size || count_ == max_count || !base::is_ascii(text)) return add({key, text});
    append_short(key, text.size() + 2, [&](pb::field_writer& to) { to.bytes(string_value, text); });
}

void attribute_list::add_number(std::string_view key, std::uint64_t number) {
    if (key.size() > short_size || count_ == max_count) return add({key, number});
    append_short(key, 1 + pb::varint_size(number), [&](pb::field_writer& to) { to.number(int_value, number); });
}

// `size`: of the value that `write_value` writes.
template <class F>
void attribute_list::append_short(std::string_view key, std::size_t size, F write_value) {
    if (count_++ == 0) bytes_.reserve(usual);
    const std::size_t heads = 6, old = bytes_.size(), whole = old + heads + key.size() + size;
    bytes_.resize_and_overwrite(whole, [&](char* bytes, std::size_t) {
        pb::field_writer to(bytes + old);
        to.head(field_, heads - 2 + key.size() + size);
        to.bytes(attribute_key, key);
        to.head(attribute_value, size);
        write_value(to);
        return whole;
    });
}

}  // namespace apus::tracing
