#include "core/check/junit_writer.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/check/xml_text.h"
#include "core/summary/stack_key.h"

#include <fmt/format.h>

#include <map>

namespace highwater::check {
namespace {

std::string bytesOf(std::int64_t bytes) { return amountText(BudgetMeasure::Outstanding, bytes); }

void writeTest(std::string_view group, std::string_view name, std::ostream& out) {
    out << fmt::format("    <testcase classname=\"highwater.{}\" name=\"{}\" time=\"0\"", group, xmlText(name));
}

void writeFailure(std::string_view kind, const std::string& message, const std::string& details, std::ostream& out) {
    out << fmt::format(">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n", kind,
                       xmlText(message), xmlText(details));
}

std::string callsOf(const GrownStack& stack) {
    std::string text;
    for (const auto& frame : stack.frames)
        text += frame.name + (frame.file.empty() ? "" : fmt::format(" ({}:{})", frame.file, frame.line)) + '\n';
    return text;
}

/// Names that more than one test would have. Readers keep only one test per name.
class TestNames {
  public:
    void count(const std::string& name) { ++counts_[name]; }
    [[nodiscard]] bool isOnce(const std::string& name) const { return counts_.at(name) == 1; }

  private:
    std::map<std::string, std::size_t> counts_;
};

void writeUnreachableTests(const CheckResult& result, std::ostream& out) {
    const auto nameOf = [](const UnreachableVerdict& verdict) {
        return fmt::format("{} in {}", verdict.memory.process, verdict.trace);
    };
    TestNames names;
    for (const auto& verdict : result.unreachable)
        names.count(nameOf(verdict));
    for (std::size_t i = 0; i < result.unreachable.size(); ++i) {
        const auto& verdict = result.unreachable[i];
        const auto name = nameOf(verdict);
        writeTest("unreachable", names.isOnce(name) ? name : fmt::format("{} ({})", name, i + 1), out);
        if (!verdict.isExceeded()) {
            out << "/>\n";
            continue;
        }
        std::string details;
        for (const auto& stack : verdict.memory.stacks) {
            details += unreachableText(stack) + '\n';
            for (const auto& frame : stack.frames)
                details += "  " + frame + '\n';
        }
        writeFailure("unreachable", unreachableText(verdict), details, out);
    }
}

std::string stackName(const GrownStack& stack) { return fmt::format("{} of {}", stack.owner.name, stack.process); }

} // namespace

std::string growthText(const GrownStack& stack) {
    auto text = fmt::format("{} of {} keeps {} more: {} before, {} after", stack.owner.name, stack.process,
                            bytesOf(stack.growth()), bytesOf(stack.before), bytesOf(stack.after));
    if (stack.p) text += fmt::format(" (p {:.2g})", *stack.p);
    return text;
}

std::string suppressedText(const SuppressedGrowth& suppressed) {
    if (suppressed.stacks == 0) return {};
    return fmt::format("{} grew but {} suppressed: {}.", counted(suppressed.stacks, "more stack"),
                       byNumber(suppressed.stacks, "is", "are"),
                       bytesText(static_cast<std::uint64_t>(suppressed.bytes)));
}

std::string_view verdictWord(const BudgetVerdict& line) {
    if (line.isBroken()) return "BROKEN";
    return line.matchesNothing ? "nothing" : "kept";
}

std::string budgetText(const BudgetVerdict& line) {
    if (line.matchesNothing) return "the line matches nothing in any run";
    const auto amount = [&](std::int64_t value) { return amountText(line.rule.measure, value); };
    const auto ofRuns =
        line.runs == 1 ? std::string()
                       : fmt::format(" in the worst of {} runs (median {})", thousands(line.runs), amount(line.median));
    auto how = std::string(line.isBroken() ? "more than" : "within");
    if (line.isBroken() && amount(line.value) == amount(line.rule.limit)) // equal after rounding
        how = amount(line.value - line.rule.limit) + " more than";
    return fmt::format("{} is {}{}, {} {}", measureWord(line.rule.measure), amount(line.value), ofRuns, how,
                       amount(line.rule.limit));
}

void writeJunit(const CheckResult& result, std::ostream& out) {
    const bool reportsNoGrowth = result.grown.empty() && !result.tracesBefore.empty();
    const auto tests =
        result.budgets.size() + result.grown.size() + result.unreachable.size() + (reportsNoGrowth ? 1 : 0);
    const auto failures = result.brokenBudgets() + result.grown.size() + result.leaking();
    out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        << fmt::format(
               "<testsuites tests=\"{0}\" failures=\"{1}\" errors=\"0\">\n  <testsuite name=\"highwater check\" "
               "tests=\"{0}\" failures=\"{1}\" errors=\"0\" skipped=\"{3}\" time=\"{2:.3f}\">\n",
               tests, failures, result.seconds, result.idleBudgets());
    TestNames ofLines;
    for (const auto& line : result.budgets)
        ofLines.count(line.rule.text);
    for (const auto& line : result.budgets) {
        const auto& name = line.rule.text;
        writeTest("budget", ofLines.isOnce(name) ? name : fmt::format("{} (line {})", name, line.rule.line), out);
        if (line.isBroken())
            writeFailure("budget", budgetText(line), fmt::format("line {} of the budget", line.rule.line), out);
        else if (line.matchesNothing)
            out << fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", xmlText(budgetText(line)));
        else
            out << "/>\n";
    }
    TestNames ofStacks;
    for (const auto& stack : result.grown)
        ofStacks.count(stackName(stack));
    for (const auto& stack : result.grown) {
        const auto name = stackName(stack);
        writeTest("stack", ofStacks.isOnce(name) ? name : fmt::format("{} ({})", name, summary::text(stack.key)), out);
        writeFailure("growth", growthText(stack), callsOf(stack), out);
    }
    if (reportsNoGrowth) {
        writeTest("stack", "No stack grew", out);
        out << "/>\n";
    }
    writeUnreachableTests(result, out);
    std::string notes;
    for (const auto& note : result.notes)
        notes += note + '\n';
    if (!notes.empty()) out << "    <system-out>" << xmlText(notes) << "</system-out>\n";
    out << "  </testsuite>\n</testsuites>\n";
}

} // namespace highwater::check
