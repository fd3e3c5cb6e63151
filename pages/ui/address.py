"""Where others find this server, if it listens to them."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket

from streamlit import config

EVERYWHERE = ("", "0.0.0.0", "::")
CONTAINER = "QUORUM_CONTAINER"  # said by the Containerfile: numbers of this machine are then known inside alone


def for_others() -> str:
    """ "http://192.168.1.7:8501", or "" where only this machine is listened to."""
    listens = config.get_option("server.address") or ""
    if os.environ.get(CONTAINER):
        return ""
    machine = own_number() if listens in EVERYWHERE else listens
    if not machine or machine.startswith("unix:") or _only_here(machine):
        return ""
    scheme = "https" if config.get_option("server.sslCertFile") else "http"
    return f"{scheme}://{f'[{machine}]' if ':' in machine else machine}:{config.get_option('server.port')}"


def how_others_come() -> str:
    """Where the browser's address is known here alone, and there is none to offer."""
    if os.environ.get(CONTAINER):
        return "Others open Quorum by the name or the number of the machine that runs the container."
    return "To let others in, start Quorum with: make run ADDRESS=0.0.0.0, or quorum serve --address 0.0.0.0"


def own_number() -> str:
    """By which the network knows this machine; asking for a way to it sends nothing."""
    for family, somewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((somewhere, 9))
            return way.getsockname()[0]
    return ""


def _only_here(machine: str) -> bool:
    if machine == "localhost":
        return True
    try:
        return ipaddress.ip_address(machine).is_loopback
    except ValueError:
        return False
