#include "core/source/attach/loader_process_linux.h"

#include "core/source/attach/spawn_settings_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace highwater::source {
namespace {

constexpr const char* kLoaderName = "highwater-attach";
/// Usually enough to restore the process; the dynamic linker, or a thread inside the kernel, may take longer.
constexpr auto kFarewell = std::chrono::seconds(3);

/// Uses a separate session, so that signals from a terminal or shell to its processes do not reach the loader.
void setUp(SpawnSettings& settings, int connection, int file) {
    auto* const actions = settings.actions();
    posix_spawn_file_actions_adddup2(actions, connection, LoaderProcess::kConnection);
    posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (file != LoaderProcess::kNone) posix_spawn_file_actions_adddup2(actions, file, LoaderProcess::kFile);
    const int firstUnused = file != LoaderProcess::kNone ? LoaderProcess::kFile + 1 : LoaderProcess::kFile;
    posix_spawn_file_actions_addclosefrom_np(actions, firstUnused);
    settings.setFlags(POSIX_SPAWN_SETSID);
}

/// Loaders that were left running. When they end, they are zombies until they are waited for. Any thread.
class Unawaited {
  public:
    void add(pid_t pid) {
        const std::lock_guard lock(mutex_);
        pids_.push_back(pid);
    }
    void askForEnded() {
        const std::lock_guard lock(mutex_);
        std::erase_if(pids_, [](pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) != 0; });
    }

  private:
    std::mutex mutex_;
    std::vector<pid_t> pids_;
};

Unawaited& unawaited() {
    static Unawaited them;
    return them;
}

} // namespace

Result<LoaderProcess> LoaderProcess::start(const std::filesystem::path& library,
                                           const std::vector<std::string>& arguments, int file) {
    unawaited().askForEnded();
    const auto program = (library.parent_path() / kLoaderName).string();
    if (::access(program.c_str(), X_OK) != 0) {
        return Error{
            ErrorKind::NotFound,
            fmt::format("Processes cannot be attached to because {} was not found in {}. Install it there, next to "
                        "{}.",
                        kLoaderName, library.parent_path().string(), library.filename().string())};
    }
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return Error{ErrorKind::Io, fmt::format("{} cannot be started: {}.", program, std::strerror(errno))};
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    pid_t pid = 0;
    SpawnSettings settings;
    setUp(settings, ends[1], file);
    const int error = settings.run(program, std::move(words), environ, pid);
    ::close(ends[1]);
    if (error != 0) {
        ::close(ends[0]);
        return Error{ErrorKind::Io, fmt::format("{} cannot be started: {}.", program, std::strerror(error))};
    }
    return LoaderProcess(pid, ends[0]);
}

LoaderProcess::LoaderProcess(LoaderProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)), connection_(std::exchange(other.connection_, kNone)) {}

LoaderProcess::~LoaderProcess() {
    if (connection_ == kNone) return;
    constexpr char kGoodBye = 'x';
    static_cast<void>(::send(connection_, &kGoodBye, sizeof kGoodBye, MSG_NOSIGNAL));
    ::close(connection_);
    const auto until = std::chrono::steady_clock::now() + kFarewell;
    while (::waitpid(pid_, nullptr, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() >= until) {
            unawaited().add(pid_);
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

std::optional<std::string> LoaderProcess::answer(std::chrono::milliseconds within, const std::stop_token& stop) const {
    constexpr std::chrono::milliseconds kLookAgain(50);
    const auto until = std::chrono::steady_clock::now() + within;
    std::string said;
    std::array<char, 1024> part{};
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        pollfd connection{connection_, POLLIN, 0};
        const auto wait = std::clamp(left, std::chrono::milliseconds(0), kLookAgain);
        const int ready = ::poll(&connection, 1, static_cast<int>(wait.count()));
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0 && (left <= kLookAgain || stop.stop_requested())) return std::nullopt;
        if (ready == 0) continue;
        const auto bytes = ::read(connection_, part.data(), part.size());
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes <= 0) return said;
        said.append(part.data(), static_cast<std::size_t>(bytes));
    }
}

} // namespace highwater::source
