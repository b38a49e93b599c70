// SPDX-License-Identifier: Apache-2.0
#include "profiling/symbols.hpp"

#include "base/hex.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include <cxxabi.h>
#include <fcntl.h>
#include <unistd.h>

namespace apus::profiling {
namespace {

std::string read_maps() {
    std::string all;
    const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    char piece[16 * 1024];
    for (ssize_t n; fd >= 0 && (n = read(fd, piece, sizeof piece)) > 0;) all.append(piece, static_cast<std::size_t>(n));
    if (fd >= 0) close(fd);
    return all;
}

}  // namespace

struct symbols::loaded {
    const std::string path;
    mapping where;
    bool read = false;
    std::optional<mapped_file> file{};
    std::vector<elf::function> functions{};  // by address
    std::string build_id{};
    module shown{};

    explicit loaded(const mapping& m) : path(m.path), where(m) { where.path = path; }
    bool is(const mapping& m) const {
        return where.start == m.start && where.end == m.end && where.offset == m.offset && where.inode == m.inode &&
               path == m.path;
    }
    void load() {
        if (std::exchange(read, true)) return;
        file.emplace(where);
        if (const auto* elf = file->image()) {
            build_id = base::hex(elf->build_id());
            for (std::size_t i = 0; i < elf->symbols(); ++i)
                if (const auto f = elf->function_at(i)) functions.push_back(*f);
            std::ranges::sort(functions, {}, &elf::function::address);
        }
        shown = {where.start, where.end, where.offset, where.path, build_id, !functions.empty()};
    }

    std::string_view name(std::uintptr_t address) const {
        const auto* elf = file->image();
        const auto at = elf ? elf->address_of(address - where.start + where.offset) : std::nullopt;
        if (!at) return {};
        auto next = std::ranges::upper_bound(functions, *at, {}, &elf::function::address);
        if (next == functions.begin()) return {};
        const auto& f = *--next;
        // A function in assembly may have no size: it ends at the next function.
        return f.size == 0 || *at - f.address < f.size ? elf->name_of(f) : std::string_view();
    }
};

symbols::symbols() { refresh(); }

void symbols::refresh() {
    const std::string maps = read_maps();
    auto before = std::exchange(modules_, {});
    for_each_mapping(maps, [&](const mapping& m) {
        const auto same = std::ranges::find_if(before, [&](const auto& one) { return one && one->is(m); });
        modules_.push_back(same != before.end() ? std::move(*same) : std::make_unique<loaded>(m));
    });
}

symbols::~symbols() = default;

symbols::loaded* symbols::find(std::uintptr_t address) {
    const auto found = std::ranges::find_if(modules_, [&](const auto& m) { return m->where.contains(address); });
    if (found == modules_.end()) return nullptr;
    (*found)->load();
    return found->get();
}

const symbols::module* symbols::module_of(std::uintptr_t address) {
    const loaded* const found = find(address);
    return found ? &found->shown : nullptr;
}

std::string_view symbols::name_of(std::uintptr_t address) {
    const loaded* const found = find(address);
    return found ? found->name(address) : std::string_view();
}

std::string demangled(std::string_view name) {
    int status = 0;
    const std::string terminated(name);
    const std::unique_ptr<char, void (*)(void*)> plain(
        abi::__cxa_demangle(terminated.c_str(), nullptr, nullptr, &status), std::free);
    return plain ? plain.get() : terminated;
}

}  // namespace apus::profiling
