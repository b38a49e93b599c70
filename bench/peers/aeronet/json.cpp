// SPDX-License-Identifier: Apache-2.0

#include "json.hpp"

#include <glaze/glaze.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

namespace peer {

std::vector<item> read_items(const std::string& file) {
    std::ifstream in(file);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    std::vector<item> items;
    if (const auto failed = glz::read<glz::opts{.error_on_unknown_keys = false}>(items, text)) {
        std::cerr << "aeronet: dataset.json is malformed: " << glz::format_error(failed, text) << "\n";
        std::exit(1);
    }
    return items;
}

page priced(const std::vector<item>& all, std::size_t count, int m) {
    page answer{{all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()))}, 0};
    for (auto& one : answer.items) one.total = one.price * one.quantity * m;
    answer.count = answer.items.size();
    return answer;
}

}  // namespace peer
