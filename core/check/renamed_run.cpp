#include "core/check/renamed_run.h"

#include "core/summary/normalised_name.h"
#include "core/summary/stack_key.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace highwater::check {
namespace {

std::string normalisedPlace(const std::string& place) {
    return place.find('!') == std::string::npos ? summary::normalisedModule(place) : summary::normalised(place).text;
}

} // namespace

Result<RunRenames> RunRenames::make(const analysis::Renames& renames) {
    RunRenames made(renames);
    const auto& lines = renames.lines();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto before = normalisedPlace(lines[i].before), after = normalisedPlace(lines[i].after);
        if (before == after) continue; // only the version differs
        if (made.normalised_.add(before, after).hasValue()) {
            made.line_.push_back(i);
            continue;
        }
        const bool isFunction = before.find('!') != std::string::npos;
        const auto known = isFunction ? made.normalised_.lineOfFunction(before) : made.normalised_.lineOfModule(before);
        if (!known) continue;
        const auto& line = made.normalised_.lines()[*known];
        if (analysis::placeKey(line.before) == analysis::placeKey(before) && line.after != after)
            return Error{
                ErrorKind::Usage,
                fmt::format(
                    "{} is renamed to both {} and {}. Checks ignore versions in names, so use a single new name.",
                    before, line.after, after)};
    }
    return made;
}

bool RunRenames::renameFrame(summary::Frame& frame) {
    const auto line = normalised_.lineOfFunction(frame.name);
    if (!line) return false;
    used_.insert(line_[*line]);
    frame.name = normalised_.functionName(frame.name);
    if (const auto mark = frame.name.find('!'); mark != std::string::npos) frame.module = frame.name.substr(0, mark);
    return true;
}

void RunRenames::apply(CheckedRun& run) {
    auto& summary = run.summary;
    for (auto& process : summary.processes) {
        const auto line = asTyped_.lineOfModule(process);
        if (!line) continue;
        used_.insert(*line);
        process = asTyped_.moduleName(process);
    }
    bool anyRenamed = false;
    for (auto& frame : summary.frames)
        anyRenamed = renameFrame(frame) || anyRenamed;
    if (!anyRenamed) return;
    std::map<summary::StackKey, summary::StackKey> keys;
    for (auto& stack : summary.stacks) {
        std::vector<summary::StackKey> functions;
        for (const auto number : stack.frames) {
            const auto& frame = summary.frames[number];
            functions.push_back(frame.isNamed ? summary::functionKey(frame.name)
                                              : summary::unnamedFunctionKey(frame.name, frame.buildId));
        }
        const auto now = summary::stackKey(functions);
        keys.emplace(stack.key, now);
        stack.key = now;
    }
    for (const auto& key : std::exchange(run.suppressed, {}))
        if (const auto now = keys.find(key); now != keys.end()) run.suppressed.insert(now->second);
}

std::vector<std::string> RunRenames::unusedLines() const {
    std::vector<std::string> unused;
    const auto& lines = asTyped_.lines();
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!used_.contains(i)) unused.push_back(analysis::Renames::lineOf(lines[i].before, lines[i].after));
    return unused;
}

} // namespace highwater::check
