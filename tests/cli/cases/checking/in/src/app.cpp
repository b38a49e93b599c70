// SPDX-License-Identifier: Apache-2.0
// LATER
int main() {}
