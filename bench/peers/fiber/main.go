// SPDX-License-Identifier: Apache-2.0

// A server with Fiber, which is built on fasthttp: HTTP/1.1 only.
package main

import (
	"crypto/tls"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gofiber/contrib/v3/websocket"
	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/compress"
	"github.com/gofiber/fiber/v3/middleware/static"
)

const uploadLimit = 32 << 20

func application() *fiber.App {
	app := fiber.New(fiber.Config{BodyLimit: uploadLimit, StreamRequestBody: true})
	app.Get("/bench", hello)
	app.Get("/json", message)
	app.Get("/body/64k", body(64<<10))
	app.Get("/body/1m", body(1<<20))
	app.Post("/upload", upload)
	app.Get("/baseline11", sum)
	app.Post("/baseline11", sum)

	behind := app.Group("/middlewares")
	for range 10 {
		behind.Use(pass)
	}
	behind.Get("/", hello)

	data := os.Getenv("DATA")
	app.Get("/static/*", static.New(filepath.Join(data, "static")))
	app.Use("/json/:count", compress.New())
	app.Get("/json/:count", listItems(readItems(filepath.Join(data, "dataset.json"))))
	if pool := openPool(); pool != nil {
		app.Get("/async-db", queryItems(pool))
		app.Get("/db", findOne(pool))
		app.Get("/queries", findSeveral(pool))
		app.Get("/updates", changeSeveral(pool))
		app.Get("/fortunes", fortunes(pool))
	}

	app.Get("/ws", websocket.New(echo))
	app.Get("/broadcast", websocket.New(newRoom().join))
	addRoutes(app)
	return app
}

func addRoutes(app *fiber.App) {
	routes, _ := strconv.Atoi(os.Getenv("ROUTES"))
	for i := range routes {
		pattern := fmt.Sprintf("/area%d/thing%d", i%100, i)
		if i%2 == 1 {
			pattern += "/:id"
		}
		app.Get(pattern, hello)
	}
}

func serveTLS(app *fiber.App, port string) error {
	data := os.Getenv("DATA")
	certificate, err := tls.LoadX509KeyPair(filepath.Join(data, "cert.pem"), filepath.Join(data, "key.pem"))
	if err != nil {
		return err
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{certificate}}
	listener, err := tls.Listen("tcp4", "127.0.0.1:"+port, config)
	if err != nil {
		return err
	}
	go func() { log.Fatal(app.Server().Serve(listener)) }()
	return nil
}

func main() {
	config := fiber.ListenConfig{DisableStartupMessage: true}
	if port := os.Getenv("TLS_PORT"); port != "" {
		// Listen prepares the routes, so the TLS port is opened by a function that Listen calls afterwards.
		config.BeforeServeFunc = func(app *fiber.App) error { return serveTLS(app, port) }
	}
	log.Fatal(application().Listen("127.0.0.1:"+os.Getenv("PORT"), config))
}
