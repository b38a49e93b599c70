// SPDX-License-Identifier: Apache-2.0
// exchange A B: two files or folders of one file system change places, at once, as by `mv --exchange` of coreutils
// 9.5, which
// Debian 12 does not have. tools/install_sdk replaces an SDK so. Ends with 1 where that cannot be.
#include <cstdio>

#include <fcntl.h>

int main(int count, char** words) {
    if (count != 3) return 2;
    return renameat2(AT_FDCWD, words[1], AT_FDCWD, words[2], RENAME_EXCHANGE) == 0 ? 0 : 1;
}
