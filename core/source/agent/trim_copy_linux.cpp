#include "core/source/agent/trim_copy_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

namespace highwater::source {

using agent::AllocatorState;

std::vector<AllocatorTrial> allocatorTrials(const agent::TrimAnswer& answer, AllocatorTrial::End end) {
    std::vector<AllocatorTrial> trials;
    for (std::size_t i = 0; i < kOtherAllocators; ++i) {
        const auto& own = answer.allocators[i];
        if (own.state == AllocatorState::Absent) continue;
        AllocatorTrial trial{.allocator = static_cast<OtherAllocator>(i)};
        const bool isCounted = own.state != AllocatorState::Counting;
        for (std::size_t number = 0; isCounted && number < kAllocatorNumbers; ++number)
            if ((own.known >> number & 1) != 0) trial.numbers[number] = own.numbers[number];
        if (own.state == AllocatorState::Released) trial.tried = own.before - std::min(own.before, own.after);
        if (own.state == AllocatorState::Counting || own.state == AllocatorState::Releasing) trial.end = end;
        trials.push_back(trial);
    }
    return trials;
}

TrimAnswerFile::TrimAnswerFile() : file_(::memfd_create("highwater-trim", MFD_CLOEXEC)) {}

std::string TrimAnswerFile::path() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), file_.number()); }

void TrimAnswerFile::clear() const {
    const agent::TrimAnswer none;
    static_cast<void>(::pwrite(file_.number(), &none, sizeof none, 0) ==
                      sizeof none); // otherwise the agent refuses the file
}

std::optional<agent::TrimAnswer> TrimAnswerFile::answer() const {
    agent::TrimAnswer answer;
    const bool isRead = ::pread(file_.number(), &answer, sizeof answer, 0) == sizeof answer;
    const bool isWorking = answer.state == agent::TrimState::Waiting || answer.state == agent::TrimState::Trying;
    return isRead && !isWorking ? std::optional(answer) : std::nullopt;
}

} // namespace highwater::source
