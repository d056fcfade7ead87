#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/options/command_options.h"
#include "app/cli/questions/filtered_question.h"
#include "app/tools/tools.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/heaps/heap_list.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/export/questions/heaps_writer.h"

#include <limits>

namespace highwater::cli {
namespace {

using analysis::Table;

class HeapsQuestion final : public FilteredQuestion<analysis::HeapsQuery> {
  public:
    std::uint32_t top = 100;

    std::optional<Error> wrongUsage() override { return wrongFilter(); }
    [[nodiscard]] bool needsNames() const override { return true; }
    Result<std::string> answer(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                               std::ostream& out) override {
        const auto list = TRY(analysis::findHeaps(trace, labels, query_));
        if (request.format == "json")
            exports::writeHeapsJson(list, top, analysis::healthOf(trace, table()), out);
        else if (request.format == "csv")
            exports::writeHeapsCsv(list, top, out);
        else
            exports::writeHeapsText(list, top, out);
        if (!list.heaps.empty()) return std::string();
        return analysis::whyEmpty(trace, table(), query_.interval, filter.words());
    }
    [[nodiscard]] Table table() const override { return Table::Heap; }
};

} // namespace

Command heapsCommand(CLI::App& app) {
    auto& command = *app.add_subcommand(
        "heaps", "List the heaps of each process: which code created them, their contents, and their unused memory");
    const auto question = std::make_shared<HeapsQuestion>();
    addTraces(command, question->request.traces);
    command.add_option("--top", question->top, "Number of heaps to list, largest first (default: 100)")
        ->check(CLI::Range(1u, std::numeric_limits<std::uint32_t>::max()));
    addRange(command, question->range);
    addFilters(command, question->filter);
    addSymbols(command, question->request.symbols);
    addProcessExit(command, question->processExitFreesHeap);
    addStrict(command, question->request.strict);
    addFormat(command, question->request.format, {"text", "csv", "json"});
    return asking(command, question);
}

} // namespace highwater::cli
