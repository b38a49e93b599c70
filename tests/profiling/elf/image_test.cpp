// SPDX-License-Identifier: Apache-2.0
#include "profiling/elf/image.hpp"

#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <elf.h>

namespace {

using namespace apus::profiling::elf;

constexpr std::uint64_t base = 0x400000;

template <class T>
void append(std::string& to, const T& value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

struct symbol {
    std::uint64_t address, size;
    std::string_view name;
    unsigned char type = STT_FUNC;
};

Elf64_Shdr section(unsigned type, std::size_t offset, std::size_t size, unsigned link = 0) {
    Elf64_Shdr made{};
    made.sh_type = type;
    made.sh_offset = offset;
    made.sh_size = size;
    made.sh_link = link;
    return made;
}

// Returns a file with one code segment, a build ID, and these symbols.
std::string file_with(const std::vector<symbol>& symbols, unsigned table = SHT_SYMTAB) {
    std::string notes, table_bytes, names(1, '\0');
    append(notes, Elf64_Nhdr{4, 3, 7});
    notes += std::string_view("XYZ\0pad\0", 8);
    append(notes, Elf64_Nhdr{4, 4, NT_GNU_BUILD_ID});
    notes += std::string_view("GNU\0\xab\xcd\xef\x01", 8);
    for (const auto& s : symbols) {
        Elf64_Sym made{};
        made.st_name = static_cast<Elf64_Word>(names.size());
        made.st_info = ELF64_ST_INFO(STB_GLOBAL, s.type);
        made.st_shndx = 1;
        made.st_value = s.address;
        made.st_size = s.size;
        append(table_bytes, made);
        names.append(s.name).append(1, '\0');
    }
    const std::size_t segments = sizeof(Elf64_Ehdr), after_segments = segments + 2 * sizeof(Elf64_Phdr);
    const std::size_t at_table = after_segments + notes.size(), at_names = at_table + table_bytes.size();
    Elf64_Ehdr head{};
    std::memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_ident[EI_VERSION] = EV_CURRENT;
    head.e_phoff = segments;
    head.e_phentsize = sizeof(Elf64_Phdr);
    head.e_phnum = 2;
    head.e_shoff = at_names + names.size();
    head.e_shentsize = sizeof(Elf64_Shdr);
    head.e_shnum = 2;
    Elf64_Phdr code{}, note{};
    code.p_type = PT_LOAD;
    code.p_flags = PF_R | PF_X;
    code.p_offset = 0x1000;
    code.p_vaddr = base + 0x1000;
    code.p_filesz = 0x500;
    note.p_type = PT_NOTE;
    note.p_offset = after_segments;
    note.p_filesz = notes.size();
    std::string file;
    append(file, head);
    append(file, code);
    append(file, note);
    file += notes + table_bytes + names;
    append(file, section(table, at_table, table_bytes.size(), 1));
    append(file, section(SHT_STRTAB, at_names, names.size()));
    return file;
}

std::string name_at(const image& in, std::uint64_t address) {
    const auto found = in.find(address);
    return found ? std::string(in.name_of(*found)) : "none";
}

}  // namespace

TEST_CASE("functions are found by their addresses") {
    for (const auto table : {unsigned{SHT_SYMTAB}, unsigned{SHT_DYNSYM}}) {
        const std::string file = file_with({{base, 16, "first"},
                                            {base + 32, 8, "data", STT_OBJECT},
                                            {base + 64, 0, "assembly"},
                                            {0, 99, "no address"}},
                                           table);
        const auto elf = image::parse(file);
        REQUIRE(elf);
        CHECK(elf->symbols() == 4);
        CHECK(name_at(*elf, base) == "first");
        CHECK(name_at(*elf, base + 15) == "first");
        CHECK(name_at(*elf, base + 16) == "none");
        CHECK(name_at(*elf, base + 32) == "none");
        CHECK(name_at(*elf, base + 64) == "assembly");
        CHECK(name_at(*elf, 1) == "none");
        CHECK(elf->build_id() == "\xab\xcd\xef\x01");
        CHECK(elf->address_of(0x1234) == base + 0x1234);
        CHECK_FALSE(elf->address_of(0x1500));
        CHECK_FALSE(elf->address_of(0xfff));
    }
}

TEST_CASE("files that are no ELF files of 64 bits are rejected") {
    const std::string file = file_with({{base, 16, "first"}});
    const auto flaw_of = [](std::string_view text) {
        const auto parsed = image::parse(text);
        return parsed                                ? "none"
               : parsed.error() == flaw::not_elf     ? "not_elf"
               : parsed.error() == flaw::unsupported ? "unsupported"
                                                     : "truncated";
    };
    const auto changed = [&](std::size_t at, char to) {
        std::string copy = file;
        copy[at] = to;
        return copy;
    };
    CHECK(flaw_of("") == std::string("not_elf"));
    CHECK(flaw_of("#!/bin/sh") == std::string("not_elf"));
    CHECK(flaw_of(file.substr(0, 40)) == std::string("truncated"));
    CHECK(flaw_of(changed(EI_CLASS, ELFCLASS32)) == std::string("unsupported"));
    CHECK(flaw_of(changed(EI_DATA, ELFDATA2MSB)) == std::string("unsupported"));
    CHECK(flaw_of(changed(offsetof(Elf64_Ehdr, e_phnum), 0)) == std::string("unsupported"));
    CHECK(flaw_of(changed(offsetof(Elf64_Ehdr, e_phentsize), 1)) == std::string("unsupported"));
    CHECK(flaw_of(changed(offsetof(Elf64_Ehdr, e_phoff) + 7, 0x7f)) == std::string("truncated"));
    CHECK(flaw_of(changed(offsetof(Elf64_Ehdr, e_shnum) + 1, 0x7f)) == std::string("truncated"));
}

TEST_CASE("truncated and damaged files are read only within their bytes") {
    const std::string whole = file_with({{base, 16, "first"}, {base + 16, 16, "second"}});
    apus::test::page_end page(whole.size());
    const auto read = [&](std::string_view bytes) {
        const auto elf = image::parse(page.place(bytes));
        if (!elf) return;
        name_at(*elf, base + 20);
        elf->address_of(0x1100);
    };
    for (std::size_t size = 0; size <= whole.size(); ++size) read(std::string_view(whole).substr(0, size));
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string changed = whole;
        changed[at] = static_cast<char>(~changed[at]);
        read(changed);
    }
}
