// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena/items.hpp"

#include <apus/app.hpp>

#include <string>
#include <vector>

namespace arena {

/// State shared by all cores.
struct data {
    std::vector<item> items;
    std::string static_files;  ///< Folder of static files; empty if there is none.
};

/// Reads a folder that contains dataset.json and optionally a folder `static`. Throws if
/// dataset.json is missing.
data read_data(const std::string& folder);

/// Returns the application that public benchmarks specify for every framework: sums of query and
/// body, pipelined responses, items as JSON (compressed if the client accepts it), files, uploads, echoes by HTTP and
/// WebSocket, delays. `of` must outlive the app.
apus::app make_app(const data& of);

}  // namespace arena
