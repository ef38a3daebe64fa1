"""Loads what was handed in for a contest: modules inside their packages, whatever their folders are called."""

import ast
import importlib
import importlib.util
import os
import sys
import types


def tree_of(file):
    """The syntax tree of a Python file; an empty one if it cannot be read."""
    try:
        with open(file, "rb") as source:
            return ast.parse(source.read())
    except (OSError, SyntaxError, ValueError):
        return ast.parse("")


def names_of(file):
    """The names that a Python file defines or imports at its top; `*` among them if it imports all of another."""
    names = set()
    for statement in tree_of(file).body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name).split(".")[0] for alias in statement.names)
        elif isinstance(statement, ast.Assign):
            names.update(target.id for target in statement.targets if isinstance(target, ast.Name))
        elif isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
            names.add(statement.name)
    return names


def package_depth(file):
    """How many folders above a file are its packages: those with `__init__.py`, and those its relative imports need."""
    depth, folder = 0, os.path.dirname(file)
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        depth, folder = depth + 1, os.path.dirname(folder)
    imports = (node for node in ast.walk(tree_of(file)) if isinstance(node, ast.ImportFrom))
    return max([depth] + [node.level for node in imports])


def import_package(folder, name):
    """The package in a folder under this name, which may be another than the folder's."""
    if name in sys.modules:
        return sys.modules[name]
    init = os.path.join(folder, "__init__.py")
    if os.path.isfile(init):
        spec = importlib.util.spec_from_file_location(name, init, submodule_search_locations=[folder])
        package = importlib.util.module_from_spec(spec)
        sys.modules[name] = package
        spec.loader.exec_module(package)
    else:
        package = types.ModuleType(name)
        package.__path__ = [folder]
        sys.modules[name] = package
    return package


def package_name(folder):
    """The name of a folder's package: dots in a folder's name would be read as levels."""
    return os.path.basename(folder).replace(".", "_")


def import_file(file):
    """The module in a file, as part of its packages."""
    folder, stem = os.path.dirname(file), os.path.splitext(os.path.basename(file))[0]
    folders = []
    for _ in range(package_depth(file)):
        folders.insert(0, folder)
        folder = os.path.dirname(folder)
    sys.path.insert(0, folder)
    name = ""
    for part in folders:
        name += package_name(part)
        import_package(part, name)
        name += "."
    return importlib.import_module(name + stem)
