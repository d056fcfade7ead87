#include "core/source/generated_code/process_facts_linux.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace highwater::source {
namespace {

constexpr std::size_t kMostMapsBytes = 16u << 20; // a hundred thousand mappings

OwnedFile openFolder(const std::string& path) {
    return OwnedFile(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/// "Uid:  real effective saved file": the second number; "NSpid: outer ... inner": the last one.
void readStatus(std::uint32_t pid, ProcessFacts& facts) {
    std::ifstream file(fmt::format("/proc/{}/status", pid));
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "Uid:") words >> facts.owner >> facts.owner;
        if (word != "NSpid:") continue;
        for (std::uint32_t number = 0; words >> number;)
            facts.ownPid = number;
    }
}

bool isJitdump(std::string_view name) {
    constexpr std::string_view kBegin = "jit-", kEnd = ".dump";
    if (!name.starts_with(kBegin) || !name.ends_with(kEnd) || name.size() <= kBegin.size() + kEnd.size()) return false;
    const auto number = name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size());
    return std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

OwnedFile::~OwnedFile() {
    if (file_ >= 0) ::close(file_);
}

std::optional<ProcessFacts> askProcess(std::uint32_t pid) {
    ProcessFacts facts;
    facts.ownPid = pid;
    readStatus(pid, facts);
    facts.temporary = openFolder(fmt::format("/proc/{}/root/tmp", pid));
    facts.folder = openFolder(fmt::format("/proc/{}/cwd", pid));
    if (!facts.temporary.isOpen()) return std::nullopt;
    return facts;
}

std::optional<std::string> jitdumpIn(std::string_view maps) {
    while (!maps.empty()) {
        const auto line = maps.substr(0, maps.find('\n'));
        maps.remove_prefix(std::min(maps.size(), line.size() + 1));
        const auto path = line.find('/');
        if (path != std::string_view::npos && isJitdump(fileName(line.substr(path))))
            return std::string(line.substr(path));
    }
    return std::nullopt;
}

std::optional<std::string> mappedJitdump(std::uint32_t pid) {
    const OwnedFile file(::open(fmt::format("/proc/{}/maps", pid).c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.isOpen()) return std::nullopt;
    std::string maps;
    char bytes[64 * 1024];
    for (ssize_t count = 0; maps.size() < kMostMapsBytes && (count = ::read(file.number(), bytes, sizeof bytes)) > 0;)
        maps.append(bytes, static_cast<std::size_t>(count));
    return jitdumpIn(maps);
}

} // namespace highwater::source
