// SPDX-License-Identifier: Apache-2.0
#include "operations/exposition.hpp"

#include "base/utf8.hpp"

#include <charconv>
#include <cmath>
#include <utility>

namespace apus::operations {
namespace {

constexpr std::string_view total = "_total", replacement = "\xEF\xBF\xBD";

std::string_view type_name(metric_type type) noexcept {
    switch (type) {
        case metric_type::counter: return "counter";
        case metric_type::gauge: return "gauge";
        case metric_type::histogram: break;
    }
    return "histogram";
}

// Appends text with backslash, line feed and, if wanted, quotes escaped.
void append_escaped(std::string& to, std::string_view text, bool quotes) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = base::utf8_sequence(text, at);
        if (text[at] == '\\') to += "\\\\";
        else if (text[at] == '\n') to += "\\n";
        else if (text[at] == '"' && quotes) to += "\\\"";
        else if (size == 0) to += replacement;
        else to += text.substr(at, size);
        at += size == 0 ? 1 : size;
    }
}

}  // namespace

void exposition::family(std::string_view name, metric_type type, std::string_view help) {
    if (is_protobuf_) return protobuf_.family(name, type, help);
    name_ = name;
    std::string_view shown = name;
    if (openmetrics_ && type == metric_type::counter && shown.ends_with(total)) shown.remove_suffix(total.size());
    ((text_ += "# HELP ") += shown) += ' ';
    append_escaped(text_, help, openmetrics_);
    (((text_ += "\n# TYPE ") += shown) += ' ') += type_name(type);
    text_ += '\n';
}

void exposition::label(std::string_view name, std::string_view value, bool first) {
    text_ += first ? '{' : ',';
    (text_ += name) += "=\"";
    append_escaped(text_, value, true);
    text_ += '"';
}

void exposition::begin(std::string_view suffix, sample_labels labels, std::string_view bound) {
    (text_ += name_) += suffix;
    bool first = true;
    for (const auto& each : labels) label(each.name, each.value, std::exchange(first, false));
    if (!bound.empty()) label("le", bound, std::exchange(first, false));
    text_ += first ? " " : "} ";
}

// Whole numbers get ".0", so that a bound has the same text in both formats.
void exposition::number(double value) {
    if (std::isnan(value)) return text_ += "NaN", void();
    if (std::isinf(value)) return text_ += value > 0 ? "+Inf" : "-Inf", void();
    char digits[32];
    const double size = std::abs(value);
    const auto form =
        size == 0 || (size >= 1e-6 && size < 1e15) ? std::chars_format::fixed : std::chars_format::general;
    const std::string_view text(digits, std::to_chars(digits, digits + sizeof digits, value, form).ptr);
    text_ += text;
    if (text.find_first_not_of("-0123456789") == text.npos) text_ += ".0";
}

void exposition::end(double value) {
    number(value);
    text_ += '\n';
}

void exposition::end(std::uint64_t value) {
    char digits[24];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    text_ += '\n';
}

// Follows the value of a bucket, before the end of the line (OpenMetrics 1.0, "Exemplars").
void exposition::exemplar(const sample_exemplar& of) {
    char time[40];
    const auto end = std::to_chars(time, time + sizeof time, of.time, std::chars_format::fixed, 3).ptr;
    text_.pop_back();
    ((text_ += " # {trace_id=\"") += of.trace) += "\"} ";
    number(of.value);
    ((text_ += ' ') += std::string_view(time, end)) += '\n';
}

void exposition::sample(sample_labels labels, std::uint64_t value) {
    if (is_protobuf_) return protobuf_.sample(labels, static_cast<double>(value));
    begin({}, labels);
    end(value);
}

void exposition::sample(sample_labels labels, double value) {
    if (is_protobuf_) return protobuf_.sample(labels, value);
    begin({}, labels);
    end(value);
}

void exposition::histogram(sample_labels labels, const histogram_sample& of) {
    if (is_protobuf_) return protobuf_.histogram(labels, of);
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < of.counts.size(); ++i) {
        below += of.counts[i];
        const std::size_t at = text_.size();
        number(i < of.bounds.size() ? of.bounds[i] : INFINITY);
        const std::string bound = text_.substr(at);
        text_.resize(at);
        begin("_bucket", labels, bound);
        end(below);
        if (openmetrics_ && i < of.exemplars.size() && !of.exemplars[i].trace.empty()) exemplar(of.exemplars[i]);
    }
    begin("_sum", labels);
    end(of.sum);
    begin("_count", labels);
    end(below);
}

std::string exposition::finish() && {
    if (is_protobuf_) return std::move(protobuf_).finish();
    if (openmetrics_) text_ += "# EOF\n";
    return std::move(text_);
}

}  // namespace apus::operations
