#include "core/files/owned_file_linux.h"
#include "core/source/contract/resident_memory.h"
#include "core/source/systems/resident_pages_linux.h"
#include "core/source/systems/run_joiner.h"
#include "core/source/systems/sampling_error.h"
#include "core/source/systems/smaps_linux.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace highwater::source {
namespace {

/// The process may map memory, or execute another program, during one of them.
constexpr int kMostAttempts = 5;

/// Unlike pids, which the system assigns again, the folder stays that of its process.
class ProcessFolder {
  public:
    explicit ProcessFolder(std::uint32_t pid)
        : pid_(pid), folder_(::open(fmt::format("/proc/{}", pid).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}

    [[nodiscard]] bool isOpen() const { return folder_.isOpen(); }
    [[nodiscard]] const OwnedFile& file() const { return folder_; }
    [[nodiscard]] std::uint32_t pid() const { return pid_; }
    /// The process exists although its folder does not.
    [[nodiscard]] bool isHidden() const {
        return !isOpen() && (::kill(static_cast<pid_t>(pid_), 0) == 0 || errno == EPERM);
    }
    [[nodiscard]] Error notSampled(std::string_view reason) const { return source::notSampled(described(), reason); }
    [[nodiscard]] Error unreadable(const char* name, int error) const {
        if (error == EACCES || error == EPERM)
            return notSampled(
                fmt::format("the system denied access to /proc/{}/{}. The process belongs to another user "
                            "or protects its memory",
                            pid_, name));
        return notSampled(fmt::format("/proc/{}/{} cannot be read ({})", pid_, name, std::strerror(error)));
    }

  private:
    /// "redis-server (1234)"
    [[nodiscard]] std::string described() const {
        const auto file = openIn(folder_, "comm");
        std::array<char, 64> name{};
        const auto bytes = file.isOpen() ? ::read(file.number(), name.data(), name.size()) : 0;
        std::string text(name.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
        while (!text.empty() && text.back() == '\n')
            text.pop_back();
        return text.empty() ? fmt::format("process {}", pid_) : fmt::format("{} ({})", text, pid_);
    }

    std::uint32_t pid_;
    OwnedFile folder_;
};

bool hasEnded(int error) { return error == ENOENT || error == ESRCH; }

void addPages(ResidentSample& sample, ResidentPages& pages) {
    for (auto& mapping : sample.mappings) {
        if (!isPrivateAnonymous(mapping)) continue;
        auto runs = mapping.resident > 0 ? pages.of(mapping.begin, mapping.end) : ResidentRuns();
        if (!runs) continue;
        mapping.pages = std::move(*runs);
        mapping.flags |= mapping_flag::kPages;
    }
}

using Answer = std::optional<ResidentSample>;

Result<Answer> endedOrUnreadable(const ProcessFolder& folder, const char* name, int error) {
    if (hasEnded(error)) return Answer();
    return folder.unreadable(name, error);
}

/// The mappings may contradict each other if the process changes them meanwhile.
Result<Answer> sampleOnce(const ProcessFolder& folder) {
    const auto map = openIn(folder.file(), "smaps");
    if (!map.isOpen()) return endedOrUnreadable(folder, "smaps", errno);
    const auto bits = openIn(folder.file(), "pagemap");
    if (!bits.isOpen()) return endedOrUnreadable(folder, "pagemap", errno);
    SmapsReader smaps;
    if (const int error = smaps.takeFile(map.number()); error != 0) return endedOrUnreadable(folder, "smaps", error);
    auto sample = smaps.finish();
    if (sample.mappings.empty()) return Answer();
    ResidentPages pages(bits.number(), ResidentPages::best());
    addPages(sample, pages);
    // The map of a process that ends meanwhile is cut off without an error.
    if (!pages.isAlive(sample.mappings.front().begin)) return Answer();
    sample.pid = folder.pid();
    return Answer(std::move(sample));
}

} // namespace

Result<Answer> residentMemoryOf(std::uint32_t pid) {
    const ProcessFolder folder(pid);
    if (folder.isHidden()) return folder.notSampled("/proc hides the processes of other users (mount option hidepid)");
    if (!folder.isOpen()) return Answer();
    bool isEnding = true;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
        auto sample = TRY(sampleOnce(folder));
        if (sample && isValid(*sample)) return sample;
        isEnding = !sample;
    }
    if (isEnding) return Answer();
    return folder.notSampled("it changes its mappings faster than the system lists them");
}

} // namespace highwater::source
