// SPDX-License-Identifier: Apache-2.0
#include "codec/url/query.hpp"

#include "codec/url/percent.hpp"
#include "schema/flat_values.hpp"

#include <algorithm>

namespace apus::codec::url {
namespace {

/// Decodes a name or value of a query into a string that it owns.
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

}  // namespace

void read_query(std::string_view text, const schema::type& t, void* value, query_report& out) {
    schema::flat_values values(t, value, out.list);
    part_decoder decoder;
    while (!text.empty()) {
        const std::string_view pair = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(pair.size() + 1, text.size()));
        if (pair.empty()) continue;
        const auto equals = std::min(pair.find('='), pair.size());
        out.malformed = decoder.decode(pair.substr(0, equals));
        if (out.malformed) return;
        const schema::field* f = values.find(decoder.text());
        out.malformed = decoder.decode(pair.substr(std::min(equals + 1, pair.size())));
        if (out.malformed) return;
        if (f) values.read(*f, decoder.text());
    }
    values.finish();
}

}  // namespace apus::codec::url
