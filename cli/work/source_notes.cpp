// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/errors/failure.hpp"
#include "cli/text/lists.hpp"
#include "cli/work/single_file.hpp"

namespace apus::cli::work {

source_notes read_notes(std::string_view source) {
    source_notes notes;
    for (std::string_view line : text::split(source, '\n')) {
        line = text::trimmed(line);
        if (line.empty()) continue;
        if (!line.starts_with("//")) break;
        line = text::trimmed(line.substr(2));
        if (!line.starts_with("apus:")) continue;
        line.remove_prefix(5);
        const std::size_t equals = std::min(line.find('='), line.size());
        const std::string_view key = text::trimmed(line.substr(0, equals)),
                               value = line.substr(std::min(equals + 1, line.size()));
        if (key != "dependencies" && key != "flags")
            throw errors::failure("E0304", "unknown key in `// apus: " + std::string(key) + "`",
                                  "write `// apus: dependencies = fmt, sqlite3` or `// apus: flags = -O2`");
        for (const std::string_view one : text::split(value, key == "flags" ? ' ' : ','))
            if (!text::trimmed(one).empty())
                (key == "flags" ? notes.flags : notes.dependencies).emplace_back(text::trimmed(one));
    }
    return notes;
}

}  // namespace apus::cli::work
