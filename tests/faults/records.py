"""The plain format of the lists in this folder.

Records stand between blank lines. The first line of one is its name. A line "- text" is text that goes and "+ text"
what comes in its place, one edit or more, each in the file that the last line without a sign names. "= text" says why.
"#" begins a comment."""
from collections import namedtuple

Edit = namedtuple("Edit", "file old new")
Record = namedtuple("Record", "name edits reason")
SIGNS = ("-", "+", "=")


class Broken(Exception):
    """A list, or what it refers to, is not as it must be."""


def read_records(path):
    with open(path, encoding="utf-8") as file:
        text = "\n".join(line for line in file.read().split("\n") if not line.startswith("#"))
    return [read_record(block.strip("\n").split("\n")) for block in text.split("\n\n") if block.strip("\n")]


def read_record(lines):
    file, parts, reason = None, [], []
    for line in lines[1:]:
        sign, text = line[:1], line[2:]
        if sign not in SIGNS:
            file = line
        elif sign == "=":
            reason.append(text)
        else:
            is_new_edit = not parts or parts[-1]["file"] != file or sign == "-" and parts[-1]["+"]
            if is_new_edit:
                parts.append({"file": file, "-": [], "+": []})
            parts[-1][sign].append(text)
    edits = [Edit(part["file"], "\n".join(part["-"]), "\n".join(part["+"])) for part in parts]
    if any(edit.file is None or not edit.old for edit in edits):
        raise Broken(f"{lines[0]}: an edit needs a file and text that goes")
    return Record(lines[0], edits, " ".join(reason))


def apply_edit(text, edit):
    found = text.count(edit.old)
    if found != 1:
        raise Broken(f"{edit.file}: the text that goes is there {found} times, not once: {edit.old!r}")
    return text.replace(edit.old, edit.new)
