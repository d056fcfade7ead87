#include "core/source/systems/smaps_linux.h"

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <optional>
#include <unistd.h>
#include <utility>
#include <vector>

namespace highwater::source {
namespace {

constexpr ByteCount kKilobyte = 1024;
constexpr std::size_t kReadBytes = std::size_t{64} << 10;
constexpr std::string_view kEscapedNewline = "\\012"; ///< the only character that the kernel escapes in these names

/// Removes the first word and the blanks after it. Empty at the end of the line.
std::string_view takeWord(std::string_view& line) {
    const auto end = line.find(' ');
    const auto word = line.substr(0, end);
    const auto next = end == std::string_view::npos ? end : line.find_first_not_of(' ', end);
    line = next == std::string_view::npos ? std::string_view() : line.substr(next);
    return word;
}

std::optional<std::uint64_t> numberIn(std::string_view text, int base) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::uint32_t flagsOf(std::string_view permissions) {
    std::uint32_t flags = 0;
    if (permissions.size() < 4) return flags;
    if (permissions[0] == 'r') flags |= mapping_flag::kRead;
    if (permissions[1] == 'w') flags |= mapping_flag::kWrite;
    if (permissions[2] == 'x') flags |= mapping_flag::kExecute;
    if (permissions[3] == 's') flags |= mapping_flag::kShared;
    return flags;
}

std::string unescaped(std::string_view name) {
    std::string text;
    for (auto at = name.find(kEscapedNewline); at != std::string_view::npos; at = name.find(kEscapedNewline)) {
        text += name.substr(0, at);
        text += '\n';
        name.remove_prefix(at + kEscapedNewline.size());
    }
    return text += name;
}

/// Names in brackets are the kernel's own or were given by the program, also if a shared memory file is behind them.
/// Private memory that an older program requests by mapping /dev/zero has no file.
bool isFile(std::string_view name, std::uint64_t inode, std::uint32_t flags) {
    if (name == kZeroDevice && (flags & mapping_flag::kShared) == 0) return false;
    return name.starts_with('/') || (inode != 0 && !name.starts_with('['));
}

} // namespace

void SmapsReader::take(std::string_view text) {
    for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        if (rest_.empty()) {
            takeLine(text.substr(0, end));
        } else {
            rest_ += text.substr(0, end);
            takeLine(std::exchange(rest_, {}));
        }
        text.remove_prefix(end + 1);
    }
    rest_ += text;
}

int SmapsReader::takeFile(int file) {
    thread_local std::vector<char> room(kReadBytes);
    for (;;) {
        const auto bytes = ::read(file, room.data(), room.size());
        if (bytes == 0) return 0;
        if (bytes > 0)
            take({room.data(), static_cast<std::size_t>(bytes)});
        else if (errno != EINTR)
            return errno;
    }
}

/// The first line of a mapping begins with its address in small letters, all others with a capital letter.
void SmapsReader::takeLine(std::string_view line) {
    if (line.empty()) return;
    const bool isAddress = (line[0] >= '0' && line[0] <= '9') || (line[0] >= 'a' && line[0] <= 'f');
    isAddress ? takeMapping(line) : takeSize(line);
}

/// "7f3a1000-7f3a4000 rw-p 00012000 fd:01 1234      /usr/lib/x.so (deleted)"
void SmapsReader::takeMapping(std::string_view line) {
    const auto range = takeWord(line);
    const auto dash = range.find('-');
    if (dash == std::string_view::npos) return;
    const auto begin = numberIn(range.substr(0, dash), 16);
    const auto end = numberIn(range.substr(dash + 1), 16);
    const auto permissions = takeWord(line);
    (void)takeWord(line); // offset
    (void)takeWord(line); // device
    const auto inode = numberIn(takeWord(line), 10);
    if (!begin || !end || !inode) return;
    removeFrom(*begin);
    auto& mapping = sample_.mappings.emplace_back();
    mapping.begin = *begin;
    mapping.end = *end;
    mapping.flags = flagsOf(permissions);
    if (isFile(line, *inode, mapping.flags)) mapping.flags |= mapping_flag::kFile;
    mapping.name = numberOf(line);
}

/// "Rss:                  12 kB"
void SmapsReader::takeSize(std::string_view line) {
    if (sample_.mappings.empty()) return;
    auto& mapping = sample_.mappings.back();
    const auto field = takeWord(line);
    if (field == "VmFlags:") return takeFlags(line);
    auto* const size = field == "Rss:"             ? &mapping.resident
                       : field == "Pss:"           ? &mapping.proportional
                       : field == "Private_Dirty:" ? &mapping.privateDirty
                       : field == "Swap:"          ? &mapping.swapped
                                                   : nullptr;
    if (size == nullptr) return;
    if (const auto kilobytes = numberIn(takeWord(line), 10)) *size = *kilobytes * kKilobyte;
}

/// "rd wr mr mw me ac dc sd"
void SmapsReader::takeFlags(std::string_view line) {
    while (!line.empty())
        if (takeWord(line) == "dc") notForked_.push_back(sample_.mappings.back().begin);
}

/// The kernel continues at the address that it has reached. If that is now in the middle of a larger mapping, because
/// the program has mapped memory between two mappings, this has the sizes of those that were read before.
void SmapsReader::removeFrom(Address begin) {
    while (!sample_.mappings.empty() && sample_.mappings.back().begin >= begin)
        sample_.mappings.pop_back();
}

std::uint32_t SmapsReader::numberOf(std::string_view name) {
    if (const auto known = names_.find(name); known != names_.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(sample_.names.size());
    names_.emplace(name, number);
    sample_.names.push_back(unescaped(name));
    return number;
}

ResidentSample SmapsReader::finish() {
    names_.clear();
    notForked_.clear();
    rest_.clear();
    return std::exchange(sample_, {});
}

} // namespace highwater::source
