#include "app/tools/leaks/command/leak_question.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/arguments/suppression_files.h"
#include "core/export/shell_words.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace highwater::cli {
namespace {

/// The given table, or the first one with rows: programs without heap blocks still have pages.
analysis::Table tableOf(const LeaksRequest& request, const store::PublishedTrace& rows) {
    if (!request.table.empty()) return parseTableWord(request.table).value();
    return rows.heap.rows == 0 && rows.virtualAlloc.rows > 0 ? analysis::Table::VirtualAlloc : analysis::Table::Heap;
}

/// Without a given table, a filter by a column that only one table has selects this table.
std::optional<Error> addFiltersOf(const LeaksRequest& request, const LoadedTrace& trace, analysis::LeakQuery& query) {
    const auto filterOf = [&](analysis::Table table) {
        return parseLabelledFilters(table, request.filter, trace.rows->wholeRange(), trace.notes.get());
    };
    auto filter = filterOf(query.table);
    if (request.table.empty()) {
        const auto other = analysis::otherAllocations(query.table);
        auto otherFilter = filterOf(other);
        if (filter.hasValue() && otherFilter.hasValue()) {
            query.otherFilter = std::move(otherFilter).value();
        } else if (otherFilter.hasValue()) {
            query.table = other;
            filter = std::move(otherFilter);
        }
    }
    query.filter = TRY(std::move(filter));
    return std::nullopt;
}

} // namespace

void addOwners(CLI::App& command, LeaksRequest& request) {
    command
        .add_option("--owner", request.owners,
                    "Name this function (or MODULE!FUNCTION; * matches any text) as an owner even if it looks like an "
                    "allocator wrapper; may be given several times (default: none)")
        ->allow_extra_args(false);
    command
        .add_option("--wrapper", request.wrappers,
                    "Skip this function when looking for owners because it passes memory on to its callers; syntax as "
                    "for --owner")
        ->allow_extra_args(false);
}

std::optional<Error> wrongUsage(const LeaksRequest& request, std::string_view command) {
    auto table = analysis::Table::Heap;
    if (!request.table.empty()) {
        table = TRY(parseTableWord(request.table));
    }
    if (!analysis::isOfAllocations(table))
        return Error{ErrorKind::Usage,
                     fmt::format("{} does not support the table {}. Use --table virtualalloc or heap.", command,
                                 analysis::tableWord(table))};
    const auto filterOf = [&](analysis::Table of) {
        return parseLabelledFilters(of, request.filter, {TraceTime{0}, kNever});
    };
    const bool fitsOther = request.table.empty() && filterOf(analysis::otherAllocations(table)).hasValue();
    if (const auto filter = filterOf(table); !filter.hasValue() && !fitsOther) return filter.error();
    const auto range = parseRange(request.range, {TraceTime{0}, kNever});
    return range.hasValue() ? std::nullopt : std::optional(range.error());
}

Result<analysis::LeakQuery> leakQuestion(const LeaksRequest& request, const LoadedTrace& trace,
                                         const Console& console) {
    const auto& rows = *trace.rows;
    analysis::LeakQuery query;
    query.table = tableOf(request, rows);
    query.interval = TRY(parseInterval(request.range, rows.wholeRange()));
    if (auto error = addFiltersOf(request, trace, query)) return *std::move(error);
    query.allocatorFrames = analysis::AllocatorFrames::builtIn(); // as in table
    query.marks = query.filter.marks;
    query.most = request.top;
    query.owners = {analysis::functionPatterns(request.owners), analysis::functionPatterns(request.wrappers)};
    auto suppressions = TRY(readSuppressions(request.suppressions));
    for (const auto& remark : suppressions->remarks())
        console.say(remark);
    query.suppressions = std::move(suppressions);
    return query;
}

Error withNextCommand(Error refusal, const LeaksRequest& request, const store::PublishedTrace& trace) {
    if (refusal.kind != ErrorKind::Unsupported || !trace.lacks.isAny()) return refusal;
    exports::CommandLine command{"highwater-cli", "table"};
    exports::addFiles(command, request.traces);
    command.insert(command.end(), {"--table", "heap", "--preset", "AIFO by Stack"});
    refusal.message += " To show kept memory by stack: " + exports::lineOrReason(command, exports::ownShell());
    return refusal;
}

} // namespace highwater::cli
