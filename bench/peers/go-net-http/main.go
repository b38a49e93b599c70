// SPDX-License-Identifier: Apache-2.0

// A server with Go's net/http and its own ServeMux.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

func application() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /bench", hello)
	mux.HandleFunc("GET /json", message)
	mux.HandleFunc("GET /body/64k", body(64<<10))
	mux.HandleFunc("GET /body/1m", body(1<<20))
	mux.HandleFunc("POST /upload", upload)
	mux.Handle("GET /middlewares", behind(10, http.HandlerFunc(hello)))
	mux.HandleFunc("GET /baseline11", sum)
	mux.HandleFunc("POST /baseline11", sum)
	addRoutes(mux)

	data := os.Getenv("DATA")
	files := http.FileServer(http.Dir(filepath.Join(data, "static")))
	mux.Handle("GET /static/", http.StripPrefix("/static/", files))
	mux.HandleFunc("GET /json/{count}", listItems(readItems(filepath.Join(data, "dataset.json"))))
	pool := openPool()
	mux.HandleFunc("GET /async-db", queryItems(pool))
	if pool != nil {
		mux.HandleFunc("GET /db", findOne(pool))
		mux.HandleFunc("GET /queries", findSeveral(pool))
		mux.HandleFunc("GET /updates", changeSeveral(pool))
		mux.HandleFunc("GET /fortunes", fortunes(pool))
	}

	mux.HandleFunc("GET /ws", echo)
	mux.HandleFunc("GET /broadcast", newRoom().join)
	return mux
}

func addRoutes(mux *http.ServeMux) {
	routes, _ := strconv.Atoi(os.Getenv("ROUTES"))
	for i := range routes {
		pattern := fmt.Sprintf("GET /area%d/thing%d", i%100, i)
		if i%2 == 1 {
			pattern += "/{id}"
		}
		mux.HandleFunc(pattern, hello)
	}
}

func server(port string, handler http.Handler) *http.Server {
	return &http.Server{
		Addr:              "127.0.0.1:" + port,
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
	}
}

func main() {
	handler := application()
	if port := os.Getenv("TLS_PORT"); port != "" {
		data := os.Getenv("DATA")
		go func() {
			log.Fatal(server(port, handler).ListenAndServeTLS(
				filepath.Join(data, "cert.pem"), filepath.Join(data, "key.pem")))
		}()
	}

	plain := server(os.Getenv("PORT"), handler)
	plain.Protocols = new(http.Protocols)
	plain.Protocols.SetHTTP1(true)
	plain.Protocols.SetUnencryptedHTTP2(true)
	log.Fatal(plain.ListenAndServe())
}
