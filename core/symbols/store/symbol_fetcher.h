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
    int attempts = 4;                          ///< for an interrupted download; each resumes where the last one ended
    std::chrono::milliseconds busyWait{1'000}; ///< minimum wait before the next request to a busy server
    std::chrono::milliseconds longestWait{15'000};    ///< a server that asks for a longer wait is given up
    std::chrono::hours leftoverAge{7 * 24};           ///< after which partial downloads are removed
    std::uint64_t mostBytes = std::uint64_t{4} << 30; ///< larger files are rejected
    std::chrono::milliseconds longest{3'600'000};     ///< for all attempts together; the part is kept
    std::uint64_t leastBytes = 64 * 1024;             ///< minimum per paceTime; slower downloads are given up
    std::chrono::milliseconds paceTime{60'000};
    std::string certificates = {}; ///< PEM file with trusted certificates; "": the system's (always on Windows)
    // Budget of one server over all files, until forgetFailures(). Then it is no longer asked.
    std::chrono::milliseconds serverPatience{60'000}; ///< time lost on files that failed or were too slow
    std::chrono::milliseconds quick{1'000};           ///< not counted for each file
    std::uint64_t slowBytesPerSecond = 16 * 1024;
    int mostFailures = 8; ///< in a row: interrupted downloads or wrong files
    std::uint64_t mostServerBytes = std::uint64_t{32} << 30;
};

class PartFile;

/// Downloads debug files. Data is written under a temporary name beside the target, which is renamed when the file is
/// complete and passes `check`. So an existing target is always valid, even with several processes, of which one
/// downloads and the others wait. A download that was interrupted, cancelled or killed is resumed by the next request,
/// in this process or a later one, if the server supports it. A server that does not answer, is not trusted or stays
/// busy is asked only once, and so is a missing file, until forgetFailures(). The same holds for a server that exceeds
/// the budget in FetchOptions. Any thread; the same file is never downloaded twice at a time.
class SymbolFetcher {
  public:
    explicit SymbolFetcher(FetchOptions options = {}) : options_(std::move(options)) {}

    enum class Outcome {
        Fetched,
        NotThere,   ///< 404 or the like, now or earlier
        ServerDown, ///< did not answer, not trusted or busy, now or earlier
        WrongFile,  ///< complete, but rejected by `check`
        CutOff,     ///< all attempts were interrupted
        Cancelled,
        CannotWrite,
        OtherBuild, ///< complete, but `check` returned NotFound
    };
    struct Answer {
        Outcome outcome = Outcome::NotThere;
        std::string sentence;        ///< for the list of places tried
        bool wasAskedBefore = false; ///< in this process; not asked again
    };
    using Check = std::function<Result<void>(const std::filesystem::path& file)>;

    /// Blocks; call from a worker. `progress` counts bytes.
    [[nodiscard]] Answer fetch(const std::string& url, const std::filesystem::path& target, const Check& check,
                               Progress& progress, std::stop_token stop);
    /// Allows to ask servers and for files again (Retry).
    void forgetFailures();
    /// Removes old parts in a folder of targets; does nothing after the first call for a folder.
    void removeLeftovers(const std::filesystem::path& root);

  private:
    class Download;
    [[nodiscard]] PartFile openPartInFolder(const std::string& url, const std::filesystem::path& target,
                                            Progress& progress, const std::stop_token& stop) const;
    [[nodiscard]] PartFile openPart(const std::string& url, const std::filesystem::path& target, Progress& progress,
                                    const std::stop_token& stop) const;
    [[nodiscard]] std::optional<Answer> knownFailure(const std::string& url);
    void remember(const std::string& url, const Answer& answer);
    /// The costs of a server so far.
    struct Cost {
        std::chrono::milliseconds lost{0};
        int failures = 0; ///< since the last success
        std::uint64_t bytes = 0;
    };
    void count(const std::string& url, const Answer& answer, std::chrono::milliseconds time, std::uint64_t bytes);
    [[nodiscard]] std::string reasonToGiveUp(const Cost& cost) const;

    FetchOptions options_;
    std::mutex mutex_;
    std::map<std::string, Answer> failures_;                      ///< by server or URL
    std::map<std::string, Cost> costs_;                           ///< by server
    std::map<std::string, std::shared_ptr<std::mutex>> underway_; ///< by target
    std::set<std::string> cleaned_;                               ///< folders
};

/// "https://host:8080" from a URL.
[[nodiscard]] std::string serverOf(const std::string& url);
/// The key of a URL's part file: a target may come from several servers.
[[nodiscard]] std::string partKey(const std::string& url);

} // namespace highwater::symbols
