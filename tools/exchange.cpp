// SPDX-License-Identifier: Apache-2.0
// exchange A B: exchanges two files or folders of one file system atomically, like `mv --exchange` of coreutils 9.5,
// which Debian 12 lacks. tools/install_sdk replaces an SDK with this program. Exits with 1 on failure.
#include <cstdio>

#include <fcntl.h>

int main(int count, char** words) {
    if (count != 3) return 2;
    return renameat2(AT_FDCWD, words[1], AT_FDCWD, words[2], RENAME_EXCHANGE) == 0 ? 0 : 1;
}
