"""The places of the sources that tools/mutations.py can mutate, found by libclang in the units of a configured build."""
import json
import os
import re
import shlex
import subprocess
import sys

ARITHMETIC = {"+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"]}
COMPARISONS = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}
LOGIC = {"&&": ["||"], "||": ["&&"]}
BINARY = {**ARITHMETIC, **COMPARISONS, **LOGIC}
COMPOUND = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
MESSAGES = re.compile(r"^(riffle::)?(log::\w+|spdlog::\w+|std::perror)\b")
EXTREME = re.compile(r"^((?:std|glm)?(?:::)?f?)(min|max)(f?)(?=[<(])")
NUMBER = re.compile(r"^(0x[0-9a-fA-F']+|[0-9][0-9'.]*(e[-+]?\d+)?|\.\d+(e[-+]?\d+)?)[a-zA-Z]*$", re.I)


def import_clang():
    try:
        from clang import cindex
    except ImportError:
        sys.exit("Drawing mutations needs clang and Python's libclang of the same version: pip install 'libclang==14.0.6' for clang 14.")
    return cindex


def arguments(command, file):
    """The options with which libclang reads a unit as the compiler does."""
    result, words = [], iter(shlex.split(command)[1:])
    for word in words:
        if word in ("-o", "-c", "-include", "-x"):
            next(words, None)
        elif word not in ("-Winvalid-pch", file) and not word.startswith("-f"):
            result.append(word)
    resources = subprocess.run(["clang", "-print-resource-dir"], capture_output=True, text=True, check=True).stdout.strip()
    return result + ["-x", "c++", "-ferror-limit=0", "-Wno-everything", "-resource-dir", resources]


class Finder:
    """places: {(file, first byte, byte after the last, kind): {line, original, constexpr, options}}. An option is (what is done, text)."""

    def __init__(self, root, folders):
        self.cindex = import_clang()
        self.kinds = self.cindex.CursorKind
        self.root, self.folders = root, folders
        self.texts, self.places, self.done = {}, {}, set()
        k = self.kinds
        self.functions = {k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION,
                          k.FUNCTION_TEMPLATE, k.LAMBDA_EXPR}
        self.removable = {k.CALL_EXPR, k.BINARY_OPERATOR, k.COMPOUND_ASSIGNMENT_OPERATOR, k.UNARY_OPERATOR, k.UNEXPOSED_EXPR}

    def find(self, build):
        with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as text:
            units = json.load(text)
        index = self.cindex.Index.create()
        for unit in units:
            path = os.path.relpath(unit["file"], self.root)
            if path.startswith(os.path.relpath(build, self.root)):
                path = os.path.relpath(unit["file"], build)
            if path.split(os.sep)[0] not in self.folders:
                continue
            parsed = index.parse(unit["file"], arguments(unit["command"], unit["file"]), options=0)
            # In the standard library's headers: clang 14 knows no aggregates in parentheses.
            errors = [d for d in parsed.diagnostics if d.severity >= self.cindex.Diagnostic.Error and self.inside(d)]
            if errors:
                sys.exit(f"libclang cannot read {unit['file']}: {errors[0]}\nBuild the generated sources first (target riffle_glad).")
            files = set()
            self.visit_declarations(parsed.cursor, files)
            self.done |= files
        return self.places

    def inside(self, cursor):
        """The file of a cursor relative to the root where it is in one of the folders."""
        file = cursor.location.file
        if not file:
            return None
        path = os.path.relpath(os.path.abspath(file.name), self.root)
        return path if path.split(os.sep)[0] in self.folders else None

    def visit_declarations(self, cursor, files):
        for child in cursor.get_children():
            path = self.inside(child)
            if not path or path in self.done:
                continue
            files.add(path)
            if child.kind in self.functions:
                self.visit_function(child, path)
            elif child.kind.is_attribute() or child.kind == self.kinds.STATIC_ASSERT:
                continue
            else:  # namespaces, classes, and tables whose rows have lambdas
                self.visit_declarations(child, files)

    def visit_function(self, function, path):
        body = [c for c in function.get_children() if c.kind in (self.kinds.COMPOUND_STMT, self.kinds.CXX_TRY_STMT)]
        if body:
            head = self.text(path)[function.extent.start.offset:body[-1].extent.start.offset]
            constexpr = re.search(rb"\b(constexpr|consteval)\b", head) is not None
            self.visit(body[-1], None, path, constexpr)

    def text(self, path):
        if path not in self.texts:
            with open(os.path.join(self.root, path), "rb") as text:
                self.texts[path] = text.read()
        return self.texts[path]

    def range(self, cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def source(self, cursor, path):
        begin, end = self.range(cursor)
        return self.text(path)[begin:end].decode()

    def add(self, cursor, path, kind, options, constexpr):
        begin, end = self.range(cursor)
        if cursor.extent.start.file.name != cursor.extent.end.file.name or end <= begin or not options:
            return
        self.places.setdefault((path, begin, end, kind), {
            "line": cursor.extent.start.line, "original": self.source(cursor, path), "constexpr": constexpr, "options": options})

    def visit(self, cursor, parent, path, constexpr):
        k = self.kinds
        kind = cursor.kind
        if self.inside(cursor) != path:
            return
        if kind in (k.CXX_THROW_EXPR, k.STATIC_ASSERT, k.DECL_REF_EXPR, k.STRING_LITERAL, k.TYPE_REF, k.TEMPLATE_REF):
            return
        source = self.source(cursor, path)
        if kind in (k.CALL_EXPR, k.UNEXPOSED_EXPR) and MESSAGES.match(source):
            return
        if kind in self.functions:
            self.visit_function(cursor, path)
            return
        if kind in (k.STRUCT_DECL, k.CLASS_DECL):
            self.visit_declarations(cursor, set())
            return
        children = list(cursor.get_children())
        statements = []
        if kind == k.VAR_DECL:
            if re.match(r"(static |inline )*constexpr\b|static const\b", source):
                return
            name = cursor.location.offset
            after = [c for c in children if c.extent.start.offset > name]
            children = [c for c in after if not self.text(path)[:c.extent.start.offset].rstrip().endswith(b"[")
                        or c.kind not in (k.INTEGER_LITERAL, k.BINARY_OPERATOR)]
        elif kind == k.MEMBER_REF_EXPR:
            children = children[:1]
        elif kind == k.CASE_STMT:
            children = children[1:]
            statements = children
        elif kind == k.COMPOUND_STMT:
            statements = children
        elif kind == k.IF_STMT:
            statements = self.visit_if(cursor, children, source, path, constexpr)
        elif kind in (k.FOR_STMT, k.CXX_FOR_RANGE_STMT, k.WHILE_STMT, k.DEFAULT_STMT):
            statements = children[-1:]
        elif kind == k.CONDITIONAL_OPERATOR and len(children) == 3:
            self.negate(children[0], path, constexpr)
        elif kind == k.BINARY_OPERATOR and len(children) == 2:
            self.visit_binary(cursor, children, path, constexpr)
        elif kind == k.COMPOUND_ASSIGNMENT_OPERATOR and len(children) == 2:
            self.visit_compound(cursor, children, path, constexpr)
        elif kind == k.CALL_EXPR:
            if len(children) == 3:  # an operator of a class
                ends = sorted(children, key=lambda c: c.extent.start.offset)
                self.visit_binary(cursor, [ends[0], ends[2]], path, constexpr)
                self.visit_compound(cursor, [ends[0], ends[2]], path, constexpr)
            extreme = EXTREME.match(source)
            if extreme:
                other = {"min": "max", "max": "min"}[extreme[2]]
                text = source[:extreme.start(2)] + other + source[extreme.end(2):]
                self.add(cursor, path, "extreme", [(f"{extreme[2]} -> {other}", text)], constexpr)
        elif kind == k.UNARY_OPERATOR and source[:1] in "-!" and not source.startswith("--"):
            self.add(cursor, path, "unary", [(f"{source[0]} removed", ("!!" if source[0] == "!" else "") + source[1:])], constexpr)
        elif kind in (k.INTEGER_LITERAL, k.FLOATING_LITERAL) and NUMBER.match(source):
            digits = re.sub(r"[^0-9]", "", re.split(r"e", source, flags=re.I)[0])
            options = [("+ 1", f"{source} + 1")] if not digits.strip("0") else [("* 2", f"{source} * 2"), ("-> 0", f"{source} * 0")]
            begin, end = self.range(cursor)
            around = self.text(path)
            if around[begin - 1:begin] != b"<" or around[end:end + 1] not in (b">", b","):  # not a template's argument
                self.add(cursor, path, "literal", options, constexpr)
        elif kind == k.CXX_BOOL_LITERAL_EXPR and source in ("true", "false"):
            other = "false" if source == "true" else "true"
            self.add(cursor, path, "literal", [(f"-> {other}", other)], constexpr)
        for child in statements:
            self.visit_statement(child, path, constexpr)
        for child in children:
            self.visit(child, cursor, path, constexpr)

    def between(self, left, right, path):
        text = self.text(path)[left.extent.end.offset:right.extent.start.offset].decode()
        return re.sub(r"//[^\n]*|\s", "", text)

    def visit_binary(self, cursor, sides, path, constexpr):
        left, right = sides
        operator = self.between(left, right, path)
        if operator not in BINARY or any("string" in s.type.spelling or "char" in s.type.spelling for s in sides) and operator == "+":
            return
        a, b = self.source(left, path), self.source(right, path)
        self.add(cursor, path, "operator", [(f"{operator} -> {o}", f"({a}) {o} ({b})") for o in BINARY[operator]], constexpr)

    def visit_compound(self, cursor, sides, path, constexpr):
        left, right = sides
        operator = self.between(left, right, path)
        if operator not in COMPOUND or "string" in left.type.spelling:
            return
        other = COMPOUND[operator]
        text = f"{self.source(left, path)} {other} ({self.source(right, path)})"
        self.add(cursor, path, "operator", [(f"{operator} -> {other}", text)], constexpr)

    def visit_if(self, cursor, children, source, path, constexpr):
        k = self.kinds
        if re.match(r"if\s+constexpr\b", source):
            return children[1:]
        text = self.text(path)
        for at, child in enumerate(children[:-1]):
            rest = text[child.extent.end.offset:child.extent.end.offset + 200].lstrip()
            if child.kind != k.DECL_STMT and child.kind != k.VAR_DECL and rest.startswith(b")"):
                self.negate(child, path, constexpr)
                return children[at + 1:]
        return children[1:]

    def negate(self, condition, path, constexpr):
        text = self.source(condition, path)
        self.add(condition, path, "condition", [("negated", f"!({text})")], constexpr)

    def visit_statement(self, statement, path, constexpr):
        if statement.kind not in self.removable or self.inside(statement) != path:
            return
        source = self.source(statement, path)
        if MESSAGES.match(source) or source.startswith("throw"):
            return
        text = self.text(path)
        end = self.range(statement)[1]
        if text[end:end + 20].lstrip()[:1] == b";":
            self.add(statement, path, "statement", [("removed", "")], constexpr)


def schema(number, kind, original, mutated, constexpr):
    """The text that stands for a place: the mutated one where mutation `number` is chosen. original: may contain further mutations."""
    chosen = f"riffle_mutants::{'constexpr_' if constexpr else ''}mutant({number})"
    if kind == "statement":  # the semicolon after it stays
        return f"do {{ if (!{chosen}) {{ {original}; }} }} while (false)"
    if kind == "condition":
        return f"({chosen} ? {mutated} : static_cast<bool>({original}))"
    return f"({chosen} ? ({mutated}) : ({original}))"
