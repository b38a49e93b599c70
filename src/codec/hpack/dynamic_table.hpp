// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/fields/field_id.hpp"
#include "codec/fields/field_names.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace apus::codec::hpack {

/// The dynamic table of one direction of a connection (RFC 7541, 2.3.2).
/// Allocates no memory until the first insertion; then as much as its entries need, rounded up. Names with a `field_id`
/// take no memory.
class dynamic_table {
public:
    static constexpr std::uint32_t max_size = 4096;    ///< Maximum capacity in bytes.
    static constexpr std::uint32_t around_entry = 32;  ///< Size of an entry without its texts (RFC 7541, 4.1).

    /// Stored properties of a field.
    enum mark : std::uint8_t {
        malformed_name = 1,
        malformed_value = 2,
    };

    struct item {
        std::string_view name, value;  ///< Valid until the table changes.
        fields::field_id id;
        std::uint8_t marks;  ///< Bits of `mark`.
    };

    explicit dynamic_table(std::uint32_t capacity) noexcept : capacity_(capacity) {}

    std::uint32_t capacity() const noexcept { return capacity_; }
    std::uint32_t count() const noexcept { return count_; }
    std::uint32_t size() const noexcept { return size_; }          ///< As defined by RFC 7541, 4.1.
    std::uint32_t inserted() const noexcept { return inserted_; }  ///< Number of insertions so far, modulo 2^32.
    std::size_t memory() const noexcept { return room_ ? max_entries_ * sizeof(entry) + max_text_ : 0; }

    /// `age`: 0 for the newest entry, less than `count()`.
    item at(std::uint32_t age) const noexcept {
        const entry& e = entry_at(inserted_ - 1 - age);
        const char* texts = text() + e.at;
        const auto& known = fields::field_names[static_cast<std::size_t>(e.id)];
        return {e.id == fields::field_id::unknown ? std::string_view(texts, e.name_size) : known,
                {texts + e.name_size, e.value_size},
                e.id,
                e.marks};
    }

    /// Sets the capacity, at most `max_size`, and evicts entries that do not fit.
    /// 0 releases the memory.
    void set_capacity(std::uint32_t bytes) noexcept;

    /// Adds an entry, after evicting entries if needed (RFC 7541, 4.4).
    /// If the entry is larger than the capacity, empties the table and returns false. The name may be a view of an
    /// entry of this table.
    bool insert(const item&);

    void evict_all() noexcept { evict_to(0); }

    /// Releases memory that entries do not use.
    void shrink();

private:
    struct entry {
        std::uint16_t at;         // offset of its texts
        std::uint16_t name_size;  // 0 with an id: the name is not stored
        std::uint16_t value_size;
        fields::field_id id;
        std::uint8_t marks;
    };
    static_assert(sizeof(entry) == 8);

    entry* entries() const noexcept { return reinterpret_cast<entry*>(room_.get()); }
    char* text() const noexcept { return room_.get() + max_entries_ * sizeof(entry); }
    entry& entry_at(std::uint32_t number) const noexcept { return entries()[number & (max_entries_ - 1)]; }
    std::uint32_t oldest() const noexcept { return inserted_ - count_; }
    std::uint32_t live_begin() const noexcept { return count_ == 0 ? tail_ : entry_at(oldest()).at; }
    void evict_to(std::uint32_t bytes) noexcept;
    void make_room(std::uint32_t text);
    void move_to(std::uint32_t max_entries, std::uint32_t max_text);

    // A ring of entries, followed by their texts in the order of insertion, without gaps.
    std::unique_ptr<char[]> room_;
    std::uint32_t capacity_;
    std::uint32_t size_ = 0;
    std::uint32_t count_ = 0;
    std::uint32_t inserted_ = 0;
    std::uint32_t tail_ = 0;         // position of the next text
    std::uint32_t max_entries_ = 0;  // a power of two
    std::uint32_t max_text_ = 0;
};

}  // namespace apus::codec::hpack
