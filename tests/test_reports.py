"""The open reports that hold a schema, on every target: what is legal can be said and comes back, and no more fits."""

import json

import pytest
from tests.corpus_laws import RULES, TARGETS, wire_check
from tests.shared_data import shared

from toolglot.calls.checker import checker_of
from toolglot.schemas.normal import normal_form
from toolglot.wire.convert import convert_normal


def reports():
    found = json.loads(shared("cases", "reports-open.json").read_text(encoding="utf-8"))
    return {report["id"]: report for report in found if report["probes"]}


@pytest.mark.parametrize("target", TARGETS)
def test_every_report_is_right_on_every_target(target):
    for name, report in reports().items():
        conversion = convert_normal(normal_form(report["schema"]), RULES.target(target))
        check, admits = checker_of(conversion.normal).accepts, wire_check(conversion.wire, target)
        for probe in report["probes"]:
            assert check(probe["value"]) == probe["valid"], name
            if probe["valid"]:
                admitted = list(filter(admits, conversion.spellings(probe["value"])))
                assert (probe["value"], ()) in [conversion.restore(form, check) for form in admitted], name
