// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
)

const uploadLimit = 32 << 20

type greeting struct {
	Message string `json:"message"`
	ID      int    `json:"id"`
	OK      bool   `json:"ok"`
}

func hello(w http.ResponseWriter, _ *http.Request) {
	sendText(w, "Hello, World!")
}

func sendText(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	io.WriteString(w, text)
}

func sendJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(value)
}

func message(w http.ResponseWriter, _ *http.Request) {
	sendJSON(w, greeting{Message: "Hello, World!", ID: 42, OK: true})
}

func body(size int) http.HandlerFunc {
	content := bytes.Repeat([]byte("x"), size)
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		w.Write(content)
	}
}

func upload(w http.ResponseWriter, r *http.Request) {
	read, err := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, uploadLimit))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	sendText(w, strconv.FormatInt(read, 10))
}

func behind(depth int, handler http.Handler) http.Handler {
	for range depth {
		next := handler
		handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r)
		})
	}
	return handler
}

func sum(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	numbers := []string{query.Get("a"), query.Get("b")}
	if r.Method == http.MethodPost {
		content, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<10))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		numbers = append(numbers, strings.TrimSpace(string(content)))
	}

	total := 0
	for _, number := range numbers {
		value, err := strconv.Atoi(number)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		total += value
	}
	sendText(w, strconv.Itoa(total))
}
