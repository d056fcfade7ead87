#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>

namespace highwater::symbols {

struct FetchOptions {
    std::chrono::milliseconds connectTimeout{10'000};
    std::chrono::milliseconds stallTimeout{30'000};
    int attempts = 4;                          ///< of a download that is cut off; each goes on where the last one ended
    std::chrono::milliseconds busyWait{1'000}; ///< before a server that is busy is asked again, at least
    std::chrono::milliseconds longestWait{15'000};    ///< a server that asks for more is given up
    std::chrono::hours leftoverAge{7 * 24};           ///< begins of downloads that nobody went on with are removed
    std::uint64_t mostBytes = std::uint64_t{4} << 30; ///< larger files are refused, as they say or as they turn out
    std::chrono::milliseconds longest{3'600'000};     ///< of all attempts together; the begin is kept
    std::uint64_t leastBytes = 64 * 1024;             ///< that must come in each such time, or it is given up
    std::chrono::milliseconds paceTime{60'000};
    std::string certificates =
        {}; ///< PEM file of whom https is believed; "": as the system has it (always so on Windows)
    // What one server may cost, over all files, until failures are forgotten; then it is asked no more.
    std::chrono::milliseconds serverPatience{60'000}; ///< that files cost which did not come, or came slower than this
    std::chrono::milliseconds quick{1'000};           ///< of each file is not counted
    std::uint64_t slowBytesPerSecond = 16 * 1024;
    int mostFailures = 8; ///< one after the other: downloads cut off, or of something else than was asked for
    std::uint64_t mostServerBytes = std::uint64_t{32} << 30;
};

class PartFile;

/// Downloads debug files. What arrives is written under a temporary name beside the target and renamed when it is whole
/// and `check` found it to be the right file: a target that exists is always good, also with several Highwaters at
/// once, of which one downloads and the others wait. A download that was cut off, cancelled or killed goes on where it
/// ended when it is asked for again, in this run or the next, if the server can do that. A server that does not answer,
/// is not trusted or stays busy is asked once, a file that is not there once, until forgetFailures(); the same holds of
/// a server that has cost more than FetchOptions allows one. Any thread; the same file is not downloaded twice at a
/// time.
class SymbolFetcher {
  public:
    explicit SymbolFetcher(FetchOptions options = {}) : options_(std::move(options)) {}

    enum class Outcome {
        Fetched,
        NotThere,   ///< 404 or the like, now or before
        ServerDown, ///< it did not answer, is not trusted or busy, now or before
        WrongFile,  ///< whole, but `check` refused it
        CutOff,     ///< all attempts ended in the middle
        Cancelled,
        CannotWrite,
        OtherBuild, ///< whole, but `check` refused it as NotFound
    };
    struct Answer {
        Outcome outcome = Outcome::NotThere;
        std::string sentence;        ///< for the list of places tried
        bool wasAskedBefore = false; ///< in this run, and nobody was asked again
    };
    using Check = std::function<Result<void>(const std::filesystem::path& file)>;

    /// Blocks; call from a worker. `progress` counts bytes.
    [[nodiscard]] Answer fetch(const std::string& url, const std::filesystem::path& target, const Check& check,
                               Progress& progress, std::stop_token stop);
    /// Servers and files are asked again (Retry).
    void forgetFailures();
    /// Removes old begins of downloads below a folder of targets; once for each folder, then does nothing.
    void removeLeftovers(const std::filesystem::path& root);

  private:
    class Download;
    [[nodiscard]] PartFile openPartInFolder(const std::string& url, const std::filesystem::path& target,
                                            Progress& progress, const std::stop_token& stop) const;
    [[nodiscard]] PartFile openPart(const std::string& url, const std::filesystem::path& target, Progress& progress,
                                    const std::stop_token& stop) const;
    [[nodiscard]] std::optional<Answer> knownFailure(const std::string& url);
    void remember(const std::string& url, const Answer& answer);
    /// What the server has cost so far.
    struct Cost {
        std::chrono::milliseconds lost{0};
        int failures = 0; ///< since the last file that came
        std::uint64_t bytes = 0;
    };
    void count(const std::string& url, const Answer& answer, std::chrono::milliseconds time, std::uint64_t bytes);
    [[nodiscard]] std::string whyGivenUp(const Cost& cost) const;

    FetchOptions options_;
    std::mutex mutex_;
    std::map<std::string, Answer> failures_;                      ///< by server or by URL
    std::map<std::string, Cost> costs_;                           ///< by server
    std::map<std::string, std::shared_ptr<std::mutex>> underway_; ///< by target
    std::set<std::string> cleaned_;                               ///< folders
};

/// "https://host:8080" of a URL.
[[nodiscard]] std::string serverOf(const std::string& url);
/// The key of the part file of a URL: the same target may come from several servers.
[[nodiscard]] std::string partKey(const std::string& url);

} // namespace highwater::symbols
