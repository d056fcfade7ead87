#include "app/tools/difference/command/diff_question.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/arguments/snapshot_arguments.h"
#include "app/tools/difference/command/rename_arguments.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace highwater::cli {
namespace {

using analysis::Column, analysis::DifferenceQuery, analysis::Measure, analysis::Table;

/// Parses "Outstanding", "Peak Size:asc".
Result<void> parseDecision(std::string_view text, DifferenceQuery& query) {
    if (text.empty()) return {};
    auto name = trimmed(text);
    for (const std::string_view end : {":asc", ":desc"}) {
        if (!lowered(name).ends_with(end)) continue;
        query.isRising = end == ":asc";
        name = trimmed(name.substr(0, name.size() - end.size()));
        break;
    }
    const auto measure = analysis::parseMeasure(name);
    if (!measure)
        return Error{ErrorKind::Usage,
                     fmt::format("Unknown measure in --sort {}. Use Outstanding, Count, Size, Impacting Size, Peak "
                                 "Size or Allocated, followed by :asc or :desc if needed.",
                                 text)};
    if (!analysis::hasMeasure(query.table, *measure))
        return Error{
            ErrorKind::Usage,
            fmt::format(
                "--sort {} does not apply to snapshots. They support only Outstanding, Count, Size and Peak Size.",
                text)};
    query.decides = *measure;
    return {};
}

Result<void> parseAmounts(const DiffRequest& request, DifferenceQuery& query) {
    if (!request.smallest.empty()) {
        query.smallest = TRY(parseBytes("--smallest", request.smallest));
    }
    if (request.failAbove.empty()) return {};
    TRY(parseBytes("--fail-above", request.failAbove));
    if (query.decides == Measure::Count)
        return Error{ErrorKind::Usage, "--fail-above is a number of bytes and cannot be combined with --sort Count."};
    query.isByOwner = true;
    return {};
}

/// Validates the ranges of a side before its traces are known.
Result<void> checkRanges(const DiffRequest& request) {
    const TimeRange any{TraceTime{0}, kNever};
    for (const auto& text : {request.range, request.withRange}) {
        TRY(parseRange(text, any));
    }
    TRY(parseInstants(request.snapshots, any));
    if (!request.snapshotPair.empty()) {
        if (request.timeline > 0)
            return Error{ErrorKind::Usage, "--timeline compares intervals and cannot be used with snapshots."};
        if (request.traces.size() != 1)
            return Error{ErrorKind::Usage, "--snapshots compares two snapshots of one trace. Specify only one trace."};
        const auto pair = parseSnapshotPair(request.snapshotPair);
        return pair.hasValue() ? Result<void>() : pair.error();
    }
    if (!request.snapshots.empty())
        return Error{
            ErrorKind::Usage,
            "--snapshot turns an instant into a snapshot. Specify which snapshots to compare with --snapshots."};
    if (request.with.empty() && request.withRange.empty())
        return Error{
            ErrorKind::Usage,
            "Specify the traces to compare with (--with), or another interval of the same trace (--with-range)."};
    return {};
}

} // namespace

Result<std::vector<Column>> diffKeys(const DiffRequest& request, Table table) {
    if (request.by.empty())
        return std::vector{Column::Process, request.bottomUp ? Column::StackBottomUp : Column::Stack};
    auto keys = parseKeys(table, request.by);
    if (keys.hasValue() && keys.value().empty())
        return Error{ErrorKind::Usage, "Use --by to specify the columns to group by, such as \"Process\"."};
    if (keys.hasValue() && request.filter.annotations.empty() &&
        std::find(keys.value().begin(), keys.value().end(), Column::Annotation) != keys.value().end())
        return labelsAreMissing();
    return keys;
}

Result<DifferenceQuery> diffQuestion(const DiffRequest& request) {
    DifferenceQuery query;
    if (!request.table.empty()) {
        query.table = TRY(parseTableWord(request.table));
        if (query.table == Table::Snapshot)
            return Error{ErrorKind::Usage,
                         "Specify the numbers of the heap snapshots to compare, such as --snapshots 8:9."};
    }
    if (!request.snapshotPair.empty()) query.table = Table::Snapshot;
    if (!analysis::isOfAllocations(query.table) && query.table != Table::Snapshot)
        return Error{ErrorKind::Usage, "diff compares only allocations. Use --table virtualalloc or heap."};
    query.keys = TRY(diffKeys(request, query.table));
    query.allocatorFrames = analysis::AllocatorFrames::builtIn(); // as in table
    TRY(parseDecision(request.sort, query));
    TRY(parseAmounts(request, query));
    TRY(checkRanges(request));
    TRY(parseLabelledFilters(query.table, request.filter, {TraceTime{0}, kNever}));
    if (request.timeline > 0 && request.format == "ndjson")
        return Error{ErrorKind::Usage, "--timeline supports only the formats text, csv and json."};
    query.renames = TRY(readRenames(request.renames));
    return query;
}

} // namespace highwater::cli
