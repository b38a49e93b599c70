// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace apus::migrations {

/// Functions of a shared library that is loaded on first use (docs/decisions/0035). Never unloaded.
class shared_object {
public:
    /// Throws `migration_error` with the name of the package if the library is not installed.
    shared_object(const char* file, const char* package);

    template <class Function>
    void find(Function*& to, const char* name) const {
        to = reinterpret_cast<Function*>(address(name));
    }

private:
    void* address(const char* name) const;

    void* handle_;
    std::string file_;
};

}  // namespace apus::migrations
