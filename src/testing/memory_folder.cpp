// SPDX-License-Identifier: Apache-2.0
#include "testing/memory_folder.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <cstdlib>
#include <sys/statvfs.h>
#include <unistd.h>

namespace apus::testing {

std::string make_memory_folder(const char* name, std::uint64_t room) {
    const char* const memory = "/dev/shm";
    struct statvfs facts{};
    const bool fits = access(memory, W_OK | X_OK) == 0 && statvfs(memory, &facts) == 0 &&
                      std::uint64_t(facts.f_bavail) * facts.f_frsize >= room;
    std::string path = (fits ? std::filesystem::path(memory) : std::filesystem::temp_directory_path()) / name;
    path += "-XXXXXX";
    if (!mkdtemp(path.data())) throw std::system_error(errno, std::generic_category(), path);
    return path;
}

}  // namespace apus::testing
