#include "core/source/generated_code/process_facts_linux.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace highwater::source {
namespace {

constexpr std::size_t kMostMapsBytes = 16u << 20; // about a hundred thousand mappings

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

std::string readMaps(std::uint32_t pid) {
    const OwnedFile file(::open(fmt::format("/proc/{}/maps", pid).c_str(), O_RDONLY | O_CLOEXEC));
    std::string maps;
    if (!file.isOpen()) return maps;
    std::vector<char> bytes(64 * 1024);
    for (ssize_t count = 0;
         maps.size() < kMostMapsBytes && (count = ::read(file.number(), bytes.data(), bytes.size())) > 0;)
        maps.append(bytes.data(), static_cast<std::size_t>(count));
    return maps;
}

/// An executable mapping of a file.
struct CodeMapping {
    Address begin = 0;
    Address end = 0;
    std::uint64_t offset = 0;
    std::string_view file;
};

/// "BEGIN-END rights offset device inode path"
std::optional<CodeMapping> codeMappingIn(std::string_view line) {
    const auto takeHex = [&](char behind) -> std::optional<std::uint64_t> {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
        if (error != std::errc() || end == line.data() + line.size() || *end != behind) return std::nullopt;
        line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
        return value;
    };
    CodeMapping mapping;
    const auto begin = takeHex('-');
    const auto end = begin ? takeHex(' ') : std::nullopt;
    if (!end || *end <= *begin || line.size() < 5 || line[2] != 'x' || line[4] != ' ') return std::nullopt;
    line.remove_prefix(5);
    const auto offset = takeHex(' ');
    const auto path = line.find('/');
    if (!offset || path == std::string_view::npos) return std::nullopt;
    return CodeMapping{*begin, *end, *offset, line.substr(path)};
}

bool isJitdump(std::string_view name) {
    constexpr std::string_view kBegin = "jit-", kEnd = ".dump";
    if (!name.starts_with(kBegin) || !name.ends_with(kEnd) || name.size() <= kBegin.size() + kEnd.size()) return false;
    const auto number = name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size());
    return std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

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

std::optional<std::string> mappedJitdump(std::uint32_t pid) { return jitdumpIn(readMaps(pid)); }
std::optional<SecondMapping> secondMapping(std::uint32_t pid) { return secondMappingIn(readMaps(pid)); }

// No mapping in `first` is contained in another one of the same file, so the one with the highest start also has the
// highest end.
std::optional<SecondMapping> secondMappingIn(std::string_view maps) {
    std::map<std::pair<std::string_view, std::uint64_t>, CodeMapping> first; // by file and offset
    while (!maps.empty()) {
        const auto line = maps.substr(0, maps.find('\n'));
        maps.remove_prefix(std::min(maps.size(), line.size() + 1));
        const auto mapping = codeMappingIn(line);
        if (!mapping) continue;
        const auto bytes = mapping->end - mapping->begin;
        auto after = first.upper_bound({mapping->file, mapping->offset});
        if (after != first.begin() && std::prev(after)->second.file == mapping->file) {
            const auto& known = std::prev(after)->second;
            const auto distance = mapping->offset - known.offset, knownBytes = known.end - known.begin;
            const auto begin = known.begin + distance;
            if (distance < knownBytes && bytes <= knownBytes - distance)
                return SecondMapping{begin, begin + bytes, mapping->begin - begin};
        }
        const auto isPart = [&](const CodeMapping& other) {
            const auto distance = other.offset - mapping->offset;
            return other.file == mapping->file && distance < bytes && other.end - other.begin <= bytes - distance;
        };
        while (after != first.end() && isPart(after->second))
            after = first.erase(after);
        first.insert_or_assign({mapping->file, mapping->offset}, *mapping);
    }
    return std::nullopt;
}

} // namespace highwater::source
