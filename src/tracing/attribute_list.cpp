// SPDX-License-Identifier: Apache-2.0
#include "tracing/attribute_list.hpp"

#include "base/utf8.hpp"
#include "codec/protobuf/writer.hpp"

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

std::string repaired(std::string_view text) {
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = base::utf8_sequence(text, at);
        if (size) made += text.substr(at, size);
        else made += "\xef\xbf\xbd";
        at += size ? size : 1;
    }
    return made;
}

/// A text that is truncated to the limit, and is valid UTF-8.
/// Refers to the given text if no byte must be replaced.
class proper_text {
public:
    explicit proper_text(std::string_view given) : view_(cut(given)) {
        if (base::is_utf8(view_)) return;
        made_ = repaired(view_);
        view_ = made_;
    }
    proper_text(const proper_text&) = delete;
    proper_text& operator=(const proper_text&) = delete;
    std::string_view view() const noexcept { return view_; }

private:
    std::string_view view_;
    std::string made_;
};

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

void append_value(std::string& to, const log::field& f, std::string_view text) {
    switch (f.type()) {
        case kind::none: break;
        case kind::text: return pb::append_bytes(to, string_value, text);
        case kind::truth: return pb::append_unsigned(to, bool_value, f.number() != 0);
        case kind::signed_number:
        case kind::unsigned_number: return pb::append_unsigned(to, int_value, f.number());
        case kind::real: return pb::append_double(to, double_value, f.real());
    }
}

}  // namespace

void append_text(std::string& to, std::uint32_t field, std::string_view text) {
    pb::append_bytes(to, field, proper_text(text).view());
}

void append_attribute(std::string& to, std::uint32_t field, const log::field& f) {
    if (f.type() == kind::none) return;
    const proper_text key(f.key()), text(f.type() == kind::text ? f.text() : std::string_view());
    const std::size_t size = size_of_value(f, text.view());
    pb::append_head(to, field,
                    pb::bytes_size(attribute_key, key.view().size()) + pb::bytes_size(attribute_value, size));
    pb::append_bytes(to, attribute_key, key.view());
    pb::append_head(to, attribute_value, size);
    append_value(to, f, text.view());
}

void attribute_list::add(const log::field& f) {
    if (f.type() == kind::none) return;
    if (count_ == max_count) return ++dropped_, void();
    ++count_;
    append_attribute(bytes_, field_, f);
}

}  // namespace apus::tracing
