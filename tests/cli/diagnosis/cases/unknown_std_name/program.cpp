// SPDX-License-Identifier: Apache-2.0
int main() {
    std::string name = "a";
    return int(name.size());
}
