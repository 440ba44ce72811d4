# gdb reads this when it starts in this folder, if ~/.config/gdb/gdbinit allows it: add-auto-load-safe-path FOLDER
source .debugger/plainformer_gdb.py
