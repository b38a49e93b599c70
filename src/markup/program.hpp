// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/context.hpp"

#include <apus/detail/schema_table.hpp>

#include <string>
#include <vector>

namespace apus::markup {

/// What a template and all that it includes have become, for models of one type: fixed text, and
/// what to do between its parts. Fixed once it is made, so many threads may render it.
struct program {
    enum class does : std::uint8_t {
        text,         ///< Writes `text` from `first`, `second` bytes.
        write,        ///< Writes the value at path `first` as `how` says.
        jump,         ///< Goes on at `target`.
        jump_if,      ///< The same if the value at path `first` is there,
        jump_unless,  ///< or is not.
        loop,         ///< Begins loop `second` over the list at path `first`; at `target` if it is empty.
        next          ///< Goes back to `target` for the next element of loop `second`, if there is one.
    };
    struct operation {
        does what;
        escape how = escape::text;
        std::uint32_t first = 0, second = 0, target = 0;
    };
    /// From a value to one of its fields, or to what an optional holds.
    struct step {
        const schema::optional_calls* held = nullptr;
        std::uint32_t offset = 0;
    };
    enum class from : std::uint8_t {
        model,
        element,  ///< Of loop `loop`,
        index,    ///< its number from 1 on,
        first,    ///< whether it is the first,
        last      ///< or the last.
    };
    struct path {
        from begins = from::model;
        std::uint32_t loop = 0;
        std::uint32_t first_step = 0, steps = 0;
        const schema::type* of = nullptr;
    };
    std::string text{};
    std::vector<operation> operations{};
    std::vector<step> steps{};
    std::vector<path> paths{};
    std::uint32_t loops = 0;
};

/// Adds the page of a model of the type that the program was made for. False: it would be longer
/// than `limit` bytes; `out` is then of no use.
bool render(const program&, const void* model, std::size_t limit, std::string& out);

}  // namespace apus::markup
