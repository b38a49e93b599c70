# SPDX-License-Identifier: Apache-2.0
"""Creates results.json, report.md and report.html from a run's folder."""
import json
import os
import pathlib

from . import document, markdown, page, results
from .records import Unreadable, load

__all__ = ["Unreadable", "write"]


def write(folder):
    """Creates the three files from run.json and samples.jsonl, and returns their paths."""
    folder = pathlib.Path(folder)
    run, samples, unread = load(folder)
    found = results.make(run, samples, unread)
    blocks = list(document.blocks(run, found))
    texts = {"results.json": json.dumps(found, indent=1) + "\n", "report.md": markdown.write(blocks),
             "report.html": page.write(blocks, f"Benchmark {run.get('name', '')}")}
    for name, text in texts.items():
        unfinished = folder / (name + ".new")
        unfinished.write_text(text, encoding="utf-8")
        os.replace(unfinished, folder / name)
    return [folder / name for name in texts]
