// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/conditions.hpp"
#include "codec/fields/quality_list.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Lists of entity tags and of weighted items. Both parsers remove items from the front of a view.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apus::codec::fields;
    using apus::fuzz::must;
    const std::vector<char> in(data, data + size);
    const std::string_view text(in.data(), in.size());

    std::string written;
    entity_tag tag;
    for (std::string_view list = text; next_entity_tag(list, tag);) {
        must(list.size() < text.size(), "each tag consumes bytes");
        must(tag.opaque.find('"') == tag.opaque.npos, "a tag contains no quote");
        must(names(text, tag, comparison::weak), "a list weakly matches each of its tags");
        must(names(text, {tag.opaque, false}, comparison::strong) || tag.weak,
             "a list strongly matches each of its strong tags");
        ((written += tag.weak ? "W/\"" : "\"") += tag.opaque) += "\",";
    }
    std::size_t again = 0, first = 0;
    for (std::string_view list = written; next_entity_tag(list, tag);) ++again;
    for (std::string_view list = text; next_entity_tag(list, tag);) ++first;
    must(again == first, "written tags, parsed again, have the same number");

    weighted item;
    for (std::string_view list = text; next_weighted(list, item);)
        must(!item.value.empty() && item.weight <= 1000, "items have a value and a weight");
    must(coding_weight(text, "gzip") <= 1000, "the weight of a coding is at most 1000");

    const current_validators current{true, entity_tag{"x", false}, 1, true};
    for (const bool reads : {true, false}) (void)evaluate({text, text, text, text, text}, current, reads, 0);
    (void)range_counts(text, current, 0);
    return 0;
}
