"""Small changes of lines that compute, one at a time: what mutate.py lets the fuzz tester look for.

Text only: operators stand between blanks, as the formatter leaves them. Of Lua (lines of "@" and "${}") only what is in
quotes counts, which becomes C."""
import re
from collections import namedtuple

Mutant = namedtuple("Mutant", "file line old new kind")

SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "+", "&&": "||",
         "||": "&&", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=", "|=": "&="}
OPERATOR = re.compile(r"(?<= )(<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\|=|[-<>+*&|^])(?= )|(?<=, )[-+](?=\))")
NUMBER = re.compile(r"(?<![\w.$\[}])(0x[0-9a-f]+|\d+)(u?)(?![\w.\]])")
LIMIT = re.compile(r"(?<=; )\w+(?: \+ [^;<>]+)? (?:<=|<) ([^;]+)(?=;)")
STEP = re.compile(r" [+-]= ([^;,)]+)(?=[,)])")
CONDITION = re.compile(r"\b(?:if|while) (?=\()")
STATEMENT = re.compile(r"(?:[\w*(].*|\$\{.*);$")
DECLARATION = re.compile(r"(?:const|static|struct|enum|typedef|return|break|for|while|do|\(void\)|GK_\w+\("
                         r"|[\w.${}]+ \*?[\w${}]+( =|;|,|\[)|\$\{qualifier\})")
SKIPPED = re.compile(r"\s*(#|/\*|\*|typedef|GK_INLINE|static|\w+ \$\{symbol\}|$)|.*\b(sizeof|__attribute__)\b")


def mutants_of(file, text):
    lines, in_comment, ended = text.split("\n"), False, True
    for number, line in enumerate(lines, 1):
        was_comment, in_comment = in_comment, comment_goes_on(line, in_comment)
        code = line.rstrip("\\").rstrip()
        if not was_comment and not SKIPPED.match(line):
            seen = set()
            for new, kind in changes_of(code, ended):
                if new != code and new not in seen:
                    seen.add(new)
                    yield Mutant(file, number, line, new + line[len(code):], kind)
        if code.strip() and not code.startswith("@"):
            ended = code.endswith((";", "{", "}", ":", "*/", ")")) and not code.endswith(",")


def comment_goes_on(line, in_comment):
    begin, end = line.rfind("/*"), line.rfind("*/")
    return begin > end or in_comment and end < 0


def changes_of(code, begins_statement):
    free = mutable(code)
    for found in OPERATOR.finditer(code):
        if free[found.start()]:
            yield replaced(code, found.span(), SWAPS[found.group()]), "operator"
    if code.startswith("@"):
        return
    for change in (numbers, limits, conditions, choices, negations):
        for span, new, kind in change(code):
            if free[span[0]]:
                yield replaced(code, span, new), kind
    bare = code.strip()
    if begins_statement and STATEMENT.match(bare) and not DECLARATION.match(bare) and "{" not in bare.replace("${", ""):
        yield code.replace(bare, ";"), "statement"


def replaced(code, span, new):
    return code[:span[0]] + new + code[span[1]:]


def mutable(code):
    """For each character whether it is C: all but Lua, and in Lua what is in quotes; not comments."""
    free, depth, quoted, is_lua = [], 0, False, code.startswith("@")
    for place, char in enumerate(code):
        depth += 1 if char == "{" and (depth > 0 or code[place - 1:place] == "$") else 0
        inside = is_lua or depth > 0
        free.append(quoted if inside else True)
        quoted = not quoted if char == '"' and inside else quoted
        depth -= 1 if char == "}" and depth > 0 and not quoted else 0
    comment = code.find("/*")
    comment = code.find(" -- ") if is_lua and comment < 0 else comment
    return free if comment < 0 else free[:comment] + [False] * (len(free) - comment)


def numbers(code):
    for found in NUMBER.finditer(code):
        digits, suffix = found.groups()
        if code[:found.start()].endswith("return "):
            more = "0" if digits == "1" else "1"
        elif digits.startswith("0x"):
            more = f"({digits + suffix} + 1)"
        else:
            more = str(int(digits) + 1) + suffix
        yield found.span(), more, "number"


def limits(code):
    if not code.lstrip().startswith("for ("):
        return
    for found in LIMIT.finditer(code):
        yield found.span(1), found.group(1) + " - 1", "limit"
    for found in STEP.finditer(code):
        yield found.span(1), found.group(1) + " + 1", "limit"


def conditions(code):
    for found in CONDITION.finditer(code):
        end = closing(code, found.end())
        if end:
            yield (found.end(), end), "(!" + code[found.end():end] + ")", "condition"


def closing(code, at):
    """The place behind the bracket that closes the one at `at`; None when that is on another line."""
    depth = 0
    for place in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[place], 0)
        if depth == 0:
            return place + 1
    return None


def choices(code):
    """Swaps the branches of `condition ? yes : no`."""
    for found in re.finditer(r" \? ", code):
        middle = next((p for p in at_depth_zero(code, found.end()) if code.startswith(" : ", p)), None)
        if middle is None:
            continue
        ends = (p for p in at_depth_zero(code, middle + 3) if code[p] in ";,)}" or code.startswith(" : ", p))
        end = next(ends, len(code))
        yes, no = code[found.end():middle], code[middle + 3:end]
        if " ? " not in yes + no:
            yield (found.end(), end), f"{no} : {yes}", "choice"


def at_depth_zero(code, begin):
    depth = 0
    for place in range(begin, len(code)):
        if depth == 0:
            yield place
        depth += {"(": 1, ")": -1, "{": 1, "}": -1}.get(code[place], 0)
        if depth < 0:
            return


def negations(code):
    for found in re.finditer(r"(?<!if \()!(?=[(\w])", code):
        yield found.span(), "", "negation"
