"""Runs a Hus player of the course's Java framework as it was handed in, and speaks UGI for it.

Usage: husplayer.py PATH ... [CLASS]

The paths are folders with sources or compiled classes, or jar files: an entry with the framework in it, or both apart. What is
there as source is compiled into a folder that is gone afterwards. Without a class it is the only one that extends `HusPlayer`
outside the package `hus`. A JDK has to be installed.
"""

import os
import re
import subprocess
import sys
import tempfile

import huslines

# Filled in by the program that carries this file.
GLUE = sys.modules["HusGlue"].__doc__
PLAYER = re.compile(r"\bclass\s+(\w+)\s+extends\s+(?:hus\.)?HusPlayer\b")
PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)


def read(file):
    with open(file, encoding="iso-8859-1") as source:
        return source.read()


def files_below(folder):
    """The sources and classes below a folder; hidden folders are left out."""
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.endswith((".java", ".class")):
                yield os.path.join(here, name)


def root_of(file, package):
    """The folder in which the packages of a source begin; None if it lies elsewhere than its package says."""
    folder = os.path.dirname(file)
    for part in reversed(package.split(".") if package else []):
        if os.path.basename(folder) != part:
            return None
        folder = os.path.dirname(folder)
    return folder


def survey(folders):
    """The folders in which packages of sources begin, in which those of classes do, and the players' sources by class."""
    sources, classes, players = [], [], {}
    for folder in folders:
        for file in files_below(folder):
            if file.endswith(".class"):
                # A compiled class does not say in words where its packages begin; these two are always there.
                for package in ("hus", "boardgame"):
                    if os.path.basename(os.path.dirname(file)) == package:
                        root = os.path.dirname(os.path.dirname(file))
                        if root not in classes:
                            classes.append(root)
                continue
            text = read(file)
            found = PACKAGE.search(text)
            package = found.group(1) if found else ""
            root = root_of(file, package)
            if root is None:
                continue
            if root not in sources:
                sources.append(root)
            for name in PLAYER.findall(text):
                if package != "hus":
                    players[(package + "." if package else "") + name] = file
    return sources, classes, players


def choose(players, wanted, folders):
    """The class of the player."""
    if wanted is not None:
        return wanted
    if len(players) == 1:
        return next(iter(players))
    if players:
        sys.exit("expected one player, found several; name one of them after the folders:\n  %s" % "\n  ".join(players))
    sys.exit(
        "expected a source with a class that extends `HusPlayer` below %s, found none; name the class after the folders"
        % ", ".join(folders)
    )


def inside(sources, name):
    """The source of a class; None if there is none."""
    files = (os.path.join(root, name.replace(".", os.sep) + ".java") for root in sources)
    return next((file for file in files if os.path.isfile(file)), None)


def compile_java(files, target, source_path, class_path):
    command = ["javac", "-d", target, "-encoding", "ISO-8859-1", "-nowarn", "-proc:none", "-Xlint:none"]
    command += ["-implicit:class", "-cp", os.pathsep.join([target] + class_path)]
    if source_path:
        command += ["-sourcepath", os.pathsep.join(source_path)]
    try:
        done = subprocess.run(command + files, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except OSError as error:
        sys.exit("`javac` cannot be started: %s; a JDK has to be installed" % (error.strerror or error))
    if done.returncode != 0:
        sys.exit("the player's sources cannot be compiled:\n%s" % done.stdout)


def main(arguments):
    paths = [os.path.abspath(word) for word in arguments if os.path.exists(word)]
    names = [word for word in arguments if not os.path.exists(word)]
    if not paths or len(names) > 1:
        missing = ": there is no `%s`" % "`, `".join(names[:-1]) if len(names) > 1 else ""
        sys.exit("expected folders or jar files and at most one class%s\nusage: husplayer.py PATH ... [CLASS]" % missing)
    folders = [path for path in paths if os.path.isdir(path)]
    sources, classes, players = survey(folders)
    name = choose(players, names[0] if names else None, folders)
    with tempfile.TemporaryDirectory(prefix="hus-") as target:
        glue = os.path.join(target, "HusGlue.java")
        with open(glue, "w", encoding="utf-8") as out:
            out.write(GLUE)
        class_path = classes + [path for path in paths if os.path.isfile(path)] + folders
        # The glue asks for its classes by name, so nothing else would have them compiled.
        wanted = [players.get(name) or inside(sources, name), inside(sources, "hus.HusBoardState")]
        files = [glue] + [file for file in wanted if file]
        compile_java(files, target, sources, class_path)
        command = ["java", "-Xshare:auto", "-XX:+UseSerialGC", "-cp", os.pathsep.join([target] + class_path)]
        huslines.main(command + ["HusGlue", name], name)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: husplayer.py PATH ... [CLASS]")
    main(sys.argv[1:])
