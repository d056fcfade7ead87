#include "core/analysis/explain/explain.h"

#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/leaks/freed_on_exit.h"
#include "core/analysis/pictures/picture_rows.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace highwater::analysis {
namespace {

constexpr std::size_t kMostSuspects = 3;

/// Follows the count of stacks, as in "12 levelled off".
std::string_view excuse(LeakVerdict verdict) {
    switch (verdict) {
    case LeakVerdict::LevelledOff:
        return "levelled off";
    case LeakVerdict::Renewed:
        return "allocated and freed repeatedly as in a cache";
    case LeakVerdict::Sawtooth:
        return "filled and emptied repeatedly";
    case LeakVerdict::StartUp:
        return "allocated at process start";
    case LeakVerdict::LostFrees:
        return "possibly explained by lost frees";
    case LeakVerdict::Kept:
    case LeakVerdict::TooEarly:
        return "with less than a thousandth of the kept memory";
    case LeakVerdict::Growing:
    case LeakVerdict::Unreachable:
        break;
    }
    return {};
}

std::string whyNoSuspects(const store::PublishedTrace& trace, const LeakQuery& query, const Explanation& answer) {
    if (trace.heap.rows == 0 && trace.virtualAlloc.rows == 0)
        return fmt::format("{}", fmt::join(notRecorded(trace), " "));
    if (answer.rise.programs.empty()) {
        const std::vector<std::string> filters(query.filter.isEmpty() ? 0 : 1, "the filter");
        return whyEmpty(trace, query.table, answer.interval, filters);
    }
    if (answer.judged == 0 && answer.suppressed.stacks > 0) return "All stacks that keep memory are suppressed.";
    if (answer.judged == 0)
        return "No memory that was allocated in the interval is kept at its end. To see memory that a program frees on "
               "exit, choose an interval that ends earlier.";
    std::vector<std::string> excuses;
    for (const auto& [verdict, count] : answer.others)
        excuses.push_back(fmt::format("{} {}", count, excuse(verdict)));
    return fmt::format("No stack is a suspect. Stacks that keep memory: {}.", fmt::join(excuses, ", "));
}

/// Whether the picture shows what holds a stack that keeps much.
bool isLargeAndHeld(const LeakSuspect& stack) {
    constexpr double kMuch = 0.1;
    return stack.share >= kMuch && stack.picture && !stack.picture->heldBy.empty();
}

void addSuspects(std::vector<LeakSuspect> suspects, Explanation& answer) {
    for (auto& suspect : suspects) {
        if (isSuspect(suspect.verdict, suspect.share)) {
            if (answer.suspects.size() < kMostSuspects) answer.suspects.push_back(std::move(suspect));
            continue;
        }
        if (isLargeAndHeld(suspect) && (!answer.largest || suspect.keptBytes > answer.largest->keptBytes))
            answer.largest = suspect;
        const auto known = std::find_if(answer.others.begin(), answer.others.end(), [&](const auto& other) {
            return excuse(other.first) == excuse(suspect.verdict);
        });
        if (known == answer.others.end())
            answer.others.emplace_back(suspect.verdict, 1);
        else
            ++known->second;
    }
}

/// Modules of "module!+0x12". Code outside any module has no name that symbols could provide.
void addNames(const std::vector<std::string>& stack, std::set<std::string>& seen, UnnamedFrames& names) {
    for (const auto& frame : stack) {
        const auto mark = frame.find('!');
        if (mark == std::string::npos || !seen.insert(frame).second) continue;
        ++names.frames;
        const auto function = std::string_view(frame).substr(mark + 1);
        if (!isOffset(function)) continue;
        ++names.unnamed;
        const auto module = frame.substr(0, mark);
        if (std::find(names.modules.begin(), names.modules.end(), module) == names.modules.end())
            names.modules.push_back(module);
    }
}

UnnamedFrames namesOf(const Explanation& answer) {
    UnnamedFrames names;
    std::set<std::string> seen;
    if (answer.rise.surge) {
        for (const auto& stack : answer.rise.surge->stacks)
            addNames(stack.stack, seen, names);
    }
    for (const auto& suspect : answer.suspects)
        addNames(suspect.stack, seen, names);
    if (answer.held) addNames({answer.held->holders.front().owner}, seen, names);
    return names;
}

Result<std::optional<Balance>> largestBalance(const store::PublishedTrace& trace, TimeRange interval,
                                              const std::stop_token& stop) {
    std::optional<Balance> largest;
    if (whyNoBalance(trace)) return largest;
    auto balances = TRY(balanceAt(trace, {interval}, stop));
    if (!balances.empty()) largest = std::move(balances.front());
    return largest;
}

} // namespace

Result<std::optional<ProcessHolders>> heldBy(const store::PublishedTrace& trace, FrameLabels& labels,
                                             const LeakQuery& query, const std::stop_token& stop) {
    HolderQuery holders;
    holders.samples.interval = query.interval;
    holders.allocatorFrames = query.allocatorFrames;
    holders.owners = query.owners;
    holders.asksPath = true;
    return findLargestHolder(trace, labels, holders, stop);
}

Result<Explanation> explain(const store::PublishedTrace& trace, FrameLabels& labels, const LeakQuery& query,
                            const std::stop_token& stop) {
    if (auto refused = whyNoAnswer(AnswerKind::Explanation, trace.lacks)) return *std::move(refused);
    if (auto refused = whyNoRates(trace.lacks, trace.horizon)) return *std::move(refused);
    const SurgeQuery ofSurge{query.table, query.interval, query.filter, query.allocatorFrames,
                             3,           query.marks,    query.owners};
    auto rise = TRY(findSurge(trace, labels, ofSurge, stop));
    auto leakQuery = query;
    leakQuery.most = kAllJudged;
    const auto pictures = TRY(picturesOf(trace, labels, leakQuery, stop));
    if (rise.surge && pictures && query.table == Table::Heap) {
        TRY(addPictures(trace, labels, ofSurge, *pictures, *rise.surge, stop));
    }
    auto leaks = TRY(findLeaks(trace, labels, leakQuery, stop, pictures.get()));
    Explanation answer;
    answer.table = query.table;
    answer.interval = leaks.interval;
    answer.rise = std::move(rise);
    answer.tables = std::move(leaks.tables);
    answer.judged = leaks.count;
    answer.suppressed = leaks.suppressed;
    answer.heapMemory = leaks.heapMemory;
    answer.untraced = std::move(leaks.untraced);
    answer.hasPicture = leaks.hasPicture;
    addSuspects(std::move(leaks).suspects, answer);
    if (query.filter.isEmpty()) {
        if (answer.hasPicture && isOfPictures(trace))
            answer.pictures =
                TRY(findHeldBy(trace, labels, {query.interval, {}, query.allocatorFrames, query.owners}, stop));
        answer.balance = TRY(largestBalance(trace, query.interval, stop));
        answer.held = TRY(heldBy(trace, labels, query, stop));
    }
    if (answer.suspects.empty()) answer.whyNone = whyNoSuspects(trace, query, answer);
    answer.names = namesOf(answer);
    return answer;
}

Result<Explanation> explainWithExit(const std::shared_ptr<const store::PublishedTrace>& trace,
                                    const std::shared_ptr<FrameLabels>& labels, const LeakQuery& query,
                                    const std::stop_token& stop) {
    auto answer = TRY(explain(*trace, *labels, query, stop));
    answer.freedOnExit = freedOnExit(trace, labels, query, stop);
    return answer;
}

HealthReport healthOf(const store::PublishedTrace& trace, const Explanation& explanation) {
    auto tables = tablesIn(explanation.tables);
    tables.push_back(explanation.table);
    return healthOf(trace, tables);
}

} // namespace highwater::analysis
