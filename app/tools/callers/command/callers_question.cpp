#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/options/command_options.h"
#include "app/cli/questions/filtered_question.h"
#include "app/tools/tools.h"
#include "core/analysis/callers/callers.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/export/questions/callers_writer.h"

#include <fmt/format.h>

#include <limits>

namespace highwater::cli {
namespace {

class CallersQuestion final : public FilteredQuestion<analysis::CallersQuery> {
  public:
    std::string tableName = "heap";
    std::string function;
    exports::CallersPart part;

    std::optional<Error> wrongUsage() override {
        query_.table = TRY(parseTableWord(tableName));
        query_.function = function;
        return wrongFilter();
    }
    [[nodiscard]] bool needsNames() const override { return true; }
    [[nodiscard]] bool requiresMatch() const override { return true; }
    Result<std::string> answer(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                               std::ostream& out) override {
        const auto callers = TRY(analysis::findCallers(trace, labels, query_));
        if (request.format == "json")
            exports::writeCallersJson(query_, callers, part, analysis::healthOf(trace, query_.table), out);
        else
            exports::writeCallersText(query_, callers, part, out);
        if (callers.callees.nodes()[0].sums.count > 0) return std::string();
        return fmt::format("No stack {}contains the function \"{}\" with this interval and filter. Write it as "
                           "module!function, as shown in tables.{}{}",
                           isOfFrees() ? "that freed " : "", function,
                           isOfFrees() && lacksStacksOnFree(trace.heap) ? kNoStacksOnFree : "",
                           whereItIs(trace, labels));
    }
    [[nodiscard]] analysis::Table table() const override { return query_.table; }

  private:
    static constexpr const char* kNoStacksOnFree =
        " Stacks of heap frees were not recorded. Record with --stacks-on-free.";

    [[nodiscard]] bool isOfFrees() const { return query_.table == analysis::Table::Frees; }
    /// Whether there are frees but none has a stack.
    static bool lacksStacksOnFree(const store::TableView& view) {
        for (std::uint32_t i = 0; i < view.endSites; ++i) {
            if (view.columns->endSites[SiteId{i}].stack != StackId{0}) return false;
        }
        return view.endSites > 0;
    }
    /// Allocating functions do not necessarily free, so a function without rows here may have rows in another table,
    /// regardless of the filter.
    [[nodiscard]] std::string whereItIs(const store::PublishedTrace& trace, analysis::FrameLabels& labels) const {
        std::string sentences;
        for (const auto other : {analysis::Table::Heap, analysis::Table::VirtualAlloc, analysis::Table::Frees}) {
            if (other == query_.table) continue;
            auto query = query_;
            query.table = other;
            query.filter = {};
            const auto found = analysis::findCallers(trace, labels, query);
            if (!found.hasValue() || found.value().callees.nodes()[0].sums.count == 0) continue;
            sentences +=
                fmt::format(" Stacks that {} contain it: --table {}.",
                            other == analysis::Table::Frees ? "freed" : "allocated", analysis::tableWord(other));
        }
        return sentences;
    }
};

} // namespace

Command callersCommand(CLI::App& app) {
    const CLI::Range positive(1u, std::numeric_limits<std::uint32_t>::max());
    auto& command = *app.add_subcommand(
        "callers", "Show the callers of a function on the way to allocations, and the functions that it calls");
    const auto question = std::make_shared<CallersQuestion>();
    addTraces(command, question->request.traces);
    command
        .add_option(
            "--function", question->function,
            "\"module!function\" as shown in tables, not case-sensitive; without \"!\", in any module (required)")
        ->required();
    command.add_option("--table", question->tableName,
                       "virtualalloc, heap, frees, snapshot or managed (default: heap)");
    addRange(command, question->range);
    addFilters(command, question->filter);
    command.add_option("--depth", question->part.depth, "Levels of callers and of callees (default: all)")
        ->check(positive);
    command.add_option("--top", question->part.top, "Functions per level (default: all)")->check(positive);
    addSymbols(command, question->request.symbols);
    addProcessExit(command, question->processExitFreesHeap);
    addStrict(command, question->request.strict);
    addFormat(command, question->request.format, {"text", "json"});
    return asking(command, question);
}

} // namespace highwater::cli
