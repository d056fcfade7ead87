#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/options/command_options.h"
#include "app/cli/questions/filtered_question.h"
#include "app/tools/tools.h"
#include "core/analysis/histogram/histogram.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/export/questions/histogram_writer.h"

#include <fmt/format.h>

namespace highwater::cli {
namespace {

using analysis::HistogramOf;

class HistogramQuestion final : public FilteredQuestion<analysis::HistogramQuery> {
  public:
    std::string tableName;
    std::string of = "size";
    std::uint32_t exact = 0;

    std::optional<Error> wrongUsage() override {
        query_.table = TRY(parseTableWord(tableName));
        query_.of = of == "lifetime" ? HistogramOf::LifeTime : HistogramOf::Size;
        query_.exact = exact;
        if (exact > 0 && query_.of == HistogramOf::LifeTime)
            return Error{ErrorKind::Usage, "--exact applies only to sizes, because lifetimes rarely repeat exactly."};
        if (query_.of == HistogramOf::LifeTime && !analysis::hasColumn(query_.table, analysis::Column::LifeTime))
            return Error{ErrorKind::Usage,
                         fmt::format("The table {} has no lifetimes. Use --of lifetime with another table.",
                                     analysis::tableTitle(query_.table))};
        return wrongFilter();
    }
    [[nodiscard]] bool needsNames() const override { return readsFrames(query_.filter); }
    Result<std::string> answer(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                               std::ostream& out) override {
        const auto histogram = TRY(analysis::computeHistogram(trace, labels, query_));
        if (request.format == "json")
            exports::writeHistogramJson(query_, histogram, analysis::healthOf(trace, query_.table), out);
        else if (request.format == "csv")
            exports::writeHistogramCsv(query_, histogram, out);
        else
            exports::writeHistogramText(query_, histogram, out);
        if (histogram.count > 0) return std::string();
        return analysis::whyEmpty(trace, query_.table, query_.interval, filter.words());
    }
    [[nodiscard]] analysis::Table table() const override { return query_.table; }
};

} // namespace

Command histogramCommand(CLI::App& app) {
    auto& command = *app.add_subcommand("histogram", "Show how often each size or each lifetime occurs");
    const auto question = std::make_shared<HistogramQuestion>();
    addTraces(command, question->request.traces);
    command
        .add_option("--table", question->tableName, "virtualalloc, heap, frees, snapshot, managed or gcheap (required)")
        ->required();
    command
        .add_option("--of", question->of,
                    "size, by powers of two, or lifetime, by 1 and 3 times powers of ten (default: size)")
        ->check(CLI::IsMember({"size", "lifetime"}));
    command.add_option("--exact", question->exact, "Also list the N most frequent sizes individually (default: none)")
        ->check(CLI::Range(1u, 100'000u));
    addRange(command, question->range);
    addFilters(command, question->filter);
    addSymbols(command, question->request.symbols);
    addProcessExit(command, question->processExitFreesHeap);
    addStrict(command, question->request.strict);
    addFormat(command, question->request.format, {"text", "csv", "json"});
    return asking(command, question);
}

} // namespace highwater::cli
