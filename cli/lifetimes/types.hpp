// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::cli::lifetimes {

// Classifies types by their names, as clang prints them without aliases.

/// Returns a type without leading `const` and trailing `&` or `&&`.
std::string_view bare(std::string_view type) noexcept;

bool is_reference(std::string_view type) noexcept;
bool is_pointer(std::string_view type) noexcept;

/// Returns true for views of the standard library, and for iterators.
bool is_view(std::string_view type) noexcept;

/// Returns true for a reference, pointer, view or iterator: its copies refer to the same object.
bool refers(std::string_view type) noexcept;

/// Returns true for containers and strings of the standard library.
/// A change of such a container may destroy or move its elements.
bool is_container(std::string_view type) noexcept;

/// Returns true for `std::shared_ptr` and `std::weak_ptr`.
bool is_shared_pointer(std::string_view type) noexcept;
/// Returns true for `std::unique_ptr` and `std::optional`.
bool is_owning_pointer(std::string_view type) noexcept;

/// Returns true for types of the standard library and of Apus, and for references to them.
bool is_of_library(std::string_view type) noexcept;
bool is_of_apus(std::string_view type) noexcept;

/// Returns true for `apus::task<...>`.
bool is_task(std::string_view type) noexcept;

/// Returns T if a function type returns `apus::task<T>`, otherwise an empty string.
std::string_view task_value(std::string_view function_type) noexcept;

}  // namespace apus::cli::lifetimes
