#include "core/source/wpr/wpr_snapshots.h"

#include "core/base/text.h"
#include "core/source/wpr/wpr_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace highwater::source {
namespace {

using std::chrono::seconds;

constexpr std::size_t kMostPids = 8; // the limit of wpr
constexpr std::uint32_t kShortestPeriod = 5;
constexpr seconds kForSettings{30}, kForStart{120}, kForSnapshot{300}, kForSaving{900};

std::vector<std::string> withPids(std::vector<std::string> command, const std::vector<std::uint32_t>& pids) {
    for (const auto pid : pids)
        command.push_back(std::to_string(pid));
    return command;
}

std::vector<std::string> configOf(std::uint32_t pid, const char* what) {
    return {"-snapshotconfig", "heap", "-pid", std::to_string(pid), what};
}

std::vector<std::string> configOf(const std::string& name, const char* what) {
    return {"-snapshotconfig", "heap", "-name", name, what};
}

const std::vector<std::string> kCancel{"-cancel"};
const std::vector<std::string> kStart{"-start", "heapsnapshot", "-filemode"};
const std::vector<std::string> kNoPeriod{"-disableperiodicsnapshot", "heap"};

/// A file name that wpr cannot mistake for an option, a folder or several words.
bool isProgramName(const std::string& name) {
    return !name.starts_with('-') && name.find_first_of("\\/:*?\"<>|\t\r\n") == std::string::npos;
}

} // namespace

Result<void> checkPlan(const SnapshotPlan& plan) {
    const auto usage = [](std::string sentence) { return Error{ErrorKind::Usage, std::move(sentence)}; };
    if (plan.pids.empty() && plan.name.empty()) return usage("Specify the processes to take snapshots of.");
    if (plan.pids.size() > kMostPids)
        return usage(fmt::format("Windows takes heap snapshots of at most {} processes at a time.", kMostPids));
    if (std::ranges::find(plan.pids, 0u) != plan.pids.end()) return usage("0 is not a process.");
    if (!isProgramName(plan.name)) return usage(fmt::format("{} is not the name of a program.", plan.name));
    if (plan.everySeconds == 0) return {};
    if (plan.everySeconds < kShortestPeriod)
        return usage(fmt::format("Windows takes heap snapshots at most every {} seconds.", kShortestPeriod));
    if (plan.pids.empty()) return usage("Periodic snapshots need a process ID; a program name is not enough.");
    return {};
}

WprSnapshots::WprSnapshots(WprRunner& runner, WprJournal journal, std::uint32_t owner, SnapshotPlan plan)
    : runner_(runner), journal_(std::move(journal)), plan_(std::move(plan)), undo_{owner, {}} {}

WprSnapshots::~WprSnapshots() { (void)takeBack(); }

Result<std::unique_ptr<SnapshotRecording>> WprSnapshots::start(WprRunner& runner, WprJournal journal,
                                                               std::uint32_t owner, const SnapshotPlan& plan) {
    TRY(checkPlan(plan));
    if (!journal.read().commands.empty())
        return Error{ErrorKind::AccessDenied,
                     "Another heap snapshot recording is running, or its changes could not be undone. See "
                     "highwater-cli cleanup."};
    std::unique_ptr<WprSnapshots> snapshots(new WprSnapshots(runner, std::move(journal), owner, plan));
    if (auto begun = snapshots->begin(); !begun.hasValue()) {
        auto error = begun.error();
        for (const auto& sentence : snapshots->takeBack())
            error.message += ' ' + sentence;
        return error;
    }
    return std::unique_ptr<SnapshotRecording>(std::move(snapshots));
}

Result<void> WprSnapshots::begin() {
    TRY(checkVersion());
    for (const auto pid : plan_.pids) {
        TRY(change(configOf(pid, "enable"), configOf(pid, "disable"), kForSettings));
    }
    if (!plan_.name.empty()) {
        TRY(change(configOf(plan_.name, "enable"), configOf(plan_.name, "disable"), kForSettings));
    }
    TRY(change(kStart, kCancel, kForStart));
    if (plan_.everySeconds == 0) return {};
    const Command period{"-enableperiodicsnapshot", "heap", std::to_string(plan_.everySeconds)};
    return change(withPids(period, plan_.pids), kNoPeriod, kForSettings);
}

/// Checks the help text, because old versions do not support snapshots.
Result<void> WprSnapshots::checkVersion() {
    const Command help{"-help"};
    const auto outcome = runner_.run(help, kForSettings);
    if (outcome.kind != WprOutcome::Kind::Ended) return wprError(help, outcome);
    auto output = outcome.output;
    std::ranges::transform(output, output.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    if (output.find("snapshotconfig") != std::string::npos) return {};
    return Error{ErrorKind::Unsupported,
                 "The wpr.exe of this Windows is too old. Heap snapshots need Windows 10, version 1803, or later."};
}

Result<void> WprSnapshots::run(const Command& command, seconds limit) {
    const auto outcome = runner_.run(command, limit);
    if (outcome.isDone()) return {};
    return wprError(command, outcome);
}

/// A failed command has changed nothing; the result of a command that timed out is not known.
Result<void> WprSnapshots::change(const Command& command, const Command& undoing, seconds limit) {
    undo_.commands.insert(undo_.commands.begin(), undoing);
    if (auto noted = journal_.write(undo_); !noted.hasValue()) {
        undo_.commands.erase(undo_.commands.begin());
        return noted;
    }
    const auto outcome = runner_.run(command, limit);
    if (outcome.isDone()) return {};
    if (outcome.kind != WprOutcome::Kind::TimedOut) forget(undoing);
    return wprError(command, outcome);
}

void WprSnapshots::forget(const Command& undoing) {
    const auto found = std::ranges::find(undo_.commands, undoing);
    if (found == undo_.commands.end()) return;
    undo_.commands.erase(found);
    (void)journal_.write(undo_); // an extra command in the journal does no harm
}

Result<void> WprSnapshots::takeSnapshot() {
    if (plan_.pids.empty())
        return Error{ErrorKind::Usage, "Windows takes snapshots by process ID, and no process ID is known."};
    return run(withPids({"-singlesnapshot", "heap"}, plan_.pids), kForSnapshot);
}

/// -stop ends the recording just as -cancel does, so -cancel is not run after it.
Result<std::vector<std::string>> WprSnapshots::stop(const std::filesystem::path& output) {
    std::vector<std::string> sentences;
    if (std::ranges::find(undo_.commands, kNoPeriod) != undo_.commands.end()) {
        const auto ended = run(kNoPeriod, kForSettings);
        if (!ended.hasValue()) sentences.push_back(ended.error().message);
        forget(kNoPeriod);
    }
    const auto saved = run({"-stop", utf8(output)}, kForSaving);
    if (saved.hasValue()) forget(kCancel);
    for (auto& sentence : takeBack())
        sentences.push_back(std::move(sentence));
    if (saved.hasValue()) return sentences;
    auto error = saved.error();
    for (const auto& sentence : sentences)
        error.message += ' ' + sentence;
    return error;
}

/// Commands that cannot be undone stay in the journal and are retried when the program starts again.
std::vector<std::string> WprSnapshots::takeBack() {
    std::vector<std::string> sentences;
    if (undo_.commands.empty()) return sentences;
    for (const auto& command : std::exchange(undo_.commands, {})) {
        if (const auto done = run(command, kForSettings); done.hasValue()) continue;
        undo_.commands.push_back(command);
        sentences.push_back(fmt::format("A change could not be undone. Run {}.", wprCommandText(command)));
    }
    (void)journal_.write(undo_);
    undo_.commands.clear(); // not twice
    return sentences;
}

std::vector<std::string> takeBackLeftovers(WprRunner& runner, WprJournal& journal,
                                           const std::function<bool(std::uint32_t pid)>& isRunning) {
    std::vector<std::string> sentences;
    auto leftovers = journal.read();
    if (leftovers.commands.empty() || isRunning(leftovers.owner)) return sentences;
    std::vector<std::vector<std::string>> left;
    for (const auto& command : leftovers.commands) {
        const auto outcome = runner.run(command, kForSettings);
        if (outcome.isDone()) {
            sentences.push_back(
                fmt::format("An interrupted heap snapshot recording was undone: {}.", wprCommandText(command)));
            continue;
        }
        auto error = wprError(command, outcome);
        // Other failures need no retry: the process has ended, along with its database, or the change was undone by
        // other means.
        const bool isWorthAnotherTry = outcome.kind != WprOutcome::Kind::Ended || error.kind == ErrorKind::AccessDenied;
        if (isWorthAnotherTry) left.push_back(command);
        sentences.push_back(std::move(error.message));
    }
    leftovers.commands = std::move(left);
    (void)journal.write(leftovers);
    return sentences;
}

} // namespace highwater::source
