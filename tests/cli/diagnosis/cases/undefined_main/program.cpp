// SPDX-License-Identifier: Apache-2.0
int mian() { return 0; }
