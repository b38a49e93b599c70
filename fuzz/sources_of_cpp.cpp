// SPDX-License-Identifier: Apache-2.0
// C++ sources that the tool scans: tokens, routes and mounts of modules, and the notes at the beginning of a file.
#include "cli/errors/failure.hpp"
#include "cli/modules/source_facts.hpp"
#include "cli/modules/source_tokens.hpp"
#include "cli/work/single_file.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apus::cli;
    using apus::fuzz::must;
    // A separate allocation, so that a read past its end is detected.
    const std::vector<char> moved(data, data + size);
    const std::string_view text(moved.data(), size);
    std::size_t line = 1;
    for (const modules::source_token& word : modules::tokens_of(text)) {
        must(word.line >= line, "tokens are in the order of their lines");
        must(word.text.data() >= text.data() && word.text.data() + word.text.size() <= text.data() + size,
             "tokens are within the source");
        line = word.line;
    }
    const modules::source_facts facts = modules::read_source(text);
    for (const modules::literal_route& each : facts.routes)
        must(each.path[0] == '/' && !each.method.empty(), "a route has a method and a path");
    for (const modules::literal_mount& each : facts.mounts) must(!each.what.empty(), "a mount has a name");
    try {
        const work::source_notes notes = work::read_notes(text);
        for (const auto& list : {notes.dependencies, notes.flags})
            for (const auto& word : list)
                must(!word.empty() && word.find('\n') == word.npos, "a note is not empty and contains no line break");
    } catch (const errors::failure& why) {
        must(why.code() == "E0304", "an invalid note is rejected with E0304");
    }
    return 0;
}
