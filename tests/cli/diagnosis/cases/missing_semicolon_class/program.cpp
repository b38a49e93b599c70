// SPDX-License-Identifier: Apache-2.0
struct todo {
    int id;
}

int
main() {
    return 0;
}
