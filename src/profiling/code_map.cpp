// SPDX-License-Identifier: Apache-2.0
#include "profiling/code_map.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace apus::profiling {

void code_map::read() noexcept {
    const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    std::size_t size = 0;
    for (ssize_t n; fd >= 0 && (n = ::read(fd, text_ + size, max_text - size)) > 0;)
        size += static_cast<std::size_t>(n);
    if (fd >= 0) close(fd);
    count_ = 0;
    for_each_mapping({text_, size}, [this](const mapping& m) {
        if (count_ < max_mappings) mappings_[count_++] = m;
    });
}

const mapping* code_map::find(std::uintptr_t address) const noexcept {
    return find_if([&](const mapping& m) { return m.contains(address); });
}

const mapping* code_map::find_file(std::string_view path) const noexcept {
    return find_if([&](const mapping& m) { return m.path == path; });
}

named_frame frame_namer::name(std::uintptr_t address) noexcept {
    named_frame made;
    const mapping* const in = code_.find(address);
    if (!in) return made;
    if (in != of_) {
        of_ = in;
        file_.emplace(*in);
    }
    made.file = in->path;
    made.file_address = address - in->start + in->offset;
    const auto* const elf = file_->image();
    if (!elf) return made;
    made.build_id = elf->build_id();
    const auto at = elf->address_of(made.file_address);
    if (!at) return made;
    made.file_address = *at;
    if (const auto f = elf->find(*at)) {
        made.function = elf->name_of(*f);
        made.offset = *at - f->address;
    }
    return made;
}

}  // namespace apus::profiling
