// SPDX-License-Identifier: Apache-2.0
#include "cli/watching/screen.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

namespace apus::cli::watching {

namespace {

constexpr std::string_view plain = "\033[0m", bold = "\033[1m", reverse = "\033[7m", red = "\033[31m", dim = "\033[2m";

std::string formatted(const char* format, double value) {
    char text[64];
    const int size = std::snprintf(text, sizeof text, format, value);
    return std::string(text, static_cast<std::size_t>(std::clamp(size, 0, static_cast<int>(sizeof text) - 1)));
}

// "0", "4.25", "123", "12.3k", "4.56M": at most six characters.
std::string count_text(double n) {
    for (const char unit : {' ', 'k', 'M', 'G', 'T'}) {
        if (n < 999.5 || unit == 'T') {
            std::string made = formatted(n >= 100 || n == std::floor(n) ? "%.0f" : n >= 10 ? "%.1f" : "%.2f", n);
            if (unit != ' ') made += unit;
            return made;
        }
        n /= 1000;
    }
    return "";
}

std::string bytes_text(double n) {
    constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t at = 0;
    for (; n >= 1024 && at < 4; ++at) n /= 1024;
    return formatted(at == 0 || n >= 100 ? "%.0f " : "%.1f ", n) + units[at];
}

std::string duration_text(double ms) {
    if (ms < 1) return formatted("%.0f us", ms * 1000);
    if (ms < 1000) return formatted(ms < 10 ? "%.2f ms" : ms < 100 ? "%.1f ms" : "%.0f ms", ms);
    const double s = ms / 1000;
    if (s < 60) return formatted("%.2f s", s);
    const auto whole = static_cast<unsigned long>(s);
    if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    if (whole < 86'400) return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
    return std::to_string(whole / 86'400) + " d " + std::to_string(whole / 3600 % 24) + " h";
}

// Replaces all bytes except printable ASCII: the text comes from clients of the server.
std::string safe(std::string_view text) {
    std::string made(text);
    std::ranges::replace_if(made, [](char c) { return c < ' ' || c > '~'; }, '?');
    return made;
}

std::string left(std::string text, std::size_t width) {
    if (text.size() > width) text = width > 2 ? text.substr(0, width - 2) + ".." : text.substr(0, width);
    text.resize(width, ' ');
    return text;
}

std::string right(const std::string& text, std::size_t width) {
    return text.size() >= width ? text.substr(0, width) : std::string(width - text.size(), ' ') + text;
}

/// Collects lines, up to the size of the screen.
class page {
public:
    page(screen_size size, bool colored) : size_(size), colored_(colored) {}

    std::size_t columns() const noexcept { return size_.columns; }
    std::size_t lines() const noexcept { return lines_; }
    void line(std::string text, std::string_view color = {}) {
        if (size_.rows && lines_ == size_.rows) return;
        text = left(std::move(text), size_.columns);
        if (color.data() != reverse.data() || !colored_) text.erase(text.find_last_not_of(' ') + 1);
        if (lines_++) all_ += '\n';
        if (colored_ && !color.empty()) all_.append(color).append(text).append(plain);
        else all_ += text;
    }
    std::string finish() && { return std::move(all_); }

private:
    screen_size size_;
    bool colored_;
    std::size_t lines_ = 0;
    std::string all_;
};

double rate(double now, double before, double seconds) { return now > before ? (now - before) / seconds : 0; }

struct route_row {
    std::string route, method;
    route_figures figures;
    double rate = 0;
    std::optional<double> p50{}, p99{};
};

std::vector<route_row> rows_of(const server_state& now, const server_state* before, route_order order) {
    std::vector<route_row> rows;
    for (const auto& [name, figures] : now.routes) {
        if (figures.requests == 0) continue;
        const auto known = before ? before->routes.find(name) : now.routes.end();
        const route_figures* then = before && known != before->routes.end() ? &known->second : nullptr;
        route_row& row = rows.emplace_back(route_row{safe(name.first), safe(name.second), figures});
        if (then) row.rate = rate(figures.requests, then->requests, now.taken - before->taken);
        row.p50 = quantile(0.5, figures, then);
        row.p99 = quantile(0.99, figures, then);
    }
    const auto key = [&](const route_row& row) {
        switch (order) {
            case route_order::rate: return row.rate;
            case route_order::requests: return row.figures.requests;
            case route_order::errors: return row.figures.failed * 1e6 + row.figures.rejected;
            case route_order::latency: break;
        }
        return row.p99.value_or(0);
    };
    std::ranges::sort(rows, [&](const route_row& a, const route_row& b) {
        return key(a) != key(b) ? key(a) > key(b) : a.figures.requests > b.figures.requests;
    });
    return rows;
}

void draw_summary(page& to, const server_state& now, const server_state* before) {
    double requests = 0, failed = 0, requests_before = 0, failed_before = 0, memory = 0;
    for (const auto& [name, f] : now.routes) requests += f.requests, failed += f.failed;
    for (const auto& core : now.cores) memory += core.memory;
    const double seconds = before ? now.taken - before->taken : 1;
    if (before)
        for (const auto& [name, f] : before->routes) requests_before += f.requests, failed_before += f.failed;
    else requests_before = requests, failed_before = failed;
    const auto& in = now.requests;
    to.line("apus " + safe(now.version) + "   " + safe(now.io) + "   up " +
                duration_text((now.clock - now.started) * 1000) + (now.ready ? "   serving" : "   not serving") +
                "   " + std::to_string(now.cores.size()) + (now.cores.size() == 1 ? " core" : " cores"),
            bold);
    to.line("requests/s " + left(count_text(rate(requests, requests_before, seconds)), 8) + "5xx/s " +
            left(count_text(rate(failed, failed_before, seconds)), 8) + "in flight " +
            count_text(static_cast<double>(in.in_flight_count)) +
            (in.tunnel_count ? " (" + count_text(static_cast<double>(in.tunnel_count)) + " tunnels)" : "") +
            "   connections " + count_text(now.http1 + now.http2) +
            (now.http2 > 0 ? " (" + count_text(now.http2) + " HTTP/2)" : ""));
    const double cpu = before ? rate(now.cpu_seconds, before->cpu_seconds, seconds) * 100 : 0;
    to.line("CPU " + left(formatted("%.0f %%", cpu), 8) + "memory for clients " + bytes_text(memory) + " of " +
            bytes_text(now.memory_budget) + "   resident " + bytes_text(now.resident));
}

// Busy cores first, as many as fit into a line.
void draw_cores(page& to, const server_state& now, const server_state* before) {
    std::string line = "cores";
    std::string_view color;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < now.cores.size(); ++i) {
        const bool listed = i < now.requests.cores.size();
        std::string one = "   " + std::to_string(i) + ": ";
        if (listed && !now.requests.cores[i].answered) {
            one += "blocked " + duration_text(static_cast<double>(now.requests.cores[i].busy_ms));
            color = red;
        } else {
            const bool known = before && i < before->cores.size();
            const double used =
                known ? rate(now.cores[i].cpu_seconds, before->cores[i].cpu_seconds, now.taken - before->taken) : 0;
            one += formatted("%.0f %%", used * 100);
        }
        if (line.size() + one.size() + 10 > to.columns()) break;
        line += one;
        ++shown;
    }
    if (shown < now.cores.size()) line += "   +" + std::to_string(now.cores.size() - shown);
    to.line(line, color);
}

std::string optional_duration(const std::optional<double>& seconds) {
    return seconds ? duration_text(*seconds * 1000) : "-";
}

// A narrow screen omits the columns that one glance needs least.
void draw_routes(page& to, const std::vector<route_row>& rows, std::size_t most, route_order order) {
    constexpr std::size_t method = 8, least_route = 16;
    struct column {
        std::string_view title;
        std::size_t width;
        std::optional<route_order> of;  // the order in which this column is marked
        std::string (*text)(const route_row&);
        bool narrow;  // present on narrow screens
    };
    static constexpr column columns[] = {
        {"REQ/S", 9, route_order::rate, [](const route_row& r) { return count_text(r.rate); }, true},
        {"REQUESTS", 10, route_order::requests, [](const route_row& r) { return count_text(r.figures.requests); },
         false},
        {"4XX", 7, std::nullopt, [](const route_row& r) { return count_text(r.figures.rejected); }, false},
        {"5XX", 7, route_order::errors, [](const route_row& r) { return count_text(r.figures.failed); }, true},
        {"P50", 10, std::nullopt, [](const route_row& r) { return optional_duration(r.p50); }, false},
        {"P99", 10, route_order::latency, [](const route_row& r) { return optional_duration(r.p99); }, true},
    };
    std::size_t numbers = 0;
    for (const column& c : columns) numbers += c.width;
    const bool narrow = to.columns() < numbers + method + least_route;
    const auto shown = [&](const column& c) { return !narrow || c.narrow; };
    for (const column& c : columns) numbers -= shown(c) ? 0 : c.width;
    const std::size_t route = to.columns() > numbers + method ? to.columns() - numbers - method : 0;

    std::string line = left("METHOD", method) + left("ROUTE", route);
    for (const column& c : columns)
        if (shown(c)) line += right(std::string(c.title) + (c.of == order ? "*" : ""), c.width);
    to.line(line, reverse);
    for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
        line = left(rows[i].method, method - 1) + " " + left(rows[i].route, route);
        for (const column& c : columns)
            if (shown(c)) line += right(c.text(rows[i]), c.width);
        to.line(line, rows[i].figures.failed > 0 ? red : std::string_view());
    }
    if (rows.empty()) to.line("no requests yet", dim);
}

struct request_row {
    std::string duration, status, time, request, id;
    double order_by;
};

std::vector<request_row> requests_of(const server_state& now, request_list list) {
    std::vector<request_row> rows;
    const auto add = [&](const listed_request& r, const std::string& route, const std::string& status, double ms) {
        const std::string time = r.time && r.time->size() > 19 ? r.time->substr(11, 8) : std::string();
        const std::string id = r.request_id.value_or(r.trace_id.value_or(""));
        rows.push_back(
            {duration_text(ms), safe(status), safe(time), safe(r.method + ' ' + r.path.value_or(route)), safe(id), ms});
    };
    if (list == request_list::in_flight)
        for (const auto& r : now.requests.in_flight) add(r, r.route.value_or(""), r.state.value_or(""), r.age_ms);
    else
        for (const auto& route : now.requests.routes) {
            const auto& from = list == request_list::slowest  ? route.slowest
                               : list == request_list::failed ? route.failed
                                                              : route.rejected;
            for (const auto& r : from) add(r, route.route, r.status ? std::to_string(r.status) : "gone", r.duration_ms);
        }
    std::ranges::sort(rows, [&](const request_row& a, const request_row& b) {
        return list == request_list::in_flight || list == request_list::slowest ? a.order_by > b.order_by
                                                                                : a.time > b.time;
    });
    return rows;
}

constexpr request_list all_lists[] = {request_list::in_flight, request_list::slowest, request_list::failed,
                                      request_list::rejected};
constexpr std::string_view list_titles[] = {"IN FLIGHT", "SLOWEST (15 MIN)", "FAILED (5XX)", "REJECTED (4XX)"};

constexpr std::string_view keys = "r rate n requests e errors p p99 | i in flight s slowest f 5xx x 4xx | q quit";

void draw_requests(page& to, const server_state& now, request_list list, std::size_t most) {
    const bool running = list == request_list::in_flight;
    const std::size_t status = running ? 10 : 8, time = running ? 0 : 10, id = to.columns() >= 110 ? 34 : 0;
    const std::size_t request = to.columns() - 10 - 2 - status - time - id;
    to.line(right(running ? "AGE" : "DURATION", 10) + "  " + left(running ? "STATE" : "STATUS", status) +
                left(running ? "" : "UTC", time) +
                left(std::string(list_titles[static_cast<std::size_t>(list)]), request) + left("ID", id),
            reverse);
    const auto rows = requests_of(now, list);
    for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
        const request_row& row = rows[i];
        to.line(right(row.duration, 10) + "  " + left(row.status, status) + left(row.time, time) +
                    left(row.request, request - 1) + " " + left(row.id, id),
                row.status.starts_with('5') || row.status == "blocking" ? red : std::string_view());
    }
    if (rows.empty()) to.line("      none", dim);
}

}  // namespace

bool view::press(char key) noexcept {
    switch (key) {
        case 'r': order = route_order::rate; return true;
        case 'n': order = route_order::requests; return true;
        case 'e': order = route_order::errors; return true;
        case 'p': order = route_order::latency; return true;
        case 'i': list = request_list::in_flight; return true;
        case 's': list = request_list::slowest; return true;
        case 'f': list = request_list::failed; return true;
        case 'x': list = request_list::rejected; return true;
        case '\t': list = static_cast<request_list>((static_cast<int>(list) + 1) % 4); return true;
        default: return false;
    }
}

std::string draw(const server_state& now, const server_state* before, const view& how, screen_size size, bool colored,
                 std::string_view trouble) {
    size.columns = std::clamp<std::size_t>(size.columns, 40, 500);
    page to(size, colored);
    draw_summary(to, now, before);
    draw_cores(to, now, before);
    to.line("");
    const auto rows = rows_of(now, before, how.order);
    if (size.rows == 0) {
        draw_routes(to, rows, rows.size(), how.order);
        for (const auto list : all_lists) {
            to.line("");
            draw_requests(to, now, list, 20);
        }
        return std::move(to).finish() + '\n';
    }
    // Without the lines above, two headings, an empty line and the keys; the routes get at most half.
    const std::size_t free = size.rows > to.lines() + 4 ? size.rows - to.lines() - 4 : 0;
    const std::size_t listed = std::max<std::size_t>(requests_of(now, how.list).size(), 1);
    const std::size_t routes =
        std::min(std::max<std::size_t>(rows.size(), 1), std::max(free / 2, free - std::min(free, listed)));
    draw_routes(to, rows, routes, how.order);
    to.line("");
    draw_requests(to, now, how.list, free - std::min(free, routes));
    // If there is room, the other lists follow.
    for (const auto other : all_lists) {
        const std::size_t least = 4;  // an empty line, the heading, a request, and the keys
        if (other == how.list || to.lines() + least > size.rows) continue;
        to.line("");
        draw_requests(to, now, other, size.rows - to.lines() - 2);
    }
    while (to.lines() + 1 < size.rows) to.line("");
    if (!trouble.empty()) to.line(safe(trouble), red);
    else if (size.columns < keys.size()) to.line("r n e p order | i s f x list | q quit", dim);
    else to.line(std::string(keys), dim);
    return std::move(to).finish();
}

}  // namespace apus::cli::watching
