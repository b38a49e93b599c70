// SPDX-License-Identifier: Apache-2.0

// River in the comparison of job queues: ../README.md describes the arguments.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// A job that does nothing. Sent: when it was added, in microseconds since 1970.
type noop struct {
	Sent int64 `json:"sent"`
}

func (noop) Kind() string { return "noop" }

type worker struct {
	river.WorkerDefaults[noop]
	lock   sync.Mutex
	delays []int64
	count  int
	done   chan struct{}
}

func (w *worker) Work(_ context.Context, job *river.Job[noop]) error {
	delay := time.Now().UnixMicro() - job.Args.Sent
	w.lock.Lock()
	defer w.lock.Unlock()
	w.delays = append(w.delays, delay)
	if len(w.delays) == w.count {
		close(w.done)
	}
	return nil
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func fill(ctx context.Context, client *river.Client[pgx.Tx], count int) {
	const batch = 5000
	for at := 0; at < count; at += batch {
		jobs := make([]river.InsertManyParams, min(batch, count-at))
		for i := range jobs {
			jobs[i].Args = noop{Sent: 1}
		}
		_, err := client.InsertManyFast(ctx, jobs)
		check(err)
	}
}

func produce(ctx context.Context, client *river.Client[pgx.Tx], count, perSecond int) {
	begun := time.Now()
	for i := range count {
		time.Sleep(time.Until(begun.Add(time.Duration(i) * time.Second / time.Duration(perSecond))))
		_, err := client.Insert(ctx, noop{Sent: time.Now().UnixMicro()}, nil)
		check(err)
	}
}

func number(at int) int {
	if len(os.Args) <= at {
		return 0
	}
	n, err := strconv.Atoi(os.Args[at])
	check(err)
	return n
}

func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	check(err)
	driver := riverpgxv5.New(pool)
	if os.Args[1] == "migrate" {
		migrator, err := rivermigrate.New(driver, nil)
		check(err)
		_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
		check(err)
		return
	}
	w := &worker{count: number(2), done: make(chan struct{})}
	workers := river.NewWorkers()
	river.AddWorker(workers, w)
	// The intervals and the number of workers of River's own benchmark (cmd/river/riverbench).
	client, err := river.NewClient(driver, &river.Config{
		FetchCooldown:     2 * time.Millisecond,
		FetchPollInterval: 20 * time.Millisecond,
		Queues:            map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 2_000}},
		Workers:           workers,
	})
	check(err)
	switch os.Args[1] {
	case "fill":
		fill(ctx, client, number(2))
		return
	case "produce":
		produce(ctx, client, number(2), number(3))
		return
	}
	fmt.Println("ready")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	check(client.Start(ctx))
	<-w.done
	check(client.Stop(ctx))
	if os.Args[1] == "delays" {
		check(json.NewEncoder(os.Stdout).Encode(w.delays))
	}
}
