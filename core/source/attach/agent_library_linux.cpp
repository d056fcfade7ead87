#include "core/source/attach/agent_library_linux.h"

#include "core/event/agent_names.h"
#include "core/files/private_folder.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace highwater::source {

namespace {

namespace fs = std::filesystem;

bool canBePreloaded(const fs::path& path) { return path.string().find_first_of(" :") == std::string::npos; }

/// Whether no other user can create links in the folder or remove ours.
bool isOwnFolder(const fs::path& folder) {
    struct stat found {};
    return ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() &&
           (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Possible folders for links, the preferred one first.
std::vector<fs::path> linkPlaces() {
    std::vector<fs::path> places;
    const char* data = std::getenv("XDG_DATA_HOME");
    const char* home = std::getenv("HOME");
    if (data != nullptr && data[0] == '/')
        places.push_back(fs::path(data) / "highwater/agent");
    else if (home != nullptr && home[0] == '/')
        places.push_back(fs::path(home) / ".local/share/highwater/agent");
    if (!places.empty() && !canBePreloaded(places.front())) places.clear();
    const auto session = fs::path("/run/user") / std::to_string(::geteuid());
    if (isOwnFolder(session)) places.push_back(session / "highwater-agent");
    return places;
}

/// Held as long as the recorder lives; the lock is released when the process ends, for whatever reason. Null: another
/// process holds it, or the folder does not exist any more.
std::shared_ptr<const void> lockLinkFolder(const fs::path& folder) {
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return nullptr;
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0)
        return {new int(fd), [](const int* held) {
                    ::close(*held);
                    delete held;
                }};
    ::close(fd);
    return nullptr;
}

/// A link in a new folder with mode 0700 and an unpredictable name.
struct NewAgentLink {
    fs::path path;
    std::shared_ptr<const void> lock;
};
std::optional<NewAgentLink> makeAgentLink(const fs::path& place, const fs::path& library) {
    std::error_code error;
    if (!makePrivateFolder(place, error) || !isOwnFolder(place)) return std::nullopt;
    constexpr int kMostTries = 3; // another Highwater may remove the folder as a leftover before it is locked
    for (int i = 0; i < kMostTries; ++i) {
        auto name = (place / "link.XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) return std::nullopt;
        auto lock = lockLinkFolder(name);
        const auto link = fs::path(name) / kAgentLibraryFile;
        fs::create_symlink(library, link, error);
        if (lock && !error) return NewAgentLink{link, std::move(lock)};
    }
    return std::nullopt;
}

/// Whether the environment of a process makes programs that it starts load something from this folder.
bool isInAnEnvironment(const std::string& folder) {
    std::error_code error;
    for (fs::directory_iterator it("/proc", error), end; !error && it != end; it.increment(error)) {
        if (std::isdigit(static_cast<unsigned char>(it->path().filename().string().front())) == 0) continue;
        std::ifstream file(it->path() / "environ", std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        if (text.str().find(folder) != std::string::npos) return true;
    }
    return false;
}

/// Whether only users who could make us run any program anyway can have created or changed the file. A group with the
/// same number as its user is considered private to that user.
bool isTrustedToRun(const fs::path& path, uid_t owner) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) return false;
    const bool isGroupOpen = (found.st_mode & S_IWGRP) != 0 && found.st_gid != found.st_uid;
    return (found.st_uid == 0 || found.st_uid == ::geteuid() || found.st_uid == owner) && !isGroupOpen &&
           (found.st_mode & S_IWOTH) == 0;
}

/// The library in a folder if it and its loader are trusted; otherwise empty.
fs::path trustedAgentIn(const fs::path& folder, uid_t owner) {
    std::error_code error;
    const auto loader = folder / "highwater-attach";
    const bool isTrusted = isTrustedToRun(folder, owner) && isTrustedToRun(folder / kAgentLibraryFile, owner) &&
                           (!fs::exists(loader, error) || isTrustedToRun(loader, owner));
    return isTrusted ? fs::weakly_canonical(folder / kAgentLibraryFile, error) : fs::path();
}

/// The build tree that contains a program; empty: none.
fs::path buildTreeOf(const fs::path& program) {
    std::error_code error;
    for (auto tree = program.parent_path(); tree.has_relative_path(); tree = tree.parent_path())
        if (fs::exists(tree / "CMakeCache.txt", error)) return tree;
    return {};
}

} // namespace

Result<AgentLibrary> AgentLibrary::make(const fs::path& library) {
    if (canBePreloaded(library)) return AgentLibrary(library, library, nullptr);
    for (const auto& place : linkPlaces()) {
        if (auto link = makeAgentLink(place, library))
            return AgentLibrary(library, std::move(link->path), std::move(link->lock));
    }
    return Error{ErrorKind::Io,
                 fmt::format("Highwater is installed in {}, whose path contains a space or a colon, and a link to its "
                             "recorder could not be created in a folder without them (XDG_DATA_HOME, ~/.local/share, "
                             "/run/user).",
                             library.parent_path().string())};
}

std::size_t removeStaleAgentLinks() {
    std::size_t removed = 0;
    for (const auto& place : linkPlaces()) {
        if (!isOwnFolder(place)) continue;
        std::error_code error;
        for (fs::directory_iterator it(place, error), end; !error && it != end; it.increment(error)) {
            const auto& folder = it->path();
            if (!folder.filename().string().starts_with("link.")) continue;
            const auto lock = lockLinkFolder(folder);
            if (!lock || isInAnEnvironment("/" + folder.filename().string() + "/")) continue;
            std::error_code ignored;
            fs::remove(folder / kAgentLibraryFile, ignored);
            if (fs::remove(folder, ignored)) ++removed;
        }
    }
    return removed;
}

fs::path agentLibraryFor(const fs::path& program) {
    struct stat own {};
    if (::stat(program.c_str(), &own) != 0) return {};
    std::error_code error;
    const auto folder = program.parent_path();
    if (fs::exists(folder / kAgentLibraryFile, error)) return fs::weakly_canonical(folder / kAgentLibraryFile, error);
    // These are not in the program's own folder: in a folder that several users share, others may have created them.
    if (auto installed = trustedAgentIn(folder / "../lib/highwater/agent", own.st_uid); !installed.empty())
        return installed;
    const auto tree = buildTreeOf(program);
    return !tree.empty() && isTrustedToRun(tree, own.st_uid) ? trustedAgentIn(tree / "agent", own.st_uid) : fs::path();
}

void AgentLibrary::removeLink() {
    if (preloadPath_ == path_) return;
    std::error_code ignored;
    std::filesystem::remove(preloadPath_, ignored);
    std::filesystem::remove(preloadPath_.parent_path(), ignored);
    lock_.reset();
}

} // namespace highwater::source
