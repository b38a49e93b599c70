// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "cli/modules/check.hpp"
#include "cli/modules/graph.hpp"

namespace apus::cli::modules {

namespace {

// Sizes in pixels. The font is monospaced, so that the width of a box is known without measuring text.
constexpr std::size_t letter = 8, padding = 12, box_height = 46, row_gap = 64, column_gap = 20, margin = 16;

// A module, or a gap in a layer through which an arrow passes.
struct box {
    std::size_t layer = 0;
    std::size_t x = 0, y = 0, width = 0;
    std::vector<std::size_t> around{};  // connected boxes in adjacent layers
    std::size_t center() const { return x + width / 2; }
};

// The boxes on the path of an arrow. The first and the last box are modules, all others are gaps.
using way = std::vector<std::size_t>;

std::string number(std::size_t n) { return std::to_string(n); }

// Escapes text for SVG; prefixes may contain `&` and `'`.
std::string escaped(std::string_view text) {
    std::string made;
    for (const char c : text) {
        if (c == '&') made += "&amp;";
        else if (c == '<') made += "&lt;";
        else if (c == '"') made += "&quot;";
        else made += c;
    }
    return made;
}

class drawing {
public:
    explicit drawing(const std::vector<app_module>& all) : all_(all), boxes_(all.size()) {
        const std::vector<std::size_t> layers = layers_of(all);
        for (std::size_t i = 0; i < all.size(); ++i)
            boxes_[i] = {.layer = layers[i],
                         .width = 2 * padding + letter * std::max(all[i].name.size(), all[i].prefix.size())};
        for (std::size_t i = 0; i < all.size(); ++i)
            for (const std::string& need : all[i].needs)
                if (const app_module* to = find(all, need)) join(i, static_cast<std::size_t>(to - all.data()));
        for (std::size_t i = 0; i < boxes_.size(); ++i) {
            rows_.resize(std::max(rows_.size(), boxes_[i].layer + 1));
            rows_[boxes_[i].layer].push_back(i);
        }
        // Moves each box toward its neighbors, row by row, to reduce the number of crossings.
        for (std::size_t turn = 0; turn < 8; ++turn) {
            place();
            for (auto& row : rows_) sort_row(row);
        }
        place();
    }

    std::string text() const {
        std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width_) + " " +
                           number(height_) + "\" width=\"" + number(width_) + "\" height=\"" + number(height_) +
                           "\">\n";
        text +=
            "<title>modules</title>\n<style>\n"
            "text { font: 13px monospace; text-anchor: middle; fill: #222 }\n"
            ".prefix { fill: #666 } rect { fill: #f4f6fa; stroke: #6b7a90 } path { fill: none; stroke: #6b7a90 } "
            ".cycle { stroke: #c62828 }\n"
            "@media (prefers-color-scheme: dark) { text { fill: #eee } .prefix { fill: #aaa } rect { fill: #2a3038 } "
            "}\n"
            "</style>\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" "
            "markerHeight=\"8\" orient=\"auto\">"
            "<path d=\"M0 0L8 4L0 8z\" style=\"fill:#6b7a90\"/></marker></defs>\n";
        for (const way& each : ways_) text += arrow(each);
        for (std::size_t i = 0; i < all_.size(); ++i) text += box_text(i);
        return text + "</svg>\n";
    }

private:
    // Adds an arrow. An arrow that spans several layers passes through a narrow box in each layer in between.
    void join(std::size_t from, std::size_t to) {
        way made{from};
        for (std::size_t layer = boxes_[from].layer; layer-- > boxes_[to].layer + 1;) {
            made.push_back(boxes_.size());
            boxes_.push_back({.layer = layer, .width = column_gap});
        }
        made.push_back(to);
        for (std::size_t k = 1; k < made.size(); ++k) {
            boxes_[made[k]].around.push_back(made[k - 1]);
            boxes_[made[k - 1]].around.push_back(made[k]);
        }
        ways_.push_back(std::move(made));
    }

    void place() {
        std::size_t widest = 0;
        std::vector<std::size_t> widths;
        for (const auto& row : rows_) {
            std::size_t width = row.empty() ? 0 : (row.size() - 1) * column_gap;
            for (const std::size_t i : row) width += boxes_[i].width;
            widths.push_back(width);
            widest = std::max(widest, width);
        }
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            std::size_t x = margin + (widest - widths[r]) / 2;
            for (const std::size_t i : rows_[r]) {
                boxes_[i].x = x, boxes_[i].y = margin + (rows_.size() - 1 - r) * (box_height + row_gap);
                x += boxes_[i].width + column_gap;
            }
        }
        width_ = widest + 2 * margin;
        height_ = 2 * margin + rows_.size() * box_height + (rows_.empty() ? 0 : (rows_.size() - 1) * row_gap);
    }

    void sort_row(std::vector<std::size_t>& row) {
        auto wish = [&](std::size_t i) {
            std::size_t sum = 0;
            for (const std::size_t j : boxes_[i].around) sum += boxes_[j].center();
            return std::pair(boxes_[i].around.empty() ? boxes_[i].center() : sum / boxes_[i].around.size(),
                             boxes_[i].x);
        };
        std::ranges::sort(row, {}, wish);
    }

    std::string arrow(const way& along) const {
        const box &first = boxes_[along.front()], &last = boxes_[along.back()];
        std::string path = " marker-end=\"url(#tip)\" d=\"M" + point(first.center(), first.y + box_height);
        if (first.layer > last.layer) {
            for (std::size_t k = 1; k < along.size(); ++k) {
                const box &a = boxes_[along[k - 1]], &b = boxes_[along[k]];
                const std::size_t middle = (a.y + box_height + b.y) / 2;
                path +=
                    "C" + point(a.center(), middle) + " " + point(b.center(), middle) + " " + point(b.center(), b.y);
                if (k + 1 < along.size()) path += "V" + number(b.y + box_height);
            }
        } else {  // part of a cycle: from lower edge to lower edge
            const std::size_t end = last.y + box_height, low = std::max(first.y + box_height, end) + row_gap / 2;
            path += "C" + point(first.center(), low) + " " + point(last.center() + 10, low) + " " +
                    point(last.center() + 10, end);
        }
        const std::string& name = all_[along.front()].name;
        return "<path" + std::string(closes_cycle(along.front(), along.back()) ? " class=\"cycle\"" : "") + path +
               "\"><title>" + name + " needs " + all_[along.back()].name + "</title></path>\n";
    }

    static std::string point(std::size_t x, std::size_t y) { return number(x) + " " + number(y); }

    // Returns true if there is also a path from `to` back to `from`.
    bool closes_cycle(std::size_t from, std::size_t to) const {
        return !path_between(all_, all_[to].name, all_[from].name).empty();
    }

    std::string box_text(std::size_t i) const {
        const box& at = boxes_[i];
        const app_module& of = all_[i];
        std::string text = "<g><title>" + escaped(of.summary.empty() ? of.name : of.summary) + "</title><rect x=\"" +
                           number(at.x) + "\" y=\"" + number(at.y) + "\" width=\"" + number(at.width) + "\" height=\"" +
                           number(box_height) + "\" rx=\"6\"/>";
        text += "<text x=\"" + number(at.center()) + "\" y=\"" + number(at.y + (of.prefix.empty() ? 27 : 19)) + "\">" +
                of.name + "</text>";
        if (!of.prefix.empty())
            text += "<text class=\"prefix\" x=\"" + number(at.center()) + "\" y=\"" + number(at.y + 37) + "\">" +
                    escaped(of.prefix) + "</text>";
        return text + "</g>\n";
    }

    const std::vector<app_module>& all_;
    std::vector<box> boxes_;
    std::vector<way> ways_{};
    std::vector<std::vector<std::size_t>> rows_{};  // boxes of each layer, from the bottom
    std::size_t width_ = 0, height_ = 0;
};

}  // namespace

std::string as_svg(const std::vector<app_module>& all) { return drawing(all).text(); }

}  // namespace apus::cli::modules
