// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operations/exposition.hpp"
#include "web/application.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace apus::operations {

/// The program's own metrics, added up over cores and mounted apps.
class program_metrics {
public:
    void add(const web::application&);
    void write(exposition&) const;

private:
    struct merged {
        std::shared_ptr<const metrics::detail::family> definition;
        std::vector<std::uint64_t> cells;
    };
    static void merge(merged&, const metrics::detail::family&);
    static void write_series(exposition&, const merged&, std::size_t series, sample_labels);

    std::map<std::string, merged> families_;
};

}  // namespace apus::operations
