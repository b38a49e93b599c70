// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena/item_cache.hpp"

#include <apus/app.hpp>
#include <apus/sql.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace arena {

/// State shared by all cores.
struct data {
    std::vector<item> items;
    std::string static_files;  ///< Folder of static files; empty if the folder does not exist.
    std::string templates;     ///< Folder of templates.
    std::optional<apus::sql::database> database{};
    std::shared_ptr<item_cache> cache = std::make_shared<item_cache>();
};

/// Reads a folder that contains dataset.json and optionally the folders `static` and `templates`.
/// Throws if dataset.json is missing.
data read_data(const std::string& folder);

/// Returns the application that public benchmarks specify for every framework: sums of query and
/// body, pipelined responses, items as JSON (compressed if the client accepts it), files, uploads, echoes by HTTP and
/// WebSocket, delays; with a database, items and fortunes of its tables. `of` must outlive the app.
apus::app make_app(const data& of);

}  // namespace arena
