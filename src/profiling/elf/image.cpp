// SPDX-License-Identifier: Apache-2.0
#include "profiling/elf/image.hpp"

#include <algorithm>
#include <cstring>

#include <elf.h>

namespace apus::profiling::elf {
namespace {

// Returns a part of the file; an empty view if it is not completely in the file.
std::string_view part(std::string_view file, std::uint64_t offset, std::uint64_t size) noexcept {
    if (offset > file.size() || size > file.size() - offset) return {};
    return file.substr(offset, size);
}

// Returns element `index` of a table, which must have it.
template <class T>
T element(std::string_view table, std::size_t index) noexcept {
    T copy;
    std::memcpy(&copy, table.data() + index * sizeof(T), sizeof(T));
    return copy;
}

template <class T>
std::size_t count(std::string_view table) noexcept {
    return table.size() / sizeof(T);
}

std::string_view contents(std::string_view file, const Elf64_Shdr& section) noexcept {
    return section.sh_type == SHT_NOBITS ? std::string_view() : part(file, section.sh_offset, section.sh_size);
}

// Returns the note with the build ID among the notes of a segment. Names and values are padded to four bytes.
std::string_view build_id_in(std::string_view notes) noexcept {
    using namespace std::string_view_literals;
    constexpr std::string_view owner = "GNU\0"sv;
    const auto padded = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
    while (notes.size() >= sizeof(Elf64_Nhdr)) {
        const auto head = element<Elf64_Nhdr>(notes, 0);
        notes.remove_prefix(sizeof head);
        const std::uint64_t name = padded(head.n_namesz), value = padded(head.n_descsz);
        if (name > notes.size() || head.n_descsz > notes.size() - name) return {};
        const bool found = head.n_type == NT_GNU_BUILD_ID && notes.substr(0, head.n_namesz) == owner;
        if (found && head.n_descsz <= image::max_build_id) return notes.substr(name, head.n_descsz);
        notes.remove_prefix(std::min<std::uint64_t>(name + value, notes.size()));
    }
    return {};
}

}  // namespace

std::expected<image, flaw> image::parse(std::string_view file) noexcept {
    static_assert(sizeof(Elf64_Sym) == symbol_size);
    if (!file.starts_with(ELFMAG)) return std::unexpected(flaw::not_elf);
    if (file.size() < sizeof(Elf64_Ehdr)) return std::unexpected(flaw::truncated);
    const auto head = element<Elf64_Ehdr>(file, 0);
    if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != ELFDATA2LSB ||
        head.e_ident[EI_VERSION] != EV_CURRENT || head.e_phnum == 0 || head.e_phentsize != sizeof(Elf64_Phdr) ||
        (head.e_shnum != 0 && head.e_shentsize != sizeof(Elf64_Shdr)))
        return std::unexpected(flaw::unsupported);
    image made(file);
    made.segments_ = part(file, head.e_phoff, std::uint64_t{head.e_phnum} * sizeof(Elf64_Phdr));
    made.sections_ = part(file, head.e_shoff, std::uint64_t{head.e_shnum} * sizeof(Elf64_Shdr));
    if (made.segments_.empty() || (head.e_shnum != 0 && made.sections_.empty()))
        return std::unexpected(flaw::truncated);
    made.find_build_id();
    made.find_symbols();
    return made;
}

void image::find_build_id() noexcept {
    for (std::size_t i = 0; i < count<Elf64_Phdr>(segments_) && build_id_.empty(); ++i) {
        const auto segment = element<Elf64_Phdr>(segments_, i);
        if (segment.p_type == PT_NOTE) build_id_ = build_id_in(part(file_, segment.p_offset, segment.p_filesz));
    }
}

void image::find_symbols() noexcept {
    const std::size_t sections = count<Elf64_Shdr>(sections_);
    bool full = false;
    for (std::size_t i = 0; i < sections && !full; ++i) {
        const auto section = element<Elf64_Shdr>(sections_, i);
        full = section.sh_type == SHT_SYMTAB;
        if ((!full && section.sh_type != SHT_DYNSYM) || section.sh_link >= sections) continue;
        symbols_ = contents(file_, section);
        names_ = contents(file_, element<Elf64_Shdr>(sections_, section.sh_link));
    }
}

std::optional<std::uint64_t> image::address_of(std::uint64_t file_offset) const noexcept {
    for (std::size_t i = 0; i < count<Elf64_Phdr>(segments_); ++i) {
        const auto s = element<Elf64_Phdr>(segments_, i);
        if (s.p_type == PT_LOAD && (s.p_flags & PF_X) && file_offset >= s.p_offset &&
            file_offset - s.p_offset < s.p_filesz)
            return s.p_vaddr + (file_offset - s.p_offset);
    }
    return {};
}

std::optional<function> image::function_at(std::size_t index) const noexcept {
    const auto s = element<Elf64_Sym>(symbols_, index);
    const unsigned type = ELF64_ST_TYPE(s.st_info);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || s.st_shndx == SHN_UNDEF || s.st_value == 0) return {};
    return function{s.st_value, s.st_size, s.st_name};
}

// A function without a size contains its first byte only, so that addresses far behind it get no wrong name.
std::optional<function> image::find(std::uint64_t address) const noexcept {
    for (std::size_t i = 0; i < symbols(); ++i) {
        const auto f = function_at(i);
        if (f && address >= f->address && address - f->address < std::max<std::uint64_t>(f->size, 1)) return f;
    }
    return {};
}

std::string_view image::name_of(const function& f) const noexcept {
    if (f.name >= names_.size()) return {};
    const std::string_view rest = names_.substr(f.name, max_name);
    return rest.substr(0, rest.find('\0'));
}

}  // namespace apus::profiling::elf
