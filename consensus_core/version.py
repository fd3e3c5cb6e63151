"""Which version this is; nothing else, so that everything may ask."""

VERSION = "0.1.0"
