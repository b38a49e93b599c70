# SPDX-License-Identifier: Apache-2.0
from conan import ConanFile
from conan.tools.files import save


class Greet(ConanFile):
    name = "greet"
    version = "1.0.0"
    license = "MIT"

    def package(self):
        save(self, self.package_folder + "/include/greet.hpp", 'inline const char* greet() { return "hello"; }\n')

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
