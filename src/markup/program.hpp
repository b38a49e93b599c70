// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/context.hpp"

#include <apus/detail/schema_table.hpp>

#include <string>
#include <vector>

namespace apus::markup {

/// A compiled template with its includes, for models of one type: literal text and operations.
/// Immutable, so several threads may render it.
struct program {
    enum class does : std::uint8_t {
        text,         ///< Writes `second` bytes of `text` from offset `first`.
        write,        ///< Writes the value at path `first`, escaped by `how`.
        jump,         ///< Continues at `target`.
        jump_if,      ///< Continues at `target` if the value at path `first` is true.
        jump_unless,  ///< Continues at `target` if the value at path `first` is false.
        /// Begins loop `second` over the list at path `first`; continues at `target` if the list is empty.
        loop,
        next  ///< Continues at `target` with the next element of loop `second`, if there is one.
    };
    struct operation {
        does what;
        escape how = escape::text;
        std::uint32_t first = 0, second = 0, target = 0;
    };
    /// Step from a value to a field, or to the value of an optional.
    struct step {
        const schema::optional_calls* held = nullptr;
        std::uint32_t offset = 0;
    };
    enum class from : std::uint8_t {
        model,
        element,  ///< The element of loop `loop`.
        index,    ///< The element's number, from 1.
        first,
        last
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

/// Renders a model of the program's model type, and appends the page to `out`.
/// Returns false if the page would be longer than `limit` bytes; do not use `out` then.
bool render(const program&, const void* model, std::size_t limit, std::string& out);

}  // namespace apus::markup
