// SPDX-License-Identifier: Apache-2.0
// TOML files that the tool reads. The first byte of the input selects the kind of file.
#include "cli/dependencies/lock.hpp"
#include "cli/errors/failure.hpp"
#include "cli/manifest/editor.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/modules/module.hpp"
#include "cli/sdk/mirror.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace apus::cli;
using apus::fuzz::must;

const manifest::dependency* find(const manifest::manifest& in, std::string_view name) {
    for (const manifest::dependency& each : in.dependencies)
        if (each.name == name) return &each;
    return nullptr;
}

// Setting a value in a manifest must leave everything else unchanged.
void read_manifest(std::string_view text) {
    const manifest::manifest read = manifest::read(text, "/shop/apus.toml");
    must(!read.project.name.empty(), "the project name is not empty");
    std::string changed;
    try {
        changed = manifest::set_key(text, "dependencies", "fmt", "\"9\"");
    } catch (const errors::failure& why) {
        return must(why.code() == "E0209", "only E0209 rejects a change: the user must edit the file");
    }
    const manifest::manifest with = manifest::read(changed, "/shop/apus.toml");
    const bool had = find(read, "fmt") != nullptr;
    must(find(with, "fmt") && find(with, "fmt")->version == "9", "the added dependency is present");
    must(with.dependencies.size() == read.dependencies.size() + (had ? 0 : 1), "no other dependency is added");
    must(with.project.name == read.project.name && with.registries.size() == read.registries.size(),
         "name and registries are unchanged");
    const manifest::manifest without =
        manifest::read(manifest::remove_key(changed, "dependencies", "fmt"), "/shop/apus.toml");
    must(!find(without, "fmt") && without.dependencies.size() + 1 == with.dependencies.size(),
         "only the removed dependency is absent");
}

void read_lock(std::string_view text) {
    const dependencies::lock read = dependencies::read_lock(text, "apus.lock");
    const std::string written = dependencies::text_of(read);
    must(dependencies::read_lock(written, "apus.lock") == read, "a written lock file, parsed again, is the same");
    must(dependencies::differences(read, read).empty(), "a lock does not differ from itself");
}

void read_module(std::string_view text) {
    const modules::app_module read = modules::read_description(text, "users");
    std::string why;
    for (const std::string& each : read.needs)
        must(modules::is_module_name(each, why), "a required module has a valid name");
    must(read.prefix.empty() || modules::is_prefix(read.prefix, why), "a prefix is valid");
}

void read_index(std::string_view text) {
    for (const sdk::mirror_entry& each : sdk::read_index(text, "index.toml"))
        must(!each.file.empty() && each.file[0] != '.' && each.file.find('/') == std::string::npos,
             "a package is in the folder of its index");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        switch (data[0]) {
            case 'l': read_lock(text); break;
            case 'm': read_module(text); break;
            case 'i': read_index(text); break;
            default: read_manifest(text);
        }
    } catch (const errors::failure& why) {
        must(why.code().substr(0, 2) == "E0" && !why.message().empty(), "a rejected file has a code and a message");
    }
    return 0;
}
