// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena/items.hpp"

#include <apus/app.hpp>

#include <string>
#include <vector>

namespace arena {

/// What all cores share.
struct data {
    std::vector<item> items;
    std::string static_files;  ///< A folder; empty if there is none.
};

/// From a folder with dataset.json, and perhaps a folder static. Throws if there is none.
data read_data(const std::string& folder);

/// The realistic application that public benchmarks ask of every framework, as far as Apus has
/// what it takes: sums of query and body, pipelined answers, items as JSON, compressed where the
/// client accepts that, files, uploads, echoes by HTTP and WebSocket, waits. `of` must outlive the app.
apus::app make_app(const data& of);

}  // namespace arena
