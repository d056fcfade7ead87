#include "core/source/contract/process_memory.h"
#include "core/source/contract/running_processes.h"

#include <array>
#include <charconv>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <pwd.h>
#include <sstream>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace highwater::source {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint32_t> pidOf(const std::string& folder) {
    std::uint32_t pid = 0;
    const auto* end = folder.data() + folder.size();
    const auto parsed = std::from_chars(folder.data(), end, pid);
    if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
    return pid;
}

std::string contentOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Caches user names, because a lookup may use the network.
class UserNames {
  public:
    const std::string& of(uid_t user) {
        const auto [entry, isNew] = names_.try_emplace(user);
        if (isNew) entry->second = ask(user);
        return entry->second;
    }

  private:
    static std::string ask(uid_t user) {
        std::array<char, 4096> room{};
        passwd record{};
        passwd* found = nullptr;
        ::getpwuid_r(user, &record, room.data(), room.size(), &found);
        return found != nullptr ? found->pw_name : std::to_string(user);
    }
    std::map<uid_t, std::string> names_;
};

std::uint32_t bitsOf(const fs::path& program) {
    std::ifstream file(program, std::ios::binary);
    std::array<char, EI_NIDENT> ident{};
    if (!file.read(ident.data(), ident.size())) return 0;
    if (ident[EI_CLASS] == ELFCLASS64) return 64;
    return ident[EI_CLASS] == ELFCLASS32 ? 32 : 0;
}

/// The name in brackets may itself contain blanks and brackets; the parent is the second word after it.
std::uint32_t parentOf(const std::string& stat) {
    const auto bracket = stat.rfind(')');
    if (bracket == std::string::npos) return 0;
    std::istringstream rest(stat.substr(bracket + 1));
    std::string state;
    std::uint32_t parent = 0;
    rest >> state >> parent;
    return parent;
}

std::string commandLineOf(const fs::path& folder) {
    auto text = contentOf(folder / "cmdline");
    while (!text.empty() && text.back() == '\0') {
        text.pop_back();
    }
    for (auto& letter : text) {
        if (letter == '\0') letter = ' ';
    }
    return text;
}

/// The main thread's name in the system, with at most 15 letters.
std::string threadNameOf(const fs::path& folder) {
    auto name = contentOf(folder / "comm");
    while (!name.empty() && name.back() == '\n')
        name.pop_back();
    return name;
}

/// The name that the process was started as ("redis-server", although the file is redis-check-rdb): the name of its
/// main thread, if the command line contains it. For a script it is the second word. "" if there is none.
std::string startedAs(const std::string& own, const std::string& commandLine) {
    constexpr std::size_t kMostLetters = 15;
    std::istringstream words(commandLine);
    std::string word;
    for (int i = 0; i < 2 && words >> word && !own.empty(); ++i) {
        const auto name = word.substr(word.rfind('/') + 1); // the whole word if it has no slash
        if (name == own || (own.size() == kMostLetters && name.starts_with(own))) return name;
    }
    return {};
}

/// Empty if the folder was deleted, because the link then has another name.
std::string workingFolderOf(const fs::path& folder) {
    std::error_code unknown;
    const auto place = fs::read_symlink(folder / "cwd", unknown);
    return !unknown && fs::is_directory(place, unknown) ? place.string() : std::string();
}

std::optional<RunningProcess> describe(std::uint32_t pid, const fs::path& folder, UserNames& users) {
    struct stat owner {};
    if (::stat(folder.c_str(), &owner) != 0) return std::nullopt;
    RunningProcess process;
    process.pid = pid;
    process.user = users.of(owner.st_uid);
    process.parentPid = parentOf(contentOf(folder / "stat"));
    process.commandLine = commandLineOf(folder);
    process.folder = workingFolderOf(folder);
    if (const auto memory = memoryOf(pid)) process.privateBytes = memory->privateBytes;
    process.isOwn = pid == static_cast<std::uint32_t>(::getpid());
    std::error_code unknown;
    const auto program = fs::read_symlink(folder / "exe", unknown);
    if (!unknown) {
        process.path = program.string();
        process.name = startedAs(threadNameOf(folder), process.commandLine);
        if (process.name.empty()) process.name = program.filename().string();
        process.bits = bitsOf(folder / "exe");
    } else {
        process.name = threadNameOf(folder);
    }
    if (process.name.empty()) return std::nullopt; // the process has ended in the meantime
    // Kernel threads have no program; only root may access processes of other users.
    process.isRecordable = !process.path.empty() && (::geteuid() == 0 || owner.st_uid == ::geteuid());
    return process;
}

} // namespace

std::vector<RunningProcess> runningProcesses() {
    std::vector<RunningProcess> processes;
    UserNames users;
    std::error_code unreadable;
    for (const auto& entry : fs::directory_iterator("/proc", unreadable)) {
        const auto pid = pidOf(entry.path().filename().string());
        if (!pid) continue;
        if (auto process = describe(*pid, entry.path(), users)) processes.push_back(std::move(*process));
    }
    return processes;
}

/// The recorder is loaded through the debugger interface; see attachAgent.
AttachSupport attachSupport() { return AttachSupport::Experimental; }

} // namespace highwater::source
