"""Pastes text into a debugger as a terminal does, and prints what the terminal shows. gdb's own Python runs it:

PASTE_COMMAND=FILE PASTE_TEXT=FILE gdb -nx -batch -x tests/stepping/paste.py

PASTE_COMMAND has the debugger and its arguments, one a line. A terminal sends a pasted text at once, and in brackets if
the program has asked for them; readline then takes the whole text for one line.
"""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

SECONDS = 100  # until the last command must have been answered
PROMPT = "(gdb) "
LAST_COMMAND, LAST_ANSWER = "print 6 * 7000007\n", "42000042"


def lines_of(variable):
    with open(os.environ[variable], encoding="utf-8") as file:
        return file.read().splitlines()


def start(command):
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.environ["TERM"] = "xterm"
        os.execvp(command[0], command)
    return terminal


def read_until(terminal, text, deadline):
    shown = ""
    while text not in shown and time.time() < deadline:
        if select.select([terminal], [], [], 1)[0]:
            try:
                shown += os.read(terminal, 65536).decode(errors="replace")
            except OSError:  # the debugger has ended
                break
    return shown


def in_brackets(text):
    return "\x1b[200~" + text + "\x1b[201~"


def paste(terminal, text, shown):
    wants_brackets = shown.rfind("\x1b[?2004h") > shown.rfind("\x1b[?2004l")
    os.write(terminal, (in_brackets(text) if wants_brackets else text).encode())


deadline = time.time() + SECONDS
terminal = start(lines_of("PASTE_COMMAND"))
shown = read_until(terminal, PROMPT, deadline)
paste(terminal, "\n".join(lines_of("PASTE_TEXT")) + "\n" + LAST_COMMAND, shown)
shown += read_until(terminal, LAST_ANSWER, deadline)
os.close(terminal)  # hangs up, which ends the debugger and its program
sys.stdout.write(re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]|\r", "", shown) + "\n")
