#include "core/source/agent/copy_file_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

namespace highwater::source {
namespace {

bool prepare(int file) {
    const agent::CopyAnswer asked{.requester = static_cast<std::uint64_t>(::getpid())};
    return ::flock(file, LOCK_EX | LOCK_NB) == 0 && ::pwrite(file, &asked, sizeof asked, 0) == sizeof asked;
}

} // namespace

CopyFile::CopyFile() : file_(::memfd_create(agent::kCopyName, MFD_CLOEXEC)), isReady_(prepare(file_.number())) {}

std::string CopyFile::path() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), file_.number()); }

std::optional<agent::CopyAnswer> CopyFile::answer() const {
    agent::CopyAnswer answer;
    const bool isRead = ::pread(file_.number(), &answer, sizeof answer, 0) == sizeof answer;
    return isRead ? std::optional(answer) : std::nullopt;
}

std::vector<agent::CopyThreadRecord> CopyFile::threads() const {
    const auto answered = answer();
    if (!answered) return {};
    std::vector<agent::CopyThreadRecord> records(std::min(answered->stop.threads, agent::kMostCopiedThreads));
    const auto bytes = ::pread(file_.number(), records.data(), records.size() * sizeof(agent::CopyThreadRecord),
                               sizeof(agent::CopyAnswer));
    records.resize(static_cast<std::size_t>(std::max<ssize_t>(bytes, 0)) / sizeof(agent::CopyThreadRecord));
    return records;
}

} // namespace highwater::source
