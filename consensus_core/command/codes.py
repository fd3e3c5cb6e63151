"""What a command ends with, beside 0 for done. The same in words: main.CODES."""

FAULT, UNUSABLE, THERE, LARGE, INVALID, STOPPED = 1, 2, 3, 4, 5, 130
