// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>

// Reads programs and shared libraries in ELF: 64 bits, little-endian. Every offset and size of the file is checked, so
// the bytes may come from anywhere. Nothing is allocated: signal handlers may use this codec.

namespace apus::profiling::elf {

/// Why a file is rejected.
enum class flaw : std::uint8_t {
    not_elf,      ///< The file does not begin with the bytes of ELF.
    unsupported,  ///< Another word size, byte order or version, or a file without program headers.
    truncated     ///< A table is not completely in the file.
};

/// A function symbol.
struct function {
    std::uint64_t address = 0;  ///< Virtual address in the file.
    std::uint64_t size = 0;     ///< Bytes of code. 0: unknown, as for some functions in assembly.
    std::uint32_t name = 0;     ///< Position of the name; see `image::name_of`.
};

/// The parts of an ELF file that profiles and crash reports need. The views are into the file.
class image {
public:
    static std::expected<image, flaw> parse(std::string_view file) noexcept;

    /// Returns the bytes of the note GNU build ID, or an empty view. At most `max_build_id` bytes.
    std::string_view build_id() const noexcept { return build_id_; }
    static constexpr std::size_t max_build_id = 64;

    /// Returns the virtual address of a byte of the file that is loaded as code.
    std::optional<std::uint64_t> address_of(std::uint64_t file_offset) const noexcept;

    /// Number of symbols, of all kinds.
    /// The file's full table is used, or the dynamic one if the file is stripped.
    std::size_t symbols() const noexcept { return symbols_.size() / symbol_size; }
    /// Returns the symbol with this index if it is a function with an address.
    std::optional<function> function_at(std::size_t index) const noexcept;
    /// Returns the function whose code contains the virtual address, after reading all symbols.
    std::optional<function> find(std::uint64_t address) const noexcept;
    /// Returns the function's name as the linker knows it; empty if the position is invalid.
    std::string_view name_of(const function&) const noexcept;
    static constexpr std::size_t max_name = 4096;  ///< Longer names are cut.

private:
    static constexpr std::size_t symbol_size = 24;

    explicit image(std::string_view file) noexcept : file_(file) {}
    void find_build_id() noexcept;
    void find_symbols() noexcept;

    std::string_view file_, segments_, sections_, symbols_, names_, build_id_;
};

}  // namespace apus::profiling::elf
