#include "core/source/agent/backlog_memory_linux.h"

#include "core/source/agent/agent_options.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <sys/resource.h>

namespace highwater::source {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMost = std::uint64_t{4} << 30;
constexpr std::uint64_t kShare = 8;

std::optional<std::uint64_t> numberIn(const fs::path& path) {
    std::ifstream file(path);
    std::uint64_t number = 0;
    return file >> number ? std::optional(number) : std::nullopt; // "max": no limit
}

/// The number after a name at the start of a line; 0: there is none.
std::uint64_t fieldIn(const fs::path& path, std::string_view field) {
    std::ifstream file(path);
    for (std::string name, rest; file >> name;) {
        std::uint64_t number = 0;
        if (name == field && file >> number) return number;
        std::getline(file, rest);
    }
    return 0;
}

std::uint64_t freeInMachine(const fs::path& proc) { return fieldIn(proc / "meminfo", "MemAvailable:") * 1024; }

/// The memory use of a control group, without files that are only cached.
std::uint64_t usedIn(const fs::path& group) {
    const auto stat = group / "memory.stat";
    const auto cached = fieldIn(stat, "inactive_file") + fieldIn(stat, "active_file");
    const auto used = numberIn(group / "memory.current").value_or(0);
    return used - std::min(used, cached);
}

/// The free memory of a control group and its parents.
std::uint64_t freeInGroups(const fs::path& process, const fs::path& groups) {
    constexpr std::string_view kUnified = "0::/";
    auto least = std::numeric_limits<std::uint64_t>::max();
    std::ifstream file(process / "cgroup");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(kUnified)) continue;
        const auto inside = fs::path(line.substr(kUnified.size())).lexically_normal();
        auto group = groups;
        const auto look = [&] {
            const auto limit = numberIn(group / "memory.max");
            if (limit) least = std::min(least, *limit - std::min(*limit, usedIn(group)));
        };
        look();
        for (const auto& part : inside) {
            group /= part;
            look();
        }
    }
    return least;
}

} // namespace

std::uint64_t freeMemoryBytes(std::uint32_t pid, const fs::path& proc, const fs::path& groups) {
    return std::min(freeInMachine(proc), freeInGroups(proc / std::to_string(pid), groups));
}

std::uint64_t backlogMemoryBytes(std::uint32_t pid, const fs::path& proc, const fs::path& groups) {
    return std::clamp(freeMemoryBytes(pid, proc, groups) / kShare, AgentOptions{}.mostBytes, kMost);
}

std::uint64_t backlogMemoryBytes(std::uint32_t pid) {
    rlimit addresses{};
    const bool isLimited = ::getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur != RLIM_INFINITY;
    return isLimited ? AgentOptions{}.mostBytes : backlogMemoryBytes(pid, "/proc", "/sys/fs/cgroup");
}

} // namespace highwater::source
