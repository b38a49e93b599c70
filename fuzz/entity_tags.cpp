// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/conditions.hpp"
#include "codec/fields/quality_list.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Lists of entity tags, and lists with weights: both parsers remove one item after another from a view.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apus::codec::fields;
    using apus::fuzz::must;
    const std::vector<char> in(data, data + size);
    const std::string_view text(in.data(), in.size());

    std::string written;
    entity_tag tag;
    for (std::string_view list = text; next_entity_tag(list, tag);) {
        must(list.size() < text.size(), "each tag takes bytes off");
        must(tag.opaque.find('"') == tag.opaque.npos, "no quote in a tag");
        must(names(text, tag, comparison::weak), "a list matches its own tags");
        must(names(text, {tag.opaque, false}, comparison::strong) || tag.weak, "and strongly, if it is strong");
        ((written += tag.weak ? "W/\"" : "\"") += tag.opaque) += "\",";
    }
    std::size_t again = 0, first = 0;
    for (std::string_view list = written; next_entity_tag(list, tag);) ++again;
    for (std::string_view list = text; next_entity_tag(list, tag);) ++first;
    must(again == first, "a written tag parses to the same tag");

    weighted item;
    for (std::string_view list = text; next_weighted(list, item);)
        must(!item.value.empty() && item.weight <= 1000, "items have a value and a weight");
    must(coding_weight(text, "gzip") <= 1000, "a weight of a coding");

    const current_validators current{true, entity_tag{"x", false}, 1, true};
    for (const bool reads : {true, false}) (void)evaluate({text, text, text, text, text}, current, reads, 0);
    (void)range_counts(text, current, 0);
    return 0;
}
