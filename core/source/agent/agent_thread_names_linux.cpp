#include "core/source/agent/agent_thread_names_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

namespace highwater::source {

std::string threadNameNow(std::uint32_t pid, std::uint32_t tid) {
    char path[64]; // does not allocate, because this may be called thousands of times a second
    *fmt::format_to_n(path, sizeof path - 1, "/proc/{}/task/{}/comm", pid, tid).out = '\0';
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    char name[64];
    const auto bytes = ::read(file, name, sizeof name);
    ::close(file);
    std::string_view text(name, static_cast<std::size_t>(std::max<ssize_t>(bytes, 0)));
    if (text.ends_with('\n')) text.remove_suffix(1);
    return std::string(text);
}

std::optional<std::string> AgentThreadNames::change(Known& known, std::string_view name) {
    if (name.empty() || name == known.name) return std::nullopt;
    known.name = name;
    return known.name;
}

std::optional<std::string> AgentThreadNames::look(std::uint32_t slot, std::uint32_t pid, std::uint32_t tid,
                                                  std::int64_t nowNs) {
    auto& known = known_[slot];
    if (nowNs < known.dueNs || left_ == 0) return std::nullopt;
    --left_;
    known.dueNs = nowNs + known.pauseNs;
    known.pauseNs = std::min(2 * known.pauseNs, kLongestPauseNs);
    return change(known, threadNameNow(pid, tid));
}

std::optional<std::string> AgentThreadNames::lookAtLast(std::uint32_t slot, std::uint32_t pid, std::uint32_t tid) {
    return change(known_[slot], threadNameNow(pid, tid));
}

std::optional<std::string> AgentThreadNames::end(std::uint32_t slot, std::string_view name) {
    auto changed = change(known_[slot], name);
    known_.erase(slot);
    return changed;
}

} // namespace highwater::source
