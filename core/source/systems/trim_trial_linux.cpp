#include "core/base/text.h"
#include "core/source/agent/agent_attach_linux.h"
#include "core/source/agent/agent_channel_linux.h"
#include "core/source/agent/backlog_memory_linux.h"
#include "core/source/agent/trim_copy_linux.h"
#include "core/source/contract/process_memory.h"
#include "core/source/contract/trim_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <optional>
#include <thread>
#include <unistd.h>

namespace highwater::source {
namespace {

using agent::TrimAnswer, agent::TrimState;
using Clock = std::chrono::steady_clock;

/// It was in the middle of an allocation when it was copied, and the copy found its memory in disorder.
constexpr int kMostCopies = 8;
/// The system kills the copy after two seconds.
constexpr auto kLimit = std::chrono::milliseconds(1'950), kPatience = std::chrono::milliseconds(4'000);

std::string titleOf(std::uint32_t pid) {
    std::string name;
    std::getline(std::ifstream(fmt::format("/proc/{}/comm", pid)), name);
    return fmt::format("{} ({})", printable(name), pid);
}

/// Also true for a copy that has ended but for which init has not waited yet.
bool hasEnded(int pid) {
    std::ifstream file(fmt::format("/proc/{}/stat", pid));
    std::string line;
    std::getline(file, line);
    const auto bracket = line.rfind(')');
    return bracket == std::string::npos || bracket + 2 >= line.size() || line[bracket + 2] == 'Z' ||
           line[bracket + 2] == 'X';
}

enum class Ending { Answered, OutOfTime, Fault };

struct CopyEnd {
    Ending ending = Ending::Fault;
    std::optional<TrimAnswer> answer; ///< also without other allocators, if these prevented the copy from finishing
};

CopyEnd waitForCopy(int pid, const TrimAnswerFile& file) {
    constexpr auto kLookAgain = std::chrono::milliseconds(2);
    const auto begin = Clock::now();
    while (true) {
        const bool isOver = hasEnded(pid); // before its answer is read, which it wrote before
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

Result<void> checkMemory(std::uint32_t pid, const ProcessMemory& memory) {
    const auto needed = copyNeeds(memory.privateBytes, std::max(1u, std::thread::hardware_concurrency()));
    const auto free = freeMemoryBytes(pid);
    if (free >= needed) return {};
    return notTried(
        ErrorKind::Io,
        fmt::format(
            "A copy of {} may need {}, but only {} are free on this machine and in the control groups of the process.",
            titleOf(pid), megabytes(needed), megabytes(free)));
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
    if (const auto refused = checkAttachable(pid, AgentFunction::TryTrim); !refused.hasValue())
        return withReason(refused.error());
    const auto memory = memoryOf(pid);
    if (!memory) return notTried(ErrorKind::NotFound, fmt::format("Process {} has ended.", pid));
    TRY(checkMemory(pid, *memory));
    const TrimAnswerFile file;
    if (!file.isOpen()) return notTried(ErrorKind::Io, "The system refused the memory for the result.");
    AgentLoad load{pid, findAgentLibrary().string(), file.path()};
    load.function = AgentFunction::TryTrim;
    return tryInCopies(load, file, *memory, stop);
}

} // namespace highwater::source
