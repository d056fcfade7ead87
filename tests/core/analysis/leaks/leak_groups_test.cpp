#include "core/analysis/leaks/leak_groups.h"

#include "core/analysis/leaks/leak_suspects.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// The memory that a stack keeps, as docs/numbers.md defines it.
struct KeptSums {
    std::uint64_t outstandingCount = 0;
    ByteCount outstandingBytes = 0;
    std::uint64_t keptCount = 0;
    ByteCount keptBytes = 0;
    std::uint64_t freedCount = 0;
    std::int64_t atStart = 0;
    bool isOrderly = true; ///< no row started after its process had ended
    ByteCount unreachableBytes = 0;
    std::vector<const ModelRow*> unreachable;
    bool isAmbiguous = false; ///< another row is or was at the address of an unreachable one

    [[nodiscard]] std::string text() const {
        return fmt::format("outstanding {} ({}), kept {} ({}), freed {}", outstandingBytes, outstandingCount, keptBytes,
                           keptCount, freedCount);
    }
    [[nodiscard]] std::string unreachableText() const {
        return fmt::format("unreachable {} ({})", unreachableBytes, unreachable.size());
    }
};

/// Whether no other block of the process ever had the row's address.
bool isAloneAtItsAddress(const Model& model, const ModelRow& row) {
    return std::ranges::none_of(model.rows, [&](const ModelRow& other) {
        return &other != &row && other.table == row.table && other.process == row.process &&
               other.address == row.address;
    });
}

bool isUnreachable(Reachability reachability) {
    return reachability == Reachability::Unreachable || reachability == Reachability::OnlyLeaked;
}

/// From the last picture in which the block was not unreachable, or its allocation, to the next picture.
TimeRange unreachableSince(const Model& model, const ModelRow& row, TraceTime newest, TraceTime traceStart) {
    TimeRange since{std::max(row.begin, traceStart), newest};
    for (auto picture = model.pictures.rbegin(); picture != model.pictures.rend(); ++picture) {
        if (picture->process != row.process || picture->time > newest) continue;
        bool isLeaked = false;
        for (const auto& [number, held] : picture->blocks)
            isLeaked |= &model.rows[number] == &row && isUnreachable(held.reachability);
        if (!isLeaked) return {std::max(row.begin, picture->time), since.end};
        since.end = picture->time;
    }
    return since;
}

/// Of the first of the blocks; nothing: no picture is older than the newest one.
std::optional<TimeRange> unreachableSince(const Publication& publication, const std::vector<const ModelRow*>& rows,
                                          TraceTime newest) {
    std::optional<TimeRange> first;
    const auto& model = publication.model;
    const auto pictures = std::ranges::count_if(model.pictures, [&](const ModelPicture& picture) {
        return !rows.empty() && picture.process == rows.front()->process && picture.time <= newest;
    });
    if (pictures < 2) return first;
    for (const auto* row : rows) {
        const auto since = unreachableSince(model, *row, newest, publication.trace->wholeRange().start);
        if (!first || std::pair(since.end, since.start) < std::pair(first->end, first->start)) first = since;
    }
    return first;
}

bool endedWithProcess(const RecountRow& row, TimeRange interval) {
    return row.end && *row.end < interval.end && row.endKind == store::EndKind::ProcessExit;
}

/// Bytes of the row that are left at a time. The end of a process frees nothing.
ByteCount leftOf(const RecountRow& row, TraceTime time, TimeRange interval) {
    auto bytes = row.size;
    for (const auto& release : row.releases) {
        if (endedWithProcess(row, interval) && release.time >= *row.end) continue;
        if (release.time < time) bytes -= std::min(bytes, release.bytes);
    }
    return bytes;
}

std::map<std::string, KeptSums> recountedLeaks(const Publication& publication, Table table, TimeRange interval) {
    const Recount recount(publication.model, table, interval, publication.trace->horizon, false, {});
    std::map<std::string, KeptSums> groups;
    for (const auto& row : recount.members()) {
        std::string key;
        for (const auto& [column, text] : recount.path(row, {Column::Process, Column::StackBottomUp}))
            key += text + "|";
        auto& sums = groups[key];
        // All processes start at 0; the rest of the interval is empty only in damaged traces.
        const auto processEnd = publication.model.processes[row.process].end.value_or(kNever);
        TimeRange period{std::max(interval.start, TraceTime{0}), std::min(interval.end, processEnd)};
        if (period.isEmpty()) period = interval;
        const bool isOld = !row.begin || *row.begin < period.start;
        const bool isMade = !isOld && *row.begin < period.end;
        if (!isOld && !isMade) sums.isOrderly = false;
        if (isOld) sums.atStart += static_cast<std::int64_t>(leftOf(row, period.start, interval));
        if (row.end && *row.end < interval.end && !endedWithProcess(row, interval)) {
            sums.freedCount += row.endKind == store::EndKind::FreeLost ? 0 : 1;
            if (*row.end >= period.end) sums.isOrderly = false;
            continue;
        }
        const auto left = leftOf(row, period.end, interval);
        ++sums.outstandingCount;
        sums.outstandingBytes += left;
        const auto reachability = recount.path(row, {Column::Reachability}).front().second;
        if (reachability == "Unreachable" || reachability == "Indirectly leaked") {
            sums.unreachableBytes += row.size;
            sums.unreachable.push_back(row.row);
            if (!isAloneAtItsAddress(publication.model, *row.row)) sums.isAmbiguous = true;
        }
        if (!isMade) continue;
        ++sums.keptCount;
        sums.keptBytes += left;
    }
    std::erase_if(groups,
                  [](const auto& group) { return group.second.keptCount == 0 && group.second.unreachable.empty(); });
    return groups;
}

/// Memory that was allocated inside and not freed there, by processes that ended inside.
ByteCount recountedUntilExit(const Publication& publication, Table table, TimeRange interval) {
    const Recount recount(publication.model, table, interval, publication.trace->horizon, false, {});
    ByteCount bytes = 0;
    for (const auto& row : recount.members()) {
        const bool isMade = row.begin && *row.begin >= interval.start;
        const bool isFreed = row.end && *row.end < interval.end && !endedWithProcess(row, interval);
        const auto end = publication.model.processes[row.process].end;
        if (isMade && !isFreed && end && *end < interval.end) bytes += row.size;
    }
    return bytes;
}

std::string differenceOf(const Publication& publication, Table table, TimeRange interval, std::size_t& levels,
                         std::size_t& exits, std::size_t& unreachable) {
    LeakQuery query;
    query.table = table;
    query.interval = interval;
    query.most = 10'000;
    FrameLabels labels;
    const auto report = findLeaks(*publication.trace, labels, query);
    if (!report.hasValue()) return report.error().message;
    auto expected = recountedLeaks(publication, table, report.value().interval);
    if (report.value().interval.isEmpty()) expected.clear();
    const auto untilExit = report.value().interval.isEmpty()
                               ? ByteCount{0}
                               : recountedUntilExit(publication, table, report.value().interval);
    if (report.value().keptUntilExit != untilExit)
        return fmt::format("{} until exit instead of {}", report.value().keptUntilExit, untilExit);
    if (untilExit > 0) ++exits;
    for (const auto& suspect : report.value().suspects) {
        auto key = suspect.process + "|";
        for (const auto& frame : suspect.stack)
            key += frame + "|";
        const auto found = expected.find(key);
        if (found == expected.end()) return "unexpected: " + key;
        KeptSums got;
        got.outstandingCount = suspect.outstandingCount;
        got.outstandingBytes = suspect.outstandingBytes;
        got.keptCount = suspect.keptCount;
        got.keptBytes = suspect.keptBytes;
        got.freedCount = suspect.freedCount;
        const bool isClear = !found->second.isAmbiguous;
        if (isClear && (found->second.unreachable.size() != suspect.unreachable().count ||
                        found->second.unreachableBytes != suspect.unreachable().bytes))
            return key +
                   fmt::format(": unreachable {} ({}) instead of ", suspect.unreachable().bytes,
                               suspect.unreachable().count) +
                   found->second.unreachableText();
        if (isClear && suspect.unreachable().count > 0) {
            ++unreachable;
            const auto& picture = *suspect.picture;
            if (picture.since != unreachableSince(publication, found->second.unreachable, picture.time))
                return key + ": unreachable since another time";
        }
        if (got.text() != found->second.text()) return key + ": " + got.text() + " instead of " + found->second.text();
        if (found->second.isOrderly) {
            ++levels;
            if (suspect.levels.front() != found->second.atStart) return key + ": wrong level at the start";
            if (suspect.levels.back() != static_cast<std::int64_t>(suspect.outstandingBytes))
                return key + ": wrong level at the end";
        }
        expected.erase(found);
    }
    std::erase_if(expected, [](const auto& group) { return group.second.keptCount == 0 && group.second.isAmbiguous; });
    return expected.empty() ? std::string() : "missing: " + expected.begin()->first;
}

} // namespace

class LeakGroupsTest : public QObject {
    Q_OBJECT
  private slots:
    /// Pages released in parts, blocks whose free event was lost, ends of processes, and pictures of memory: any
    /// interval of random traces.
    void keepWhatARecountFinds() {
        std::size_t levels = 0;
        std::size_t exits = 0;
        std::size_t unreachable = 0;
        constexpr unsigned kTraces = HIGHWATER_RANDOM_TRACES / 4;
        for (unsigned seed = 0; seed < kTraces; ++seed) {
            RandomTrace random(seed);
            for (const auto& publication : random.publications()) {
                const auto table = random.pick(2) == 0 ? Table::Heap : Table::VirtualAlloc;
                const auto interval = random.intervalOf(publication);
                const auto difference = differenceOf(publication, table, interval, levels, exits, unreachable);
                const auto where = fmt::format(" in {} of seed {}, {}..{} of {}", tableWord(table), seed,
                                               interval.start.ns, interval.end.ns, publication.trace->horizon.ns);
                QVERIFY2(difference.empty(), (difference + where).c_str());
            }
        }
        QVERIFY(levels > 100 && exits > 100 && unreachable > kTraces / 20);
    }
};

HIGHWATER_TEST(LeakGroupsTest);
#include "leak_groups_test.moc"
