#pragma once

#include "core/check/check_runs.h"

#include <string>
#include <vector>

namespace highwater::tests {

inline summary::Frame madeFrame(std::string name, std::string file = {}, std::uint32_t line = 0) {
    summary::Frame frame;
    frame.name = std::move(name);
    frame.module = frame.name.substr(0, frame.name.find('!'));
    frame.isNamed = true;
    frame.file = std::move(file);
    frame.line = line;
    return frame;
}

/// A run of one process. It has a stack of one function for each of these amounts, which are outstanding at its end; 0:
/// the run does not have the stack.
inline check::CheckedRun madeRun(std::string trace, const std::vector<std::int64_t>& outstanding) {
    check::CheckedRun run;
    run.trace = std::move(trace);
    auto& summary = run.summary;
    summary.processes = {"app"};
    summary.windows = {{summary::WindowKind::Whole, "whole", 0, 1'000'000'000}};
    summary.facts.duration = 1'000'000'000;
    for (std::uint32_t i = 0; i < outstanding.size(); ++i) {
        if (outstanding[i] == 0) continue;
        const auto stack = static_cast<std::uint32_t>(summary.stacks.size());
        summary.frames.push_back(madeFrame("app!f" + std::to_string(i)));
        summary.stacks.push_back({{0, i + 1}, {stack}, stack});
        summary::Sample sample;
        sample.stack = stack;
        sample.inuseSpace = outstanding[i];
        summary.samples.push_back(sample);
    }
    return run;
}

/// Contains every kind of entry, and texts with markup.
inline check::CheckResult madeResult() {
    check::CheckResult result;
    check::BudgetRule rule;
    rule.line = 3;
    rule.text = "outstanding 1KB stack a<b>&\"c\"";
    rule.limit = 1024;
    result.budgets.push_back({rule, 2048});
    rule.line = 4;
    rule.text = "peak 1MB";
    rule.measure = check::BudgetMeasure::Peak;
    rule.limit = 1 << 20;
    result.budgets.push_back({rule, 7});
    check::GrownStack stack;
    stack.process = "app";
    stack.key = {1, 2};
    stack.owner = madeFrame("app!operator<<\x01", "C:\\src\\my file.cpp", 12);
    stack.frames = {madeFrame("libc.so!malloc"), stack.owner, madeFrame("app!</div><script>alert(1)</script>")};
    stack.before = 1000;
    stack.after = 3000;
    stack.p = 0.01;
    stack.courseBefore = {1, 2, 3};
    stack.courseAfter = {2, 4, 6};
    result.grown.push_back(stack);
    result.compared = 5;
    result.traces = {"new.etl"};
    result.tracesBefore = {"old.etl"};
    result.notes = {"A note with <tags>."};
    result.seconds = 2.5;
    return result;
}

} // namespace highwater::tests
