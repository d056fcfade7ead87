#include "core/source/loader_process_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace highwater::source {
namespace {

constexpr const char* kLoaderName = "highwater-attach";
/// For what it has to put in order, mostly; the dynamic linker, or a thread that stands in the kernel, may take longer.
constexpr auto kFarewell = std::chrono::seconds(3);

/// A session of its own: what a terminal or a shell sends to all that it started does not reach it.
class LoaderSpawn {
  public:
    LoaderSpawn(int connection, int file) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
        posix_spawn_file_actions_adddup2(&actions_, connection, LoaderProcess::kConnection);
        posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        if (file != LoaderProcess::kNone) posix_spawn_file_actions_adddup2(&actions_, file, LoaderProcess::kFile);
        const int firstUnused = file != LoaderProcess::kNone ? LoaderProcess::kFile + 1 : LoaderProcess::kFile;
        posix_spawn_file_actions_addclosefrom_np(&actions_, firstUnused);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
    }
    LoaderSpawn(const LoaderSpawn&) = delete;
    LoaderSpawn& operator=(const LoaderSpawn&) = delete;
    ~LoaderSpawn() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    int run(const std::string& program, std::vector<std::string> words, pid_t& pid) {
        std::vector<char*> pointers;
        for (auto& word : words)
            pointers.push_back(word.data());
        pointers.push_back(nullptr);
        return posix_spawn(&pid, program.c_str(), &actions_, &attributes_, pointers.data(), environ);
    }

  private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

} // namespace

Result<LoaderProcess> LoaderProcess::start(const std::filesystem::path& library,
                                           const std::vector<std::string>& arguments, int file) {
    const auto program = (library.parent_path() / kLoaderName).string();
    if (::access(program.c_str(), X_OK) != 0) {
        return Error{ErrorKind::NotFound,
                     fmt::format("The program that loads the recorder ({}) is not installed beside "
                                 "the recorder.",
                                 kLoaderName)};
    }
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return Error{ErrorKind::Io, fmt::format("{} could not be started: {}.", program, std::strerror(errno))};
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    pid_t pid = 0;
    const int error = LoaderSpawn(ends[1], file).run(program, std::move(words), pid);
    ::close(ends[1]);
    if (error != 0) {
        ::close(ends[0]);
        return Error{ErrorKind::Io, fmt::format("{} could not be started: {}.", program, std::strerror(error))};
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
    while (::waitpid(pid_, nullptr, WNOHANG) == 0 && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::optional<std::string> LoaderProcess::answer(std::chrono::milliseconds within) const {
    const auto until = std::chrono::steady_clock::now() + within;
    std::string said;
    std::array<char, 1024> part{};
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        pollfd connection{connection_, POLLIN, 0};
        const int ready = ::poll(&connection, 1, std::max(static_cast<int>(left.count()), 0));
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) return std::nullopt;
        const auto bytes = ::read(connection_, part.data(), part.size());
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes <= 0) return said;
        said.append(part.data(), static_cast<std::size_t>(bytes));
    }
}

} // namespace highwater::source
