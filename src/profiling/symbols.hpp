// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/mapping.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace apus::profiling {

/// Names of the functions of this process, from the symbol tables of its program and libraries.
/// Reads a file when an address in it is looked up for the first time.
class symbols {
public:
    symbols();  ///< Reads the list of mapped files as it is now.
    symbols(const symbols&) = delete;
    symbols& operator=(const symbols&) = delete;
    ~symbols();

    /// Reads the list of mapped files again.
    /// Files that are still mapped are not read again, and modules of other files become invalid.
    void refresh();

    /// A file that is mapped as code.
    /// The path and the build ID (in hexadecimal) are views into `symbols`.
    struct module {
        std::uintptr_t start, end;
        std::uint64_t offset;
        std::string_view path, build_id;
        bool named;  ///< Has function symbols.
    };
    /// Returns the module of an address, or null. The pointer is valid until `refresh`.
    const module* module_of(std::uintptr_t address);
    /// Returns the mangled name of the function, or an empty view. Valid until `refresh`.
    std::string_view name_of(std::uintptr_t address);

private:
    struct loaded;
    loaded* find(std::uintptr_t address);

    std::vector<std::unique_ptr<loaded>> modules_;
};

/// Returns the name of a function as in its source: `shop::order::total() const`.
/// Other names are returned unchanged.
std::string demangled(std::string_view name);

}  // namespace apus::profiling
