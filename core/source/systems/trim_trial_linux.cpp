#include "core/source/agent/agent_attach_linux.h"
#include "core/source/agent/agent_channel_linux.h"
#include "core/source/agent/trim_copy_linux.h"
#include "core/source/attach/process_search_linux.h"
#include "core/source/contract/trim_trial.h"
#include "core/source/systems/copy_checks_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace highwater::source {
namespace {

using agent::TrimAnswer, agent::TrimState;
using Clock = std::chrono::steady_clock;

/// It was in the middle of an allocation when it was copied, and the copy found its memory in disorder.
constexpr int kMostCopies = 8;
/// The system kills the copy then.
constexpr unsigned kTrialSeconds = 2;
constexpr auto kLimit = std::chrono::milliseconds(1'950), kPatience = std::chrono::milliseconds(4'000);

enum class Ending { Answered, OutOfTime, Fault };

struct CopyEnd {
    Ending ending = Ending::Fault;
    std::optional<TrimAnswer> answer; ///< also without other allocators, if these prevented the copy from finishing
};

CopyEnd waitForCopy(int pid, const TrimAnswerFile& file) {
    constexpr auto kLookAgain = std::chrono::milliseconds(2);
    const auto begin = Clock::now();
    while (true) {
        const bool isOver = !isAlive(std::to_string(pid)); // before its answer is read, which it wrote before
        const auto answer = file.answer();
        if (answer && answer->state != TrimState::Trimmed) return {Ending::Answered, answer};
        const auto time = Clock::now() - begin;
        if (isOver || time > kPatience) return {time >= kLimit ? Ending::OutOfTime : Ending::Fault, answer};
        std::this_thread::sleep_for(kLookAgain);
    }
}

Error notTried(ErrorKind kind, std::string_view why) {
    return {kind, fmt::format("malloc_trim() was not tried. {}", why)};
}

Result<TrimTrial> trialOf(const TrimAnswer& answer, Ending ending, std::string process, const ProcessMemory& memory) {
    if (answer.state == TrimState::Finished || answer.state == TrimState::Trimmed) {
        using End = AllocatorTrial::End;
        const auto tried = answer.before - std::min(answer.before, answer.after);
        const auto end = ending == Ending::OutOfTime ? End::TooLate : End::Failed;
        return TrimTrial{std::move(process), memory.residentBytes, tried, allocatorTrials(answer, end)};
    }
    if (answer.state == TrimState::Unlimited)
        return notTried(ErrorKind::Io, "The copy of the process could not create a timer.");
    return notTried(ErrorKind::Io, "The copy of the process could not read its resident memory in "
                                   "/proc/self/smaps_rollup, which exists since Linux 4.14.");
}

Error withReason(const Error& error) {
    return error.kind == ErrorKind::Cancelled ? error : notTried(error.kind, error.message);
}

Error notEnded(Ending ending, std::string_view title) {
    if (ending == Ending::OutOfTime)
        return {ErrorKind::Io, fmt::format("malloc_trim() did not end within 2 seconds in a copy of {}. Try "
                                           "again when the machine is less busy.",
                                           title)};
    return {ErrorKind::Io, fmt::format("malloc_trim() failed in {} copies of {} because its threads were in the middle "
                                       "of allocations. Try again when it is less busy.",
                                       kMostCopies, title)};
}

/// If a copy ended by a fault, its result is unknown, and another copy is made.
Result<TrimTrial> tryInCopies(const AgentLoad& load, const TrimAnswerFile& file, const ProcessMemory& memory,
                              const std::stop_token& stop) {
    const auto title = titleOf(load.pid);
    CopyEnd end;
    for (int copies = 0; copies < kMostCopies && end.ending == Ending::Fault; ++copies) {
        if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "The trial was stopped."};
        file.clear();
        const auto copy = callAgent(load, stop);
        if (!copy.hasValue()) return withReason(copy.error());
        auto next = waitForCopy(copy.value(), file);
        if (next.answer || !end.answer) end = next;
    }
    return end.answer ? trialOf(*end.answer, end.ending, title, memory) : notEnded(end.ending, title);
}

} // namespace

Result<TrimTrial> tryTrim(std::uint32_t pid, const std::stop_token& stop) {
    const auto memory = checkCopyable(pid, AgentFunction::TryTrim, kTrialSeconds);
    if (!memory.hasValue()) return withReason(memory.error());
    const TrimAnswerFile file;
    if (!file.isOpen()) return notTried(ErrorKind::Io, "The system refused the memory for the result.");
    AgentLoad load{pid, findAgentLibrary().string(), file.path()};
    load.function = AgentFunction::TryTrim;
    return tryInCopies(load, file, memory.value(), stop);
}

} // namespace highwater::source
