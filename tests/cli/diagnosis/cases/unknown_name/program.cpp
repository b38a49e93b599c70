// SPDX-License-Identifier: Apache-2.0
int main() {
    int count = 1;
    return coutn;
}
