# SPDX-License-Identifier: Apache-2.0
"""Everything that is made from a run's folder: results.json, report.md and report.html."""
import json
import os
import pathlib

from . import document, markdown, page, results
from .recorded import Unreadable, load

__all__ = ["Unreadable", "write"]


def write(folder):
    """Makes the three files anew from run.json and samples.jsonl, and says where they are."""
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
