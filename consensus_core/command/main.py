"""The door of the command line: which subcommand, and what every ending looks like."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import sys
import traceback
from typing import NoReturn

from ..errors import AlreadyThere, Cancelled, InputError, TooLarge
from ..method import Method
from ..methods import METHODS
from ..version import VERSION
from .codes import FAULT, LARGE, STOPPED, THERE, UNUSABLE
from .method_options import unknown_dial
from .parser import Parser
from .telling import Teller

COMMANDS = ("serve", "info", "run", "compare", "sweep", "report", "why", "methods", "count", "write")
ABOUT = """Quorum: many clusterings of the same objects in, one consensus out, and every number explained.

  quorum serve                                          the dashboard, with samples to look at
  quorum info votes.csv                                 what is in a table, and what is odd about it
  quorum run votes.csv --method spce --k 7 --out result/
  quorum why votes.csv --method spce --k 7 --of S 12 40 why a number is what it is
  quorum write "runs/*.parquet" --ids name --k 7 --out labels/   tables that do not fit in memory"""
CODES = """ends with: 0 done · 1 a fault of ours · 2 what was asked or given cannot be used · 3 a file is there
already · 4 too large for this machine · 5 the run came to no answer · 130 stopped"""


def main(argv: list[str] | None = None) -> int:
    """What the command ends with."""
    argv = sys.argv[1:] if argv is None else list(argv)
    as_json = "--json" in argv
    try:
        with _one_thread():
            return _work(argv)
    except SystemExit as end:  # argparse, after --help
        return int(end.code or 0)
    except (KeyboardInterrupt, Cancelled):
        return _refused(STOPPED, "Stopped; nothing was written.", as_json)
    except BrokenPipeError:  # whoever read our output has read enough
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except AlreadyThere as refusal:
        return _refused(THERE, str(refusal), as_json)
    except TooLarge as refusal:
        return _refused(LARGE, str(refusal), as_json)
    except MemoryError:
        return _refused(LARGE, "There is not enough memory for it on this machine; nothing was written.", as_json)
    except InputError as refusal:
        return _refused(UNUSABLE, str(refusal), as_json)
    except OSError as trouble:
        where = f"{trouble.filename}: " if trouble.filename else ""
        return _refused(UNUSABLE, f"{where}{trouble.strerror or trouble}.", as_json)
    except Exception as fault:
        if os.environ.get("QUORUM_TRACEBACK"):
            traceback.print_exc()
        said = f"This should not happen: {type(fault).__name__}: {fault}. QUORUM_TRACEBACK=1 shows where."
        return _refused(FAULT, said, as_json)


def _work(argv: list[str]) -> int:
    method = _method_in(argv)
    parser, options = _parser(method)
    arguments, rest = parser.parse_known_args(argv)
    if arguments.command is None:
        parser.print_help()
        return 0 if not rest else UNUSABLE
    room = _room(arguments.command)
    if rest:
        _refuse_strange(rest, method, options[arguments.command])
    return room.work(arguments, Teller(arguments.json, arguments.quiet, arguments.progress))


def _parser(method: type[Method] | None) -> tuple[Parser, dict[str, Parser]]:
    parser = Parser(prog="quorum", usage="quorum COMMAND …", description=ABOUT, epilog=CODES)
    parser.add_argument("--version", action="version", version=f"quorum {VERSION}")
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    found = {}
    for name in COMMANDS:
        room = _room(name)
        one = found[name] = commands.add_parser(
            name, help=room.HELP, usage=f"quorum {name} {room.USAGE} [options]", description=room.ABOUT, epilog=CODES
        )
        room.add(one, method)
        how = one.add_argument_group("how it is told")
        how.add_argument("--json", action="store_true", help="one JSON object on the standard output, for programs")
        how.add_argument("--quiet", action="store_true", help="results only")
        how.add_argument("--progress", action="store_true", help="how far it is, also where nobody looks at a terminal")
    return parser, found


def _room(name: str):
    return importlib.import_module(f"{__package__}.{name}")


def _method_in(argv: list[str]) -> type[Method] | None:
    """The method that is named, by itself or in a record: its dials are options."""
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    first.add_argument("--method")
    first.add_argument("--record")
    with contextlib.suppress(argparse.ArgumentError, SystemExit):
        asked, _ = first.parse_known_args(argv)
        if asked.method:
            return METHODS.get(asked.method)
        if asked.record:
            from .running import recorded

            return type(recorded(asked.record).method)
    return None


def _refuse_strange(rest: list[str], method: type[Method] | None, parser: Parser) -> NoReturn:
    strange = next((text for text in rest if text.startswith("-")), rest[0])
    raise unknown_dial(strange, method) or parser.refusal(f"{strange!r} is not understood here")


def _refused(code: int, words: str, as_json: bool) -> int:
    print(f"quorum: {words}", file=sys.stderr)
    if as_json:
        print(json.dumps({"error": {"code": code, "message": words}}, ensure_ascii=False))
    return code


@contextlib.contextmanager
def _one_thread():
    """Waiting threads of linear algebra cost many times what they bring, and a run is the same to the last bit only
    with the same number of them."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=int(os.environ.get("OPENBLAS_NUM_THREADS") or 1)):
        yield
