#include "core/symbols/store/symbol_fetcher.h"

#include "core/base/text.h"
#include "core/files/private_folder.h"
#include "core/http/http_request.h"
#include "core/symbols/store/part_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>
#include <thread>

namespace highwater::symbols {
namespace {

using Outcome = SymbolFetcher::Outcome;

constexpr int kOk = 200;
constexpr int kPartial = 206;
constexpr int kRangeNotSatisfiable = 416;

constexpr int kTooManyRequests = 429;
constexpr int kBusy = 503;
constexpr std::chrono::milliseconds kLook{50};
constexpr std::uint64_t kMostPageBytes = 1 << 20; ///< limit for an error page
constexpr int kMostFolderTries = 5;

/// False: stopped.
bool sleepFor(std::chrono::milliseconds time, const std::stop_token& stop) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (!stop.stop_requested() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::min(kLook, time));
    return !stop.stop_requested();
}

/// The whole file or a part of it was received but cannot be used.
bool isUnusable(Outcome outcome) {
    return outcome == Outcome::CutOff || outcome == Outcome::WrongFile || outcome == Outcome::OtherBuild;
}

} // namespace

std::string serverOf(const std::string& url) {
    const auto scheme = url.find("://");
    if (scheme == std::string::npos) return url;
    return url.substr(0, url.find('/', scheme + 3));
}

std::string partKey(const std::string& url) {
    std::uint64_t hash = 0xCBF29CE484222325ull; // FNV-1a, which is the same in every process
    for (const char c : url)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
    return fmt::format("{:016x}", hash);
}

/// The download of one file, with all attempts.
class SymbolFetcher::Download {
  public:
    Download(const FetchOptions& options, std::string url, PartFile& part, Progress& progress)
        : options_(options), url_(std::move(url)), part_(part), progress_(progress) {}

    Answer run(const std::stop_token& stop) {
        Answer answer;
        for (int attempt = 0; attempt < options_.attempts; ++attempt) {
            wait_.reset();
            answer = tryOnce(stop);
            if (givenUp_) break;
            if (wait_ && attempt + 1 < options_.attempts) {
                if (!sleepFor(*wait_, stop)) return {Outcome::Cancelled, "cancelled"};
            } else if (answer.outcome != Outcome::CutOff) {
                break;
            }
        }
        return answer;
    }

    /// Bytes received in all attempts.
    [[nodiscard]] std::uint64_t received() const { return received_; }

  private:
    using Clock = std::chrono::steady_clock;

    Answer tryOnce(const std::stop_token& stop) {
        const HttpRequest request{
            url_, part_.bytes(), part_.tag(), options_.connectTimeout, options_.stallTimeout, options_.certificates};
        expected_.reset();
        pageBytes_ = 0;
        paceBegin_ = Clock::now();
        paceBytes_ = 0;
        bool isBody = false, isOtherPart = false;
        HttpReceiver receiver;
        receiver.onHead = [&](const HttpHead& head) {
            isBody = head.status == kOk || (head.status == kPartial && continues(head));
            isOtherPart = head.status == kPartial && !isBody;
            if (isOtherPart) part_.restart({});
            if (head.status == kOk) part_.restart(head.validator); // the whole file, even if a range was requested
            if (head.bodyBytes != 0) expected_ = part_.bytes() + head.bodyBytes;
            progress_.total = expected_.value_or(0);
            if (isBody && expected_.value_or(0) > options_.mostBytes) (void)refuseAsTooLarge();
        };
        receiver.onBytes = [&](ByteSpan bytes) {
            received_ += bytes.size();
            if (isOtherPart || !keepsPace(bytes.size())) return false;
            if (!isBody) return (pageBytes_ += bytes.size()) <= kMostPageBytes; // an error page
            if (part_.bytes() + bytes.size() > options_.mostBytes) return refuseAsTooLarge();
            hasSent_ = true;
            const bool isWritten = part_.append(bytes);
            progress_.done = part_.bytes();
            return isWritten;
        };
        const auto response = httpSend(request, receiver, stop);
        if (isOtherPart && !stop.stop_requested())
            return {Outcome::CutOff, "the server sent a different part than requested"};
        const auto answer = judge(response);
        // Without a tag it is unknown which content the rest would belong to.
        if (answer.outcome != Outcome::Fetched && part_.tag().empty()) part_.restart({});
        return answer;
    }

    /// Whether the download is fast enough to continue, after `bytes` more bytes.
    bool keepsPace(std::size_t bytes) {
        if (givenUp_) return false;
        const auto now = Clock::now();
        const auto seconds = [](auto time) { return std::chrono::duration_cast<std::chrono::seconds>(time).count(); };
        if (now - begin_ > options_.longest)
            givenUp_ = {Outcome::CutOff, fmt::format("gave up after {} s with {} bytes", seconds(now - begin_),
                                                     thousands(part_.bytes()))};
        paceBytes_ += bytes;
        if (now - paceBegin_ <= options_.paceTime) return !givenUp_;
        if (paceBytes_ < options_.leastBytes)
            givenUp_ = {Outcome::CutOff, fmt::format("gave up because only {} bytes arrived in {} s",
                                                     thousands(paceBytes_), seconds(now - paceBegin_))};
        paceBegin_ = now;
        paceBytes_ = 0;
        return !givenUp_;
    }
    bool refuseAsTooLarge() {
        givenUp_ = {Outcome::WrongFile, "refused: it is larger than " + megabytes(options_.mostBytes)};
        return false;
    }

    /// Some servers and proxies ignore the requested range.
    [[nodiscard]] bool continues(const HttpHead& head) const {
        return head.fromByte == part_.bytes() && (head.validator.empty() || head.validator == part_.tag());
    }

    Answer judge(const HttpResponse& response) {
        using End = HttpResponse::End;
        const auto received = part_.bytes();
        switch (response.end) {
        case End::Cancelled:
            if (givenUp_) return *givenUp_;
            if (pageBytes_ > kMostPageBytes) return judgeStatus(response);
            if (part_.state() == PartFile::State::CannotWrite)
                return {Outcome::CannotWrite,
                        fmt::format("{} cannot be written: {}", part_.path().string(), part_.problem())};
            return {Outcome::Cancelled, "cancelled"};
        case End::NotHttp:
            return {Outcome::NotThere, fmt::format("invalid answer: {}", response.problem)};
        case End::NotTrusted:
            return {Outcome::ServerDown, fmt::format("no secure connection to the server: {}", response.problem)};
        case End::NoServer:
            // A server that just sent part of the file is worth another attempt.
            if (hasSent_ && received != 0) return {Outcome::CutOff, response.problem};
            return {Outcome::ServerDown, fmt::format("the server does not answer: {}", response.problem)};
        case End::CutOff:
        case End::TooSlow: // neither occurs, as no time limit is set and compressed answers are accepted
        case End::Packed:
            return {Outcome::CutOff, fmt::format("cut off after {} bytes", thousands(received))};
        case End::Complete:
            break;
        }
        return judgeStatus(response);
    }

    Answer judgeStatus(const HttpResponse& response) {
        if (response.status == kRangeNotSatisfiable && part_.bytes() != 0) {
            part_.restart({});
            return {Outcome::CutOff, "the file changed on the server"};
        }
        if (response.status == kTooManyRequests || response.status == kBusy) {
            const auto asked = std::chrono::duration_cast<std::chrono::milliseconds>(response.retryAfter);
            const auto wait = std::max(asked, options_.busyWait);
            if (wait <= options_.longestWait) wait_ = wait;
            // Requests for other modules would make it worse.
            return {Outcome::ServerDown, asked.count() == 0
                                             ? fmt::format("the server is busy (status {})", response.status)
                                             : fmt::format("the server is busy (status {}) and asks to wait {} s",
                                                           response.status, response.retryAfter.count())};
        }
        if (response.status != kOk && response.status != kPartial)
            return {Outcome::NotThere, fmt::format("not found (status {})", response.status)};
        if (expected_ && part_.bytes() < *expected_)
            return {Outcome::CutOff,
                    fmt::format("cut off after {} of {} bytes", thousands(part_.bytes()), thousands(*expected_))};
        return {Outcome::Fetched, "downloaded"};
    }

    const FetchOptions& options_;
    std::string url_;
    PartFile& part_;
    Progress& progress_;
    std::optional<std::uint64_t> expected_;
    bool hasSent_ = false;                          ///< in this run()
    std::optional<std::chrono::milliseconds> wait_; ///< before the next attempt
    std::optional<Answer> givenUp_;                 ///< no further attempt
    std::uint64_t pageBytes_ = 0;
    std::uint64_t received_ = 0;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point paceBegin_;
    std::uint64_t paceBytes_ = 0; ///< since paceBegin_
};

std::optional<SymbolFetcher::Answer> SymbolFetcher::knownFailure(const std::string& url) {
    const std::lock_guard lock(mutex_);
    for (const auto& key : {serverOf(url), url}) {
        if (const auto known = failures_.find(key); known != failures_.end())
            return Answer{known->second.outcome, known->second.sentence + " (queried before)", true};
    }
    return std::nullopt;
}

void SymbolFetcher::remember(const std::string& url, const Answer& answer) {
    const std::lock_guard lock(mutex_);
    if (answer.outcome == Outcome::ServerDown) failures_[serverOf(url)] = answer;
    // Otherwise a wrong or unreachable file would be downloaded again for every module.
    if (answer.outcome == Outcome::NotThere || isUnusable(answer.outcome)) failures_[url] = answer;
}

std::string SymbolFetcher::reasonToGiveUp(const Cost& cost) const {
    const auto seconds = [](auto time) { return std::chrono::duration<double>(time).count(); };
    if (cost.lost >= options_.serverPatience)
        return fmt::format("the server is too slow: {:.0f} s were spent on missing or slow files", seconds(cost.lost));
    if (cost.failures >= options_.mostFailures)
        return fmt::format("the server failed to send {} files in a row", cost.failures);
    if (cost.bytes >= options_.mostServerBytes)
        return fmt::format("the server has already sent {}", megabytes(cost.bytes));
    return {};
}

/// A quick "not found" costs nothing, however often it is requested.
void SymbolFetcher::count(const std::string& url, const Answer& answer, std::chrono::milliseconds time,
                          std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    auto& cost = costs_[serverOf(url)];
    cost.bytes += bytes;
    const bool isFetched = answer.outcome == Outcome::Fetched;
    const std::chrono::milliseconds fair(
        isFetched ? bytes * 1'000 / std::max<std::uint64_t>(options_.slowBytesPerSecond, 1) : 0);
    if (answer.outcome != Outcome::Cancelled && time > fair + options_.quick) cost.lost += time - fair - options_.quick;
    if (isFetched) cost.failures = 0;
    if (isUnusable(answer.outcome)) ++cost.failures;
    if (const auto why = reasonToGiveUp(cost); !why.empty())
        failures_[serverOf(url)] = {Outcome::ServerDown, fmt::format("no longer queried because {}", why)};
}

void SymbolFetcher::forgetFailures() {
    const std::lock_guard lock(mutex_);
    failures_.clear();
    costs_.clear();
}

SymbolFetcher::Answer SymbolFetcher::fetch(const std::string& url, const std::filesystem::path& target,
                                           const Check& check, Progress& progress, std::stop_token stop) {
    std::shared_ptr<std::mutex> one;
    {
        const std::lock_guard lock(mutex_);
        auto& entry = underway_[target.string()];
        if (!entry) entry = std::make_shared<std::mutex>();
        one = entry;
    }
    const std::lock_guard only(*one);
    const auto isThere = [&] {
        std::error_code error;
        return std::filesystem::exists(target, error) && check(target).hasValue();
    };
    if (isThere()) return {Outcome::Fetched, "already there"};
    if (const auto known = knownFailure(url)) return *known;
    auto part = openPartInFolder(url, target, progress, stop);
    if (stop.stop_requested()) return {Outcome::Cancelled, "cancelled"};
    if (part.state() != PartFile::State::Open)
        return {Outcome::CannotWrite, fmt::format("{} cannot be written: {}", target.string(), part.problem())};
    if (isThere()) { // another process has completed it
        part.remove();
        return {Outcome::Fetched, "already there"};
    }
    const auto begin = std::chrono::steady_clock::now();
    Download download(options_, url, part, progress);
    auto answer = download.run(stop);
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
    if (answer.outcome == Outcome::Fetched) {
        if (const auto checked = check(part.path()); !checked.hasValue())
            answer = {checked.error().kind == ErrorKind::NotFound ? Outcome::OtherBuild : Outcome::WrongFile,
                      "refused: " + checked.error().message};
        else if (!part.moveTo(target))
            answer = {Outcome::CannotWrite, fmt::format("{} cannot be written: {}", target.string(), part.problem())};
    }
    // A resumable part is kept for the next attempt, possibly by the next process.
    const bool isKept = (answer.outcome == Outcome::CutOff || answer.outcome == Outcome::Cancelled ||
                         answer.outcome == Outcome::ServerDown) &&
                        part.bytes() != 0 && !part.tag().empty();
    if (!isKept) part.remove();
    if (answer.outcome == Outcome::Fetched) removePartsOf(target); // parts from other servers
    remember(url, answer);
    count(url, answer, took, download.received());
    return answer;
}

/// Another process whose download failed may remove the folder before there is a file in it.
PartFile SymbolFetcher::openPartInFolder(const std::string& url, const std::filesystem::path& target,
                                         Progress& progress, const std::stop_token& stop) const {
    for (int tries = 1;; ++tries) {
        std::error_code error;
        (void)makePrivateFolder(target.parent_path(), error);
        auto part = openPart(url, target, progress, stop);
        if (part.state() == PartFile::State::Open || tries == kMostFolderTries ||
            std::filesystem::exists(target.parent_path(), error))
            return part;
    }
}

/// Waits while another process downloads the same file, and takes over when that one ends or makes no progress.
PartFile SymbolFetcher::openPart(const std::string& url, const std::filesystem::path& target, Progress& progress,
                                 const std::stop_token& stop) const {
    const auto patience = options_.connectTimeout + options_.stallTimeout;
    auto lastGrowth = std::chrono::steady_clock::now();
    std::uint64_t bytes = 0;
    for (;;) {
        auto part = PartFile::open(target, partKey(url));
        if (part.state() != PartFile::State::Busy || stop.stop_requested()) return part;
        std::error_code error;
        const auto now = std::filesystem::file_size(part.path(), error);
        if (!error && now != bytes) {
            bytes = now;
            progress.done = now;
            lastGrowth = std::chrono::steady_clock::now();
        }
        if (std::chrono::steady_clock::now() - lastGrowth > patience) break;
        (void)sleepFor(kLook, stop);
    }
    std::random_device random;
    return PartFile::open(target, fmt::format("{:08x}{:08x}", random(), random()));
}

void SymbolFetcher::removeLeftovers(const std::filesystem::path& root) {
    {
        const std::lock_guard lock(mutex_);
        if (!cleaned_.insert(root.string()).second) return;
    }
    symbols::removeLeftovers(root, options_.leftoverAge);
}

} // namespace highwater::symbols
