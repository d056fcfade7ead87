#include "app/cli/table_command.h"

#include "app/cli/health_messages.h"
#include "app/cli/loaded_trace.h"
#include "app/cli/query_arguments.h"
#include "app/cli/trace_symbols.h"
#include "core/analysis/table/nothing_found.h"
#include "core/export/table_format.h"
#include "core/export/table_walk.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <optional>

namespace highwater::cli {
namespace {

using analysis::AllocatorFrames, analysis::Query;

/// The request as a query, except for the interval: that needs the trace.
Result<Query> parseQuery(const TableRequest& request) {
    const auto table = parseTableWord(request.table);
    if (!table.hasValue()) return table.error();
    auto keys = parseKeys(table.value(), request.by);
    if (!keys.hasValue()) return keys.error();
    if (keys.value().empty())
        return Error{ErrorKind::Usage, "--by names the columns to group by, such as \"Process\"."};
    auto values = parseValueColumns(table.value(), request.columns);
    if (!values.hasValue()) return values.error();
    auto sort = parseSort(table.value(), request.sort);
    if (!sort.hasValue()) return sort.error();
    auto filter = parseFilter(table.value(), request.filter);
    if (!filter.hasValue()) return filter.error();
    if (auto range = parseRange(request.range, {TraceTime{0}, kNever}); !range.hasValue()) return range.error();

    Query query;
    query.table = table.value();
    query.keys = std::move(keys).value();
    query.columns = std::move(values).value();
    query.sort = std::move(sort).value();
    query.filter = std::move(filter).value();
    query.processExitFreesHeap = request.processExitFreesHeap;
    return query;
}

/// By read(), which reports what goes wrong: an iterator over the stream throws, for one on a folder.
std::optional<std::string> contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text;
    std::array<char, 4096> part{};
    while (file.read(part.data(), part.size()) || file.gcount() > 0) {
        text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (!file.is_open() || file.bad()) return std::nullopt;
    return text;
}

Result<std::shared_ptr<const AllocatorFrames>> readAllocatorFrames(const TableRequest& request,
                                                                   const Console& console) {
    if (request.allocatorFramesFile.empty()) return AllocatorFrames::builtIn();
    const auto text = contentOf(request.allocatorFramesFile);
    if (!text) return Error{ErrorKind::NotFound, fmt::format("Cannot read {}.", request.allocatorFramesFile)};
    auto frames = std::make_shared<const AllocatorFrames>(*text);
    for (const auto& line : frames->rejected()) {
        console.say(fmt::format("{}: not a pattern module!function: {}", request.allocatorFramesFile, line));
    }
    return std::shared_ptr<const AllocatorFrames>(std::move(frames));
}

Result<void> writeRows(const TableRequest& request, analysis::GroupedTable& table, std::ostream& out) {
    const auto format = exports::parseTableFormat(request.format).value_or(exports::TableFormat::Text);
    const auto rows = request.leaves ? exports::TableRows::Leaves : exports::TableRows::Tree;
    const auto writer = exports::makeTableWriter(format, rows, table.query(), out);
    if (!request.leaves) return exports::writeTree(table, {request.depth, request.top}, *writer);
    if (const auto written = exports::writeLeaves(table, *writer, {}); !written.hasValue()) return written.error();
    return {};
}

} // namespace

ExitCode runTable(const TableRequest& request, const Console& console) {
    auto query = parseQuery(request);
    if (!query.hasValue()) return fail(query.error(), console);
    auto frames = readAllocatorFrames(request, console);
    if (!frames.hasValue()) return fail(frames.error(), console);
    query.value().allocatorFrames = std::move(frames).value();

    const auto trace = loadTrace(request.traces);
    if (!trace.hasValue()) return fail(trace.error(), console);
    const auto& rows = trace.value().rows;
    const auto range = parseInterval(request.range, rows->wholeRange());
    if (!range.hasValue()) return fail(range.error(), console);
    query.value().interval = range.value();
    auto names = readsFrames(query.value()) ? loadSymbols(request.symbols, request.traces, rows, console) : nullptr;
    const auto labels = makeLabels(request.symbols, std::move(names));
    const auto table = analysis::GroupedTable::compute(rows, labels, query.value());
    if (!table.hasValue()) return fail(table.error(), console);
    const auto written = writeRows(request, *table.value(), console.answers);
    if (!written.hasValue()) return fail(written.error(), console);
    if (table.value()->children(analysis::GroupedTable::kRoot).empty())
        console.say(analysis::whyEmpty(*rows, query.value().table, range.value(), !request.filter.empty()));
    return sayWhatIsMissing(rows->health, request.strict, console);
}

} // namespace highwater::cli
