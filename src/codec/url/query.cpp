// SPDX-License-Identifier: Apache-2.0
#include "codec/url/query.hpp"

#include "codec/url/percent.hpp"
#include "schema/defaults.hpp"
#include "schema/expectation.hpp"
#include "schema/text_value.hpp"

namespace apus::codec::url {
namespace {

std::uint64_t bit(unsigned index) noexcept { return std::uint64_t(1) << index; }

std::string pointer_to(const schema::field& f) {
    std::string pointer;
    schema::append_reference(pointer, f.name);
    return pointer;
}

/// Takes one name or value off a query, decoded into a string of its own.
class part_decoder {
public:
    const char* decode(std::string_view part) {
        bytes_.assign(part);
        for (char& c : bytes_)
            if (c == '+') c = ' ';
        const auto decoded = decode_percent(bytes_, bytes_.data());
        text_ = decoded.value;
        return decoded.why ? decoded.why->reason : nullptr;
    }
    std::string_view text() const noexcept { return text_; }

private:
    std::string bytes_;
    std::string_view text_;
};

const schema::field* find(const schema::type& t, std::string_view name) noexcept {
    for (unsigned i = 0; i < t.field_count; ++i)
        if (t.fields[i].name == name) return &t.fields[i];
    return nullptr;
}

std::string show(std::string_view text) {
    constexpr std::size_t shown = 40;
    std::size_t cut = std::min(text.size(), shown);
    while (cut < text.size() && cut > 0 && (text[cut] & 0xc0) == 0x80) --cut;  // no half character
    return '"' + std::string(text.substr(0, cut)) + (cut < text.size() ? "...\"" : "\"");
}

void read_value(const schema::type& t, const schema::field& f, void* object, std::string_view text, std::uint64_t& seen, query_report& out) {
    const std::uint64_t mine = bit(static_cast<unsigned>(&f - t.fields));
    char* at = static_cast<char*>(object) + f.offset;
    const bool is_list = f.of->what == schema::kind::list;
    if (is_list && !(seen & mine)) f.of->list->clear(at);
    if (!is_list && (seen & mine)) return out.list.add({pointer_to(f), "the name a second time", "each name once"});
    seen |= mine;
    const schema::type& one = is_list ? *f.of->element : *f.of;
    if (is_list && f.of->list->size(at) >= f.of->greatest) return out.list.add({pointer_to(f), "more values", schema::expectation(*f.of)});
    if (!schema::read_text(*f.of, at, text)) out.list.add({pointer_to(f), show(text), schema::expectation(one)});
}

void finish(const schema::type& t, const void* object, std::uint64_t seen, query_report& out) {
    for (unsigned i = 0; i < t.field_count; ++i) {
        const schema::field& f = t.fields[i];
        const char* at = static_cast<const char*>(object) + f.offset;
        if (seen & bit(i)) {
            const bool short_list = f.of->what == schema::kind::list && f.of->list->size(at) < static_cast<std::uint64_t>(f.of->least);
            if (short_list) out.list.add({pointer_to(f), std::to_string(f.of->list->size(at)) + " values", schema::expectation(*f.of)});
        } else {
            // An empty list cannot be written in a query, so none is one.
            const bool may_be_empty = f.of->what == schema::kind::list && f.of->least <= 0;
            if (!may_be_empty && !(schema::omittable(t) & bit(i))) out.list.add({pointer_to(f), "nothing", schema::expectation(*f.of)});
        }
    }
    int status = 422;
    std::string why;
    if (!t.object->check || !out.list.faults.empty() || t.object->check(object, status, why)) return;
    out.list.status = status;
    out.list.add({{}, {}, std::move(why)});
}

}  // namespace

void read_query(std::string_view text, const schema::type& t, void* value, query_report& out) {
    std::uint64_t seen = 0;
    part_decoder decoder;
    while (!text.empty()) {
        const std::string_view pair = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(pair.size() + 1, text.size()));
        if (pair.empty()) continue;
        const auto equals = std::min(pair.find('='), pair.size());
        out.malformed = decoder.decode(pair.substr(0, equals));
        if (out.malformed) return;
        const schema::field* f = find(t, decoder.text());
        out.malformed = decoder.decode(pair.substr(std::min(equals + 1, pair.size())));
        if (out.malformed) return;
        if (f) read_value(t, *f, value, decoder.text(), seen, out);
    }
    finish(t, value, seen, out);
}

}  // namespace apus::codec::url
