// SPDX-License-Identifier: Apache-2.0
#include "markup/files.hpp"

#include "property.hpp"

#include <apus/schema.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace apus::markup;
using apus::fuzz::must;

struct model {
    std::string v;
    std::vector<std::string> list;
    std::optional<std::string> none;
};

std::string page(const program& of, std::string value) {
    const model with{value, {value, value}, {}};
    std::string out;
    return render(of, &with, 1 << 20, out) ? out : std::string();
}

// Checks that the page ends outside of tags for any value, as the compiler guarantees.
void must_be_whole(std::string_view out) {
    context now;
    must(!advance(now, out) && !rest(now) && now.where == context::at::text,
         "the page is well formed and ends in the context of text");
}

}  // namespace

// The input is a template, a NUL byte and a hostile value. With this value, the page must have as many `<` and `>` as
// with a harmless value.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string all(reinterpret_cast<const char*>(data), size);
    const std::size_t end = std::min(all.find('\0'), all.size());
    program made;
    try {
        file_set files;
        files.add("a.html", all.substr(0, end));
        made = files.compile("a.html", apus::detail::schema_table<model>);
    } catch (const template_error&) {
        return 0;
    }
    const std::string harmless = page(made, "a"),
                      hostile = page(made, end + 1 < size ? all.substr(end + 1) : "\"'</script><!--`");
    if (harmless.empty() || hostile.empty()) return 0;
    must_be_whole(harmless);
    must_be_whole(hostile);
    for (const char mark : {'<', '>'})
        must(std::count(harmless.begin(), harmless.end(), mark) == std::count(hostile.begin(), hostile.end(), mark),
             "a value does not add markup");
    return 0;
}
