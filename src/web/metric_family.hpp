// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/metrics.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace apus::metrics::detail {

/// A metric of an app on one core, with all its series.
/// The definition is constant. The cells are written by the app's core and read by any thread.
struct family {
    struct label_set {
        std::string name;
        std::vector<std::string> values;  ///< The last one is "other".
        bool operator==(const label_set&) const = default;
    };

    explicit family(const definition&);  ///< Throws `std::invalid_argument` for an invalid definition.

    /// Whether the other metric has the same definition.
    bool same_as(const family&) const;
    /// Whether the definitions differ at most in the values of labels.
    /// Then the series can be written together.
    bool joins(const family&) const;

    std::size_t series_count() const noexcept { return series_; }
    /// Returns the number of cells per series.
    /// This is 1, except for histograms, which have a cell per bound, one for values above all bounds, and the sum.
    std::size_t width() const noexcept { return of == kind::histogram ? bounds.size() + 2 : 1; }
    std::uint64_t* cells(std::size_t series) const noexcept { return cells_.get() + series * width(); }
    std::size_t find(const std::string_view* values) const noexcept;
    /// Index of the value that a series has for a label.
    std::size_t value_of(std::size_t series, std::size_t label) const noexcept;

    kind of;
    combine cores;
    std::string name, help;
    std::vector<label_set> by;
    std::vector<double> bounds;

private:
    std::size_t series_ = 1;
    std::unique_ptr<std::uint64_t[]> cells_;
};

}  // namespace apus::metrics::detail
