// SPDX-License-Identifier: Apache-2.0
#include "cli/errors/catalogue.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "cli/errors/entries_of_packages.hpp"
#include "cli/errors/entries_of_products.hpp"
#include "cli/errors/entries_of_work.hpp"

namespace apus::cli::errors {

namespace {

constexpr auto entries = [] {
    std::array<entry, std::size(entries_of_work) + std::size(entries_of_packages) + std::size(entries_of_products)>
        all{};
    auto end = std::ranges::copy(entries_of_work, all.begin()).out;
    end = std::ranges::copy(entries_of_packages, end).out;
    std::ranges::copy(entries_of_products, end);
    return all;
}();

}  // namespace

std::span<const entry> catalogue() noexcept { return entries; }

const entry* find(std::string_view code) noexcept {
    const auto at = std::ranges::find(entries, code, &entry::code);
    return at == entries.end() ? nullptr : &*at;
}

}  // namespace apus::cli::errors
