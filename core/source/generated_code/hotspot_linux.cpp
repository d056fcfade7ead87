#include "core/source/generated_code/hotspot_linux.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace highwater::source {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kBetweenLooks{20};

std::string readAll(const std::string& path) {
    constexpr std::size_t kMost = 1u << 20;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    auto all = text.str();
    if (all.size() > kMost) all.resize(kMost);
    return all;
}

Error refusal(std::string why) { return {ErrorKind::Io, std::move(why)}; }

/// Checks like jcmd, because a machine that does not handle SIGQUIT (with -Xrs, or while it starts) would be ended by
/// it.
bool handlesQuit(std::uint32_t pid) {
    std::ifstream file(fmt::format("/proc/{}/status", pid));
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("SigCgt:")) continue;
        const auto caught = std::strtoull(line.c_str() + 7, nullptr, 16);
        return (caught >> (SIGQUIT - 1) & 1) != 0;
    }
    return false;
}

bool forbidsAttaching(std::uint32_t pid) {
    constexpr const char* kOption = "+DisableAttachMechanism";
    return readAll(fmt::format("/proc/{}/cmdline", pid)).find(kOption) != std::string::npos ||
           readAll(fmt::format("/proc/{}/environ", pid)).find(kOption) != std::string::npos;
}

std::string socketName(const ProcessFacts& facts) { return fmt::format(".java_pid{}", facts.ownPid); }

bool hasSocket(const ProcessFacts& facts) {
    struct stat found {};
    return ::fstatat(facts.temporary.number(), socketName(facts).c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISSOCK(found.st_mode) && (found.st_uid == facts.owner || found.st_uid == 0);
}

/// The file by which the machine recognizes the signal as an attach request; in its working folder or its /tmp.
class AttachFile {
  public:
    explicit AttachFile(const ProcessFacts& facts) : name_(fmt::format(".attach_pid{}", facts.ownPid)) {
        for (const int folder : {facts.folder.number(), facts.temporary.number()}) {
            if (folder < 0) continue;
            const int file = ::openat(folder, name_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0660);
            if (file < 0 && errno != EEXIST) continue;
            if (file >= 0) {
                (void)::fchown(file, facts.owner, static_cast<gid_t>(-1)); // the file must belong to the machine's user
                ::close(file);
                folder_ = folder;
            }
            isThere_ = true;
            return;
        }
    }
    AttachFile(const AttachFile&) = delete;
    AttachFile& operator=(const AttachFile&) = delete;
    ~AttachFile() {
        if (folder_ >= 0) ::unlinkat(folder_, name_.c_str(), 0);
    }
    [[nodiscard]] bool isThere() const { return isThere_; }

  private:
    std::string name_;
    int folder_ = -1;
    bool isThere_ = false;
};

/// Makes the machine create its socket.
Result<void> wake(std::uint32_t pid, const ProcessFacts& facts, Clock::time_point until, const std::stop_token& stop) {
    if (hasSocket(facts)) return {};
    if (forbidsAttaching(pid)) return refusal("it runs with -XX:+DisableAttachMechanism");
    if (!handlesQuit(pid)) return refusal("it does not handle the signal that requests the names (-Xrs)");
    const AttachFile file(facts);
    if (!file.isThere()) return refusal("the file that it checks for cannot be created");
    if (::kill(static_cast<pid_t>(pid), SIGQUIT) != 0) return refusal(std::strerror(errno));
    while (!hasSocket(facts)) {
        if (stop.stop_requested() || Clock::now() >= until) return refusal("it did not respond in time");
        std::this_thread::sleep_for(kBetweenLooks);
    }
    return {};
}

/// A socket path may have about a hundred bytes, and the folder is only known by its descriptor.
Result<OwnedFile> connectTo(const ProcessFacts& facts) {
    OwnedFile connection(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const auto path = fmt::format("/proc/self/fd/{}/{}", facts.temporary.number(), socketName(facts));
    if (!connection.isOpen() || path.size() >= sizeof address.sun_path) return refusal("its socket cannot be opened");
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    if (::connect(connection.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return refusal(std::strerror(errno));
    return connection;
}

bool waitFor(int connection, short what, Clock::time_point until, const std::stop_token& stop) {
    while (!stop.stop_requested() && Clock::now() < until) {
        pollfd wait{connection, what, 0};
        if (::poll(&wait, 1, static_cast<int>(kBetweenLooks.count())) > 0) return true;
    }
    return false;
}

bool hasWord(std::string_view words, std::string_view option) { return words.find(option) != std::string_view::npos; }

} // namespace

Result<void> askHotSpotForPerfMap(std::uint32_t pid, const ProcessFacts& facts, std::chrono::milliseconds within,
                                  const std::stop_token& stop) {
    const auto until = Clock::now() + within;
    TRY(wake(pid, facts, until, stop));
    const auto connection = TRY(connectTo(facts));
    const int socket = connection.number();
    // Version, command, and three arguments, each with its NUL.
    constexpr char kRequest[] = "1\0jcmd\0Compiler.perfmap\0\0"; // the last argument's NUL is that of the literal
    constexpr auto kRequestBytes = static_cast<ssize_t>(sizeof kRequest);
    if (::send(socket, kRequest, sizeof kRequest, MSG_NOSIGNAL) != kRequestBytes)
        return refusal("it does not accept requests");
    std::string answer;
    constexpr std::size_t kMostAnswer = 4096;
    std::array<char, 1024> bytes{};
    while (true) { // the machine closes the connection at the end
        if (!waitFor(socket, POLLIN, until, stop)) return refusal("it did not respond in time");
        const auto count = ::recv(socket, bytes.data(), bytes.size(), 0);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (count <= 0) break;
        if (answer.size() < kMostAnswer) answer.append(bytes.data(), static_cast<std::size_t>(count));
    }
    if (answer.starts_with("0\n")) return {};
    if (answer.find("Unknown diagnostic command") != std::string::npos)
        return refusal("versions before Java 17 cannot report them");
    return refusal("it refused");
}

bool keepsFramePointers(const std::string& commandLine, const std::string& environment) {
    constexpr std::string_view kOn = "-XX:+PreserveFramePointer";
    if (hasWord(commandLine, kOn)) return true;
    std::string_view rest = environment;
    while (!rest.empty()) {
        const auto variable = rest.substr(0, rest.find('\0'));
        rest.remove_prefix(std::min(rest.size(), variable.size() + 1));
        const auto name = variable.substr(0, variable.find('='));
        if ((name == "JAVA_TOOL_OPTIONS" || name == "_JAVA_OPTIONS" || name == "JDK_JAVA_OPTIONS") &&
            hasWord(variable, kOn))
            return true;
    }
    return false;
}

bool keepsFramePointers(std::uint32_t pid) {
    const auto commandLine = readAll(fmt::format("/proc/{}/cmdline", pid));
    if (commandLine.empty()) return true;
    if (commandLine.find('@') != std::string::npos) return true; // a file with options
    return keepsFramePointers(commandLine, readAll(fmt::format("/proc/{}/environ", pid)));
}

} // namespace highwater::source
