#include "app/tools/fleet/command/fleet_answers.h"

#include "app/tools/fleet/command/answer_lines.h"
#include "app/tools/fleet/command/fleet_words.h"
#include "core/base/text.h"
#include "core/export/csv_text.h"
#include "core/export/json_text.h"
#include "core/summary/resident_facts.h"
#include "core/summary/stack_key.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>

namespace highwater::cli {
namespace {

using exports::Json, fleet::FleetStack, fleet::Measure, fleet::Side;

Json answerJson() { return Json{{"schema_version", exports::kSchemaVersion}}; }

Json timeJson(const std::optional<std::int64_t>& unixNanos) {
    return unixNanos ? Json(timeCell(*unixNanos).plain + 'Z') : Json();
}

Json sideJson(const Side& side) {
    return {{"runs", side.runs},
            {"machines", side.machines},
            {"machines_with", side.machinesWith},
            {"median", side.median},
            {"p95", side.p95}};
}

void addStack(const FleetStack& stack, Measure measure, Json& json) {
    if (!isOfProcesses(measure)) {
        json["owner"] = stack.owner;
        json["stack"] = stack.frames;
        json["key"] = summary::text(stack.key);
        json["table"] = analysis::tableWord(stack.table);
    }
    json["process"] = stack.process;
}

Json factsJson(const summary::RunFacts& facts) {
    Json labels = Json::object();
    for (const auto& [name, value] : facts.labels)
        labels[name] = value;
    return {{"run", facts.run},
            {"build", facts.build},
            {"machine", facts.machine},
            {"scenario", facts.scenario},
            {"labels", std::move(labels)},
            {"recorded", timeJson(facts.recordedAt)},
            {"duration_s", exports::secondsJson(TraceTime{facts.duration})},
            {"whole", facts.isWhole},
            {"trace", facts.trace}};
}

void addTimes(const fleet::WorstRun& run, Json& json) {
    json["start_s"] = exports::secondsJson(TraceTime{run.start});
    json["end_s"] = exports::secondsJson(TraceTime{run.end});
    json["first_s"] = exports::secondsJson(TraceTime{run.first});
    json["last_s"] = exports::secondsJson(TraceTime{run.last});
}

bool isBytes(Measure measure) { return measure != Measure::InuseObjects && measure != Measure::AllocObjects; }

AnswerCell cellOf(std::int64_t value, Measure measure) {
    return isBytes(measure) ? bytesCell(value) : numberCell(value);
}

AnswerCell machinesCell(const Side& side) {
    const auto text = fmt::format("{}/{}", side.machinesWith, side.machines);
    return {text, text, true};
}

/// The stack as one CSV field, innermost first as in JSON.
std::string joined(const std::vector<std::string>& frames) {
    return fmt::format("{}", fmt::join(frames, std::string(1, exports::kFrameSeparator)));
}

AnswerCell recordedCell(const std::optional<std::int64_t>& unixNanos) {
    return unixNanos ? timeCell(*unixNanos) : textCell("");
}

Json amountJson(const std::optional<std::int64_t>& bytes) { return bytes ? Json(*bytes) : Json(); }

AnswerCell amountCell(const std::optional<std::int64_t>& bytes) {
    return bytes ? bytesCell(*bytes) : AnswerCell{"unknown", "", true};
}

/// Prints the frames of each stack below a text list, to distinguish stacks with the same owner.
void writeStacks(const std::vector<const FleetStack*>& stacks, std::ostream& out) {
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        out << fmt::format("\n{}. {} of {}, {}, --stack {}\n", i + 1, printable(stacks[i]->owner),
                           printable(stacks[i]->process), analysis::tableWord(stacks[i]->table),
                           summary::text(stacks[i]->key));
        for (const auto& frame : stacks[i]->frames)
            out << "   " << printable(frame) << '\n';
        if (stacks[i]->frames.empty()) out << "   (no stack)\n";
    }
}

/// A list of stacks or processes: values first, then the stack, or the process alone.
class StackLines {
  public:
    StackLines(std::vector<AnswerTitle> titles, Measure measure)
        : lines_{std::move(titles), {}}, areProcesses_(isOfProcesses(measure)) {
        lines_.titles.push_back({"Process", "process"});
        if (areProcesses_) return;
        lines_.titles.push_back({"Table", "table"});
        lines_.titles.push_back({"Owner", "owner"});
    }
    /// The stack must outlive this object.
    void add(const FleetStack& stack, std::vector<AnswerCell> cells) {
        cells.push_back(textCell(stack.process));
        if (!areProcesses_) {
            cells.push_back(textCell(std::string(analysis::tableWord(stack.table))));
            cells.push_back(textCell(stack.owner));
            stacks_.push_back(&stack);
        }
        lines_.rows.push_back(std::move(cells));
    }
    /// Frames are below the list in text, and in columns for programs.
    void write(std::string_view format, std::ostream& out) {
        if (format != "csv") {
            writeText(lines_, out);
            return writeStacks(stacks_, out);
        }
        if (!areProcesses_)
            for (const auto* plain : {"key", "stack"})
                lines_.titles.push_back({{}, plain});
        for (std::size_t i = 0; i < stacks_.size(); ++i) {
            auto& row = lines_.rows[i];
            row.insert(row.end(), {textCell(summary::text(stacks_[i]->key)), textCell(joined(stacks_[i]->frames))});
        }
        writeCsv(lines_, out);
    }

  private:
    AnswerLines lines_;
    bool areProcesses_;
    std::vector<const FleetStack*> stacks_;
};

} // namespace

void FleetAnswers::write(const std::vector<fleet::RunRow>& runs) const {
    if (format_ == "json") {
        auto json = answerJson();
        json["runs"] = Json::array();
        for (const auto& run : runs) {
            auto row = factsJson(run.facts);
            row["bytes"] = run.facts.bytes;
            row["recorder"] = run.facts.recorder;
            row["system"] = run.facts.system;
            row["added"] = timeJson(run.addedAt);
            row["samples"] = run.sampleCount;
            row["inuse_space"] = run.inuseSpace;
            row["rss_peak"] = amountJson(summary::rssPeakOf(run.facts));
            row["held"] = amountJson(summary::heldOf(run.facts));
            row["health"] = run.facts.health;
            row["windows"] = run.windows;
            json["runs"].push_back(std::move(row));
        }
        out_ << exports::dumped(json) << '\n';
        return;
    }
    AnswerLines lines{{{"Build", "build"},
                       {"Machine", "machine"},
                       {"Scenario", "scenario"},
                       {"Recorded (UTC)", "recorded"},
                       {"Seconds", "duration_s"},
                       {"In use", "inuse_space"},
                       {"Rss peak", "rss_peak"},
                       {"Held", "held"},
                       {"Samples", "samples"},
                       {"Whole", "whole"},
                       {"Run", "run"},
                       {"Trace", "trace"}},
                      {}};
    for (const auto& [facts, addedAt, samples, inuse, windows] : runs) {
        auto seconds = textCell(secondsText(TraceTime{facts.duration}));
        seconds.isNumber = true;
        lines.rows.push_back({textCell(facts.build), textCell(facts.machine), textCell(facts.scenario),
                              recordedCell(facts.recordedAt), seconds, bytesCell(inuse),
                              amountCell(summary::rssPeakOf(facts)), amountCell(summary::heldOf(facts)),
                              numberCell(std::uint64_t{samples}), textCell(facts.isWhole ? "yes" : "no"),
                              textCell(facts.run), textCell(facts.trace)});
    }
    format_ == "csv" ? writeCsv(lines, out_) : writeText(lines, out_);
}

void FleetAnswers::write(const fleet::GrewAnswer& answer, Measure measure) const {
    if (format_ == "json") {
        auto json = answerJson();
        json["measure"] = measureWord(measure);
        json["tested"] = answer.tested;
        json["significant"] = answer.significant;
        json["notes"] = answer.notes;
        json["rows"] = Json::array();
        for (const auto& row : answer.rows) {
            Json one = Json::object();
            addStack(row.stack, measure, one);
            one["from"] = sideJson(row.from);
            one["to"] = sideJson(row.to);
            one["growth"] = row.growth;
            one["p"] = row.p;
            json["rows"].push_back(std::move(one));
        }
        out_ << exports::dumped(json) << '\n';
        return;
    }
    StackLines lines{{{"Growth", "growth"},
                      {"From", "from_median"},
                      {"To", "to_median"},
                      {"From p95", "from_p95"},
                      {"To p95", "to_p95"},
                      {"Machines", "from_machines"},
                      {"then", "to_machines"},
                      {"p", "p"}},
                     measure};
    for (const auto& row : answer.rows) {
        AnswerCell p{fmt::format("{:.2g}", row.p), fmt::format("{}", row.p), true};
        lines.add(row.stack, {cellOf(row.growth, measure), cellOf(row.from.median, measure),
                              cellOf(row.to.median, measure), cellOf(row.from.p95, measure),
                              cellOf(row.to.p95, measure), machinesCell(row.from), machinesCell(row.to), p});
    }
    lines.write(format_, out_);
}

void FleetAnswers::write(const fleet::HistoryAnswer& answer, Measure measure) const {
    if (format_ == "json") {
        auto json = answerJson();
        json["measure"] = measureWord(measure);
        addStack(answer.stack, measure, json);
        if (isOfProcesses(measure)) json["runs_unknown"] = answer.runsUnknown;
        json["first_bad"] = answer.firstBad ? Json(answer.builds[*answer.firstBad].build) : Json();
        json["mended"] = answer.mended ? Json(answer.builds[*answer.mended].build) : Json();
        json["builds"] = Json::array();
        for (const auto& build : answer.builds) {
            auto row = sideJson(build.side);
            row["build"] = build.build;
            row["recorded"] = timeJson(build.firstRecordedAt);
            json["builds"].push_back(std::move(row));
        }
        out_ << exports::dumped(json) << '\n';
        return;
    }
    AnswerLines lines{{{"Build", "build"},
                       {"Recorded (UTC)", "recorded"},
                       {"Runs", "runs"},
                       {"Machines", "machines"},
                       {"Median", "median"},
                       {"p95", "p95"},
                       {"", "first_bad"},
                       {"", "mended"}},
                      {}};
    for (std::size_t i = 0; i < answer.builds.size(); ++i) {
        const auto& [build, recordedAt, side] = answer.builds[i];
        const bool isFirstBad = answer.firstBad == i;
        const bool isMended = answer.mended == i;
        lines.rows.push_back({textCell(build), recordedCell(recordedAt), numberCell(std::uint64_t{side.runs}),
                              machinesCell(side), cellOf(side.median, measure), cellOf(side.p95, measure),
                              AnswerCell{isFirstBad ? "first bad" : "", isFirstBad ? "1" : "0"},
                              AnswerCell{isMended ? "mended" : "", isMended ? "1" : "0"}});
    }
    if (format_ == "csv") return writeCsv(lines, out_);
    writeText(lines, out_);
    if (!isOfProcesses(measure)) writeStacks({&answer.stack}, out_);
}

void FleetAnswers::write(const fleet::WorstAnswer& answer, Measure measure) const {
    const bool areProcesses = isOfProcesses(measure);
    if (format_ == "json") {
        auto json = answerJson();
        json["measure"] = measureWord(measure);
        if (areProcesses) json["runs_unknown"] = answer.runsUnknown;
        json["runs"] = Json::array();
        for (const auto& run : answer.runs) {
            auto row = factsJson(run.facts);
            row["process"] = run.process;
            row["value"] = run.value;
            if (!areProcesses) addTimes(run, row);
            json["runs"].push_back(std::move(row));
        }
        out_ << exports::dumped(json) << '\n';
        return;
    }
    AnswerLines lines{{{"Value", "value"}, {"Build", "build"}, {"Machine", "machine"}, {"Process", "process"}}, {}};
    if (!areProcesses)
        lines.titles.insert(lines.titles.end(), {{"First row (s)", "first_s"}, {"Last row (s)", "last_s"}});
    lines.titles.insert(lines.titles.end(), {{"Run", "run"}, {"Trace", "trace"}});
    const auto seconds = [](std::int64_t ns) {
        auto cell = textCell(secondsText(TraceTime{ns}));
        cell.isNumber = true;
        return cell;
    };
    for (const auto& run : answer.runs) {
        auto& row = lines.rows.emplace_back(std::vector{cellOf(run.value, measure), textCell(run.facts.build),
                                                        textCell(run.facts.machine), textCell(run.process)});
        if (!areProcesses) row.insert(row.end(), {seconds(run.first), seconds(run.last)});
        row.insert(row.end(), {textCell(run.facts.run), textCell(run.facts.trace)});
    }
    format_ == "csv" ? writeCsv(lines, out_) : writeText(lines, out_);
}

void FleetAnswers::write(const std::vector<fleet::SlopeRow>& rows) const {
    if (format_ == "json") {
        auto json = answerJson();
        json["measure"] = measureWord(Measure::Slope);
        json["rows"] = Json::array();
        for (const auto& row : rows) {
            Json one = Json::object();
            addStack(row.stack, Measure::Slope, one);
            one["slope"] = sideJson(row.side);
            json["rows"].push_back(std::move(one));
        }
        out_ << exports::dumped(json) << '\n';
        return;
    }
    StackLines lines{{{"Per hour", "median"}, {"p95", "p95"}, {"Machines", "machines"}}, Measure::Slope};
    for (const auto& row : rows)
        lines.add(row.stack, {bytesCell(row.side.median), bytesCell(row.side.p95), machinesCell(row.side)});
    lines.write(format_, out_);
}

void FleetAnswers::write(const std::vector<fleet::HealthRow>& rows) const {
    if (format_ == "json") {
        auto json = answerJson();
        json["rows"] = Json::array();
        for (const auto& row : rows)
            json["rows"].push_back({{"build", row.build},
                                    {"machine", row.machine},
                                    {"runs", row.runs},
                                    {"runs_not_whole", row.runsNotWhole},
                                    {"events_lost", row.eventsLost},
                                    {"buffers_lost", row.buffersLost},
                                    {"stacks_unresolved", row.stacksUnresolved},
                                    {"frames_unnamed", row.framesUnnamed}});
        out_ << exports::dumped(json) << '\n';
        return;
    }
    AnswerLines lines{{{"Build", "build"},
                       {"Machine", "machine"},
                       {"Runs", "runs"},
                       {"Not whole", "runs_not_whole"},
                       {"Events lost", "events_lost"},
                       {"Buffers lost", "buffers_lost"},
                       {"Stacks unresolved", "stacks_unresolved"},
                       {"Functions unnamed", "frames_unnamed"}},
                      {}};
    for (const auto& row : rows)
        lines.rows.push_back({textCell(row.build), textCell(row.machine), numberCell(std::uint64_t{row.runs}),
                              numberCell(std::uint64_t{row.runsNotWhole}), numberCell(row.eventsLost),
                              numberCell(row.buffersLost), numberCell(row.stacksUnresolved),
                              numberCell(std::uint64_t{row.framesUnnamed})});
    format_ == "csv" ? writeCsv(lines, out_) : writeText(lines, out_);
}

} // namespace highwater::cli
