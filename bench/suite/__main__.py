# SPDX-License-Identifier: Apache-2.0
"""./apus bench: measures Apus and comparable servers."""
import argparse
import os
import sys

import places
import published
import replays
import run
import run_folder
import scenarios
import setups

COMMANDS = """commands:
  (none)            measure everything, in about an hour; with --quick a selection, in less than three minutes
  list              list scenarios, and peers with their state
  setup [PEER...]   install and build peers
  compare A B       compare two runs, with the statistical significance of each difference
  report RUN        create the reports of a run again
  replay NAME       repeat a published benchmark: vix, bombardier, keepalive, ab
  published [FILE]  print the replays that were measured here as a Markdown page
  soak              apply a constant load for half an hour: latency, rate and memory over time
  micro [NAME]      run a microbenchmark
"""


def words(text):
    return [word for word in text.split(",") if word]


def positive(kind):
    def read(text):
        value = kind(text)
        if value <= 0:
            raise ValueError
        return value
    read.__name__ = "positive number"
    return read


def parser():
    made = argparse.ArgumentParser(prog="./apus bench", description=__doc__, epilog=COMMANDS, allow_abbrev=False,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--quick", action="store_true", help="measure a selection, in less than three minutes")
    made.add_argument("--peers", type=words, metavar="A,B", help="only these peers")
    made.add_argument("--scenarios", type=words, metavar="X,Y", help="only these scenarios or groups")
    made.add_argument("--rounds", type=positive(int), metavar="N", help="number of rounds (5)")
    made.add_argument("--seconds", type=positive(float), metavar="S", help="duration of a measurement in seconds (0.7)")
    made.add_argument("--budget", type=positive(float), metavar="MINUTES", help="time limit in minutes: measure less "
        "if necessary")
    made.add_argument("--name", metavar="NAME", help="name of the run (default: the date and a letter)")
    made.add_argument("--resume", metavar="RUN", help="continue a run that was stopped")
    made.add_argument("--no-realtime", dest="realtime", action="store_false", help="do not use SCHED_RR")
    return made


def part_parser(name, *arguments):
    made = argparse.ArgumentParser(prog=f"./apus bench {name}", allow_abbrev=False)
    for flags, more in arguments:
        made.add_argument(*flags, **more)
    return made


def compare(rest):
    import compare as comparison
    return comparison.main(rest)


def report(rest):
    options = part_parser("report", (["run"], {"metavar": "RUN"})).parse_args(rest)
    run.finish(run_folder.find(options.run))
    return 0


def replay(rest):
    options = part_parser(
        "replay", (["name"], {"choices": sorted(replays.REPLAYS)}),
        (["--seconds"], {"type": positive(float), "metavar": "S", "help": "duration, shorter than the published one"}),
        (["--peers"], {"type": words, "metavar": "A,B"})).parse_args(rest)
    return replays.main(options)


def publish(rest):
    options = part_parser("published", (["file"], {"nargs": "?", "metavar": "FILE"})).parse_args(rest)
    return published.main(options.file)


def soak(rest):
    import soak as soaking
    options = part_parser(
        "soak", (["--minutes"], {"type": positive(float), "default": 30.0}),
        (["--peers"], {"type": words, "metavar": "A,B", "default": ["apus"]}),
        (["--name"], {"metavar": "NAME"})).parse_args(rest)
    return soaking.main(options)


def micro(rest):
    programs = sorted(name for name in os.listdir(places.MICRO)
                      if name != "load") if os.path.isdir(places.MICRO) else []
    if not rest:
        print("\n".join(programs))
        return 0
    if rest[0] not in programs:
        raise places.Unknown(rest[0])
    program = os.path.join(places.MICRO, rest[0])
    sys.stdout.flush()
    os.execv(program, [program, *rest[1:]])


PARTS = {"list": setups.listing, "setup": setups.main, "compare": compare, "report": report, "replay": replay,
         "published": publish, "soak": soak, "micro": micro}


def main(arguments):
    if arguments and arguments[0] in PARTS:
        return PARTS[arguments[0]](arguments[1:])
    options = parser().parse_args(arguments)
    if options.resume:
        return run.resume(options.resume)
    return run.start(options, " ".join(["./apus bench", *arguments]))


def fail(sentence, hint="`./apus bench list` lists scenarios and peers, `./apus bench --help` the options"):
    print(f"error: {sentence}\n\nhint: {hint}", file=sys.stderr)
    return 2


def guarded(arguments):
    """Runs a command and returns its exit status. Prints a sentence for errors that users can correct."""
    try:
        return main(arguments)
    except places.Unknown as error:
        return fail(f"unknown scenario, group, peer or program `{error}`")
    except (FileNotFoundError, FileExistsError, PermissionError) as error:
        return fail(str(error))
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(guarded(sys.argv[1:]))
