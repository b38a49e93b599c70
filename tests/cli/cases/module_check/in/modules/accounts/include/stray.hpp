// SPDX-License-Identifier: Apache-2.0
// Without a folder of its own.
