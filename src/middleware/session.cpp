// SPDX-License-Identifier: Apache-2.0
#include <apus/session.hpp>

#include "crypto/base64.hpp"
#include "crypto/random.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace apus {
namespace {

template <class T>
bool read_whole(const std::string& text, T& value) noexcept {
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && at == end && !text.empty();
}

}  // namespace

const std::string* session::find_text(std::string_view name) const noexcept {
    const auto found = std::ranges::find(values_, name, &item::name);
    return found == values_.end() ? nullptr : &found->text;
}

// Returns the size in the store, where each text is preceded by its size in two bytes.
std::size_t session::size() const noexcept {
    std::size_t bytes = 0;
    for (const item& v : values_) bytes += v.name.size() + v.text.size() + 4;
    return bytes;
}

void session::set(std::string_view name, std::string_view text) {
    const auto found = std::ranges::find(values_, name, &item::name);
    const bool there = found != values_.end();
    if (there && found->text == text) return;
    const std::size_t after = size() + text.size() - (there ? found->text.size() : 0) + (there ? 0 : name.size() + 4);
    if (after > room_)
        throw std::length_error("session: setting \"" + std::string(name) + "\" needs " + std::to_string(after) +
                                " bytes in total, but the store allows " + std::to_string(room_));
    if (there) found->text = text;
    else values_.push_back({std::string(name), std::string(text)});
    changed_ = true;
}

void session::set_number(std::string_view name, long long value) { set(name, std::string_view(std::to_string(value))); }

void session::set_number(std::string_view name, unsigned long long value) {
    set(name, std::string_view(std::to_string(value)));
}

void session::erase(std::string_view name) {
    if (std::erase_if(values_, [name](const item& v) { return v.name == name; })) changed_ = true;
}

void session::renew() {
    id_.clear();
    began_ = 0;
    changed_ = true;
}

void session::destroy() {
    values_.clear();
    renew();
    changed_ = false;
}

const std::string& session::id() {
    if (id_.empty()) {
        id_ = crypto::base64url(crypto::random_bytes(16));
        changed_ = true;
    }
    return id_;
}

bool session::read_number(const std::string& text, long long& value) noexcept { return read_whole(text, value); }
bool session::read_number(const std::string& text, unsigned long long& value) noexcept {
    return read_whole(text, value);
}

}  // namespace apus
