// SPDX-License-Identifier: Apache-2.0
int main(int argc, char**) {
    int all[3] = {1, 2, 3};
    return all[argc + 7];
}
