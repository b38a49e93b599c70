// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/rules.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace links {

enum class visibility {
    open,
    members,
    hidden
};

struct account {
    std::int64_t id;
    std::string name, email, kept_password;
};

struct short_link {
    std::string code, target, title;
    std::int64_t owner;
    visibility seen_by = visibility::open;
    std::vector<std::string> tags;
    std::int64_t visits = 0;
};

/// Accounts and links in memory, shared by all cores.
class store {
public:
    std::optional<account> add_account(std::string name, std::string email, std::string kept_password);
    std::optional<account> find_account(std::string_view email) const;
    std::optional<account> find_account(std::int64_t id) const;

    bool add(short_link);
    std::optional<short_link> find(const std::string& code) const;
    std::vector<short_link> of(std::int64_t owner) const;
    bool change(const short_link&);
    bool remove(const std::string& code, std::int64_t owner);
    std::optional<std::string> visit(const std::string& code);
    std::int64_t visits() const;

private:
    mutable std::mutex lock_;
    std::vector<account> accounts_;
    std::map<std::string, short_link> links_;
    std::int64_t visits_ = 0;
};

}  // namespace links
