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
#include <stop_token>
#include <string>

namespace highwater::symbols {

struct FetchOptions {
    std::chrono::milliseconds connectTimeout{10'000};
    std::chrono::milliseconds stallTimeout{30'000};
    int attempts = 4; ///< of a download that is cut off; each goes on where the last one ended
};

/// Downloads debug files. What arrives is written under a temporary name beside the target and renamed when it is whole
/// and `check` found it to be the right file: a target that exists is always good, also with several Highwaters at
/// once. A server that does not answer is asked once, a file that is not there once, until forgetFailures(). Any
/// thread; the same file is not downloaded twice at a time.
class SymbolFetcher {
  public:
    explicit SymbolFetcher(FetchOptions options = {}) : options_(options) {}

    enum class Outcome {
        Fetched,
        NotThere,   ///< 404 or the like, now or before
        ServerDown, ///< it did not answer, now or before
        WrongFile,  ///< whole, but `check` refused it
        CutOff,     ///< all attempts ended in the middle
        Cancelled,
        CannotWrite,
    };
    struct Answer {
        Outcome outcome = Outcome::NotThere;
        std::string sentence; ///< for the list of places tried
    };
    using Check = std::function<Result<void>(const std::filesystem::path& file)>;

    /// Blocks; call from a worker. `progress` counts bytes.
    [[nodiscard]] Answer fetch(const std::string& url, const std::filesystem::path& target, const Check& check,
                               Progress& progress, std::stop_token stop);
    /// Servers and files are asked again (Retry).
    void forgetFailures();

  private:
    class Download;
    [[nodiscard]] std::optional<Answer> knownFailure(const std::string& url);
    void remember(const std::string& url, const Answer& answer);

    FetchOptions options_;
    std::mutex mutex_;
    std::map<std::string, Answer> failures_;                      ///< by server or by URL
    std::map<std::string, std::shared_ptr<std::mutex>> underway_; ///< by target
};

/// "https://host:8080" of a URL.
[[nodiscard]] std::string serverOf(const std::string& url);

} // namespace highwater::symbols
