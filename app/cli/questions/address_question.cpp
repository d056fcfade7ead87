#include "app/cli/options/command_options.h"
#include "app/cli/questions/trace_question.h"
#include "core/analysis/addresses/address_history.h"
#include "core/analysis/table/table_health.h"
#include "core/export/questions/address_writer.h"

#include <fmt/format.h>

#include <limits>

namespace highwater::cli {
namespace {

class AddressQuestion final : public TraceQuestion {
  public:
    std::uint32_t top = 100;
    std::optional<std::uint32_t> pid;
    bool processExitFreesHeap = false;

    /// The last of the words is the address: how many traces there are is not known.
    std::optional<Error> wrongUsage() override {
        auto& words = request.traces;
        const auto address = words.empty() ? std::nullopt : analysis::parseAddress(words.back());
        if (!address)
            return Error{ErrorKind::Usage,
                         fmt::format("The last word is the address, such as 0x7ff612340000 (not \"{}\").",
                                     words.empty() ? "" : words.back())};
        words.pop_back();
        if (words.empty()) return Error{ErrorKind::Usage, "TRACE is required: a trace file (.etl)."};
        query_ = {*address, pid, top, processExitFreesHeap};
        return std::nullopt;
    }
    std::optional<Error> prepare(const store::PublishedTrace& /*trace*/, const TraceNotes& /*notes*/) override {
        return std::nullopt;
    }
    [[nodiscard]] bool needsNames() const override { return true; }
    [[nodiscard]] bool namesWhatToFind() const override { return true; }
    Result<std::string> answer(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                               std::ostream& out) override {
        const auto history = analysis::findAddress(trace, labels, query_);
        if (!history.hasValue()) return history.error();
        if (request.format == "json")
            exports::writeAddressJson(query_, history.value(), analysis::healthOf(trace, table()), out);
        else
            exports::writeAddressText(query_, history.value(), out);
        if (history.value().count > 0) return std::string();
        return std::string("No recorded memory had that address, and no free names it.");
    }
    /// Whose health is that of both tables.
    [[nodiscard]] analysis::Table table() const override { return analysis::Table::Frees; }

  private:
    analysis::AddressQuery query_;
};

} // namespace

QuestionCommand addressQuestion(CLI::App& app) {
    auto& command = *app.add_subcommand("address", "Who had an address, when, and who freed it: address TRACE ADDRESS");
    const auto question = std::make_shared<AddressQuestion>();
    command
        .add_option("TRACE", question->request.traces,
                    "Trace files (.etl) of one recording, and behind them the address, such as 0x7ff612340000")
        ->required();
    command.add_option("--pid", question->pid, "Only of the processes with this id (default: of all)");
    command.add_option("--top", question->top, "How many to list, the newest (default: 100)")
        ->check(CLI::Range(1u, std::numeric_limits<std::uint32_t>::max()));
    addSymbols(command, question->request.symbols);
    addProcessExit(command, question->processExitFreesHeap);
    addStrict(command, question->request.strict);
    addFormat(command, question->request.format, {"text", "json"});
    return {&command, question};
}

} // namespace highwater::cli
