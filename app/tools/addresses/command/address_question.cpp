#include "app/cli/options/command_options.h"
#include "app/cli/questions/trace_question.h"
#include "app/tools/tools.h"
#include "core/analysis/addresses/address_history.h"
#include "core/analysis/table/table_health.h"
#include "core/base/counted.h"
#include "core/export/questions/address_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace highwater::cli {
namespace {

class AddressQuestion final : public TraceQuestion {
  public:
    std::uint32_t top = 100;
    std::optional<std::uint32_t> pid;
    bool processExitFreesHeap = false;

    /// The last argument is the address because the number of traces varies.
    std::optional<Error> wrongUsage() override {
        auto& words = request.traces;
        const auto address = words.empty() ? std::nullopt : analysis::parseAddress(words.back());
        if (!address)
            return Error{ErrorKind::Usage,
                         fmt::format("The last argument must be the address, such as 0x7ff612340000 (not \"{}\").",
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
    [[nodiscard]] bool requiresMatch() const override { return true; }
    Result<std::string> answer(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                               std::ostream& out) override {
        const auto history = TRY(analysis::findAddress(trace, labels, query_));
        if (request.format == "json")
            exports::writeAddressJson(query_, history, analysis::healthOf(trace, table()), out);
        else
            exports::writeAddressText(query_, history, out);
        if (history.count > 0) return std::string();
        if (pid) return otherProcessesText(trace, labels);
        return std::string("No recorded memory had this address, and no recorded free refers to it.");
    }
    /// Frees, because its health covers both tables.
    [[nodiscard]] analysis::Table table() const override { return analysis::Table::Frees; }

  private:
    /// Each process has its own address space, so another process may have used the address.
    [[nodiscard]] std::string otherProcessesText(const store::PublishedTrace& trace,
                                                 analysis::FrameLabels& labels) const {
        constexpr std::size_t kMostNamed = 5;
        auto query = query_;
        query.pid = std::nullopt;
        query.most = 1000;
        const auto nothing =
            fmt::format("No recorded memory of process {} had this address, and no recorded free refers to it.", *pid);
        const auto history = analysis::findAddress(trace, labels, query);
        if (!history.hasValue() || history.value().count == 0) return nothing;
        std::vector<std::string> others;
        for (const auto& use : history.value().uses) {
            if (std::find(others.begin(), others.end(), use.process) == others.end()) others.push_back(use.process);
        }
        const auto more = others.size() > kMostNamed ? ", and others" : "";
        others.resize(std::min(others.size(), kMostNamed));
        return fmt::format("{} {} used it {}: {}{}. Omit --pid to show {}.", nothing,
                           byNumber(others.size(), "Another process", "Other processes"),
                           counted(history.value().count, "time"), fmt::join(others, ", "), more,
                           byNumber(others.size(), "it", "them"));
    }

    analysis::AddressQuery query_;
};

} // namespace

Command addressesCommand(CLI::App& app) {
    auto& command = *app.add_subcommand(
        "address",
        "List the blocks at an address, with their times and the code that allocated and freed them: address "
        "TRACE ADDRESS");
    const auto question = std::make_shared<AddressQuestion>();
    command
        .add_option("TRACE", question->request.traces,
                    "Trace files (.etl) of one recording, followed by the address, such as 0x7ff612340000")
        ->required();
    command.add_option("--pid", question->pid, "Only the process with this PID (default: all)");
    command.add_option("--top", question->top, "Number of uses to list, newest first (default: 100)")
        ->check(CLI::Range(1u, std::numeric_limits<std::uint32_t>::max()));
    addSymbols(command, question->request.symbols);
    addProcessExit(command, question->processExitFreesHeap);
    addStrict(command, question->request.strict);
    addFormat(command, question->request.format, {"text", "json"});
    return asking(command, question);
}

} // namespace highwater::cli
