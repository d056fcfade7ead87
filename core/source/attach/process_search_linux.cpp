#include "core/source/attach/process_search_linux.h"

#include "core/agent_linux/programs/process_status.h"
#include "core/event/agent_names.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <unistd.h>

namespace highwater::source {
namespace {

std::string contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// "BEGIN-END rights offset device INODE path"
bool isMappingOf(std::string_view line, std::uint64_t inode) {
    const auto name = line.find(kAgentChannelMapping);
    if (name == std::string_view::npos) return false;
    const auto number = fmt::format(" {} ", inode);
    return line.substr(0, name).find(number) != std::string_view::npos;
}

} // namespace

std::vector<std::uint32_t> numbersIn(const std::string& folder) {
    std::vector<std::uint32_t> numbers;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const auto name = it->path().filename().string();
        std::uint32_t number = 0;
        const auto* const last = name.data() + name.size();
        if (std::from_chars(name.data(), last, number).ptr == last) numbers.push_back(number);
    }
    return numbers;
}

std::uint32_t findByOwnNumber(const std::string& folder, std::uint32_t own,
                              const std::function<bool(std::uint32_t)>& isWanted) {
    for (const auto number : numbersIn(folder)) {
        const auto status = contentOf(fmt::format("{}/{}/status", folder, number));
        if (agent::ownNumberIn(status.c_str()) == own && isWanted(number)) return number;
    }
    return 0;
}

bool mapsChannel(std::uint32_t pid, const ChannelTraces& channel) {
    std::ifstream lines(fmt::format("/proc/{}/maps", pid));
    for (std::string line; std::getline(lines, line);)
        if (isMappingOf(line, channel.inode)) return true;
    return false;
}

std::vector<std::uint32_t> processesWith(const ChannelTraces& channel) {
    constexpr int kMostLists = 10; // new processes may start all the time elsewhere on the machine
    const auto self = static_cast<std::uint32_t>(::getpid());
    std::vector<std::uint32_t> found;
    std::set<std::uint32_t> before;
    for (int lists = 0; lists < kMostLists && found.empty(); ++lists) {
        bool isAnyNew = false;
        std::set<std::uint32_t> listed;
        for (const auto pid : numbersIn("/proc")) {
            listed.insert(pid);
            isAnyNew = isAnyNew || !before.contains(pid);
            if (pid == self || pid == channel.watch) continue;
            const bool namesChannel =
                contentOf(fmt::format("/proc/{}/environ", pid)).find(channel.path) != std::string::npos;
            if (namesChannel || mapsChannel(pid, channel)) found.push_back(pid);
        }
        // A process that ended before it was examined may have started another one after the list was read.
        if (!isAnyNew) break;
        before = std::move(listed);
    }
    return found;
}

bool isAlive(const std::string& folder) {
    const auto stat = contentOf("/proc/" + folder + "/stat");
    const auto bracket = stat.rfind(") ");
    return bracket != std::string::npos && stat.find_first_of("ZX", bracket + 2) != bracket + 2;
}

} // namespace highwater::source
