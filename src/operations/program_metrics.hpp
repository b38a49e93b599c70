// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operations/exposition.hpp"
#include "web/application.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
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
    static void write_series(exposition&, const metrics::detail::family&, std::span<const std::uint64_t> cells,
                             sample_labels);
    static void write_joined(exposition&, const std::vector<merged>&);

    // By name. The definitions of a name differ in the values of their labels.
    std::map<std::string, std::vector<merged>> families_;
};

}  // namespace apus::operations
