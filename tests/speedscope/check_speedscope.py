#!/usr/bin/env python3
"""Validates the output of `highwater-cli flames --format speedscope` against a JSON schema, and two rules that a schema
cannot express: indices are within the frames, there are as many weights as samples.

usage: check_speedscope.py HIGHWATER_CLI HIGHWATER_EXAMPLE [SCHEMA]

SCHEMA: speedscope's own file-format-schema.json, if available; by default the one beside this script.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
TABLES = ["heap", "virtualalloc", "frees"]
VARIED = [[], ["--range", "12:22"], ["--measure", "Count"], ["--bottom-up"], ["--by", "Process,Thread"],
          ["--before", "5:12", "--range", "12:22"], ["--filter", '[Process]:="no such process"']]


def written(cli, trace, table, more):
    command = [cli, "flames", trace, "--table", table, "--no-symbols", "--format", "speedscope", *more]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)


def check(validator, file):
    validator.validate(file)
    frames = len(file["shared"]["frames"])
    assert file["activeProfileIndex"] < len(file["profiles"])
    for profile in file["profiles"]:
        assert len(profile["samples"]) == len(profile["weights"])
        assert all(frame < frames for stack in profile["samples"] for frame in stack)
        assert sum(profile["weights"]) == profile["endValue"] - profile["startValue"]


def refuses_what_is_wrong(validator, file):
    """A schema that accepts everything would prove nothing."""
    damaged = [dict(file, profiles=[dict(file["profiles"][0], unit="apples")]),
               dict(file, profiles=[dict(file["profiles"][0], type="something")]), dict(file, shared={})]
    assert all(not validator.is_valid(wrong) for wrong in damaged)


def main():
    try:
        import jsonschema
    except ImportError:
        print("skipped: python3-jsonschema is not installed")
        return SKIPPED
    cli, example = sys.argv[1:3]
    schema = Path(sys.argv[3] if len(sys.argv) > 3 else Path(__file__).parent / "speedscope_schema.json")
    validator = jsonschema.Draft7Validator(json.loads(schema.read_text()))
    with tempfile.TemporaryDirectory() as folder:
        trace = str(Path(folder) / "example.etl")
        subprocess.run([example, trace], check=True, stdout=subprocess.DEVNULL)
        for table in TABLES:
            for more in VARIED:
                check(validator, written(cli, trace, table, more))
        refuses_what_is_wrong(validator, written(cli, trace, "heap", []))
    print(f"{len(TABLES) * len(VARIED)} files are right by {schema.name}.")
    return 0


sys.exit(main())
