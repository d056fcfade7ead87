#include "core/check/suppressed_keys.h"

#include "core/analysis/frames/suppressed_stacks.h"
#include "core/summary/summary_stacks.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace highwater::check {
namespace {

bool isSuppressed(const summary::Frame& frame, const analysis::Suppressions& suppressions) {
    if (suppressions.matches(frame.module)) return true;
    if (!frame.isNamed || frame.module.empty()) return false;
    return suppressions.matches(std::string_view(frame.name).substr(frame.module.size() + 1));
}

} // namespace

std::set<summary::StackKey> suppressedKeysOf(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                                             const summary::RunSummary& summary,
                                             const analysis::Suppressions& suppressions) {
    std::set<summary::StackKey> keys;
    if (suppressions.isEmpty()) return keys;
    std::vector<bool> ofFrame;
    for (const auto& frame : summary.frames)
        ofFrame.push_back(isSuppressed(frame, suppressions));
    for (const auto& stack : summary.stacks)
        if (std::ranges::any_of(stack.frames, [&](auto frame) { return ofFrame[frame]; })) keys.insert(stack.key);
    analysis::SuppressedStacks suppressed(trace, labels, &suppressions);
    std::vector<StackId> stacks;
    for (std::uint32_t i = 0; i < trace.stackCount; ++i)
        if (suppressed.contains(StackId{i})) stacks.push_back(StackId{i});
    if (stacks.empty()) return keys;
    summary::SummaryStacks keyed(trace, labels, nullptr);
    std::vector<std::uint32_t> numbers;
    for (const auto stack : stacks)
        numbers.push_back(keyed.indexOf(stack));
    const auto described = keyed.takeStacks();
    for (const auto number : numbers)
        keys.insert(described[number].key);
    return keys;
}

} // namespace highwater::check
