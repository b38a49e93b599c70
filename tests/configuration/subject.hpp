// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/config.hpp>
#include <apus/rules.hpp>

#include <fcntl.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace apus::configuration::test {

enum class color {
    red,
    green
};
struct upstream {
    std::string url;
    std::vector<std::string> tags;
    int weight = 1;
};
struct mail_options {
    std::string host = "localhost";
    integer<1, 65535> port{25};
    std::optional<secret<text<4, 20>>> key = {};
};
struct cache_options {
    std::string folder;
    int size;
};
/// Settings of all kinds that a configuration may have.
struct subject {
    std::string name = "shop";
    integer<1, 100> page_size{50};
    double ratio = 0.5;
    bool debug = false;
    color paint = color::red;
    std::optional<int> limit;
    secret<text<4, 20>> key;
    std::vector<std::string> origins;
    std::vector<int> sizes{1};
    std::map<std::string, int> weights;
    std::vector<upstream> upstreams;
    mail_options mail{.host = "mx"};
    std::optional<cache_options> cache;

    static constexpr std::string_view reloadable[] = {"page_size", "mail"};
    result<void> check() const {
        if (page_size == 99) return fail(422, "the page size must not be 99");
        return {};
    }
};

inline const schema::type& type_of_subject() { return detail::schema_table<subject>; }

/// A temporary file, which is removed at the end.
class temporary_file {
public:
    explicit temporary_file(std::string_view text) {
        const int fd = mkstemp(path_.data());
        write(fd, text);
    }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    ~temporary_file() { unlink(path_.c_str()); }

    void replace(std::string_view text) const { write(open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC), text); }
    const std::string& path() const { return path_; }

private:
    static void write(int fd, std::string_view text) {
        [[maybe_unused]] const auto n = ::write(fd, text.data(), text.size());
        close(fd);
    }

    std::string path_ = "/tmp/apus_configuration_XXXXXX";
};

/// An environment or a command line.
class words {
public:
    explicit words(std::vector<std::string> all) : all_(std::move(all)) {
        for (std::string& each : all_) pointers_.push_back(each.data());
        pointers_.push_back(nullptr);
    }

    char** argv() { return pointers_.data(); }
    int argc() const { return static_cast<int>(all_.size()); }

private:
    std::vector<std::string> all_;
    std::vector<char*> pointers_;
};

inline std::string joined(const std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& each : lines) all += (all.empty() ? "" : "\n") + each;
    return all;
}

}  // namespace apus::configuration::test
