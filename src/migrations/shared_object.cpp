// SPDX-License-Identifier: Apache-2.0
#include "migrations/shared_object.hpp"

#include <apus/sql/migrations.hpp>

#include <dlfcn.h>

namespace apus::migrations {

shared_object::shared_object(const char* file, const char* package)
    : handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)), file_(file) {
    if (handle_) return;
    throw sql::migration_error(sql::migration_error::reason::url, "cannot load " + file_,
                               "install it: apt-get install " + std::string(package));
}

void* shared_object::address(const char* name) const {
    if (void* const found = dlsym(handle_, name)) return found;
    throw sql::migration_error(sql::migration_error::reason::url, file_ + " is too old: it has no " + name);
}

}  // namespace apus::migrations
