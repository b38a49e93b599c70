// SPDX-License-Identifier: Apache-2.0

//go:build tools

// Package tools holds the version of bombardier that the replays use.
package tools

import _ "github.com/codesenberg/bombardier"
