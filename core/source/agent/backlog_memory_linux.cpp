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

std::uint64_t freeInMachine(const fs::path& proc) {
    std::ifstream file(proc / "meminfo");
    for (std::string name, unit; file >> name;) {
        std::uint64_t kilobytes = 0;
        if (name == "MemAvailable:" && file >> kilobytes) return kilobytes * 1024;
        std::getline(file, unit);
    }
    return 0;
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
            if (limit)
                least = std::min(least, *limit - std::min(*limit, numberIn(group / "memory.current").value_or(0)));
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

std::uint64_t backlogMemoryBytes(std::uint32_t pid, const fs::path& proc, const fs::path& groups) {
    const auto free = std::min(freeInMachine(proc), freeInGroups(proc / std::to_string(pid), groups));
    return std::clamp(free / kShare, AgentOptions{}.mostBytes, kMost);
}

std::uint64_t backlogMemoryBytes(std::uint32_t pid) {
    rlimit addresses{};
    const bool isLimited = ::getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur != RLIM_INFINITY;
    return isLimited ? AgentOptions{}.mostBytes : backlogMemoryBytes(pid, "/proc", "/sys/fs/cgroup");
}

} // namespace highwater::source
