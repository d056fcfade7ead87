#include "core/symbols/symbol_fetcher.h"

#include "core/symbols/http_request.h"

#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <random>

namespace highwater::symbols {
namespace {

using Outcome = SymbolFetcher::Outcome;

constexpr int kOk = 200;
constexpr int kPartial = 206;
constexpr int kRangeNotSatisfiable = 416;

std::filesystem::path temporaryName(const std::filesystem::path& target) {
    std::random_device random;
    auto name = target;
    name += fmt::format(".{:08x}{:08x}.part", random(), random());
    return name;
}

} // namespace

std::string serverOf(const std::string& url) {
    const auto scheme = url.find("://");
    if (scheme == std::string::npos) return url;
    return url.substr(0, url.find('/', scheme + 3));
}

/// One file on its way: the temporary file, and how much of it is there.
class SymbolFetcher::Download {
  public:
    Download(const FetchOptions& options, std::string url, const std::filesystem::path& target, Progress& progress)
        : options_(options), url_(std::move(url)), part_(temporaryName(target)), progress_(progress) {}
    ~Download() {
        file_.close();
        std::error_code gone;
        std::filesystem::remove(part_, gone); // renamed when all went well
    }
    Download(const Download&) = delete;
    Download& operator=(const Download&) = delete;

    [[nodiscard]] const std::filesystem::path& file() const { return part_; }

    Answer run(const std::stop_token& stop) {
        file_.open(part_, std::ios::binary | std::ios::trunc);
        if (!file_) return {Outcome::CannotWrite, fmt::format("{} cannot be written", part_.string())};
        Answer answer;
        for (int attempt = 0; attempt < options_.attempts; ++attempt) {
            answer = tryOnce(stop);
            if (answer.outcome != Outcome::CutOff) break;
        }
        file_.close();
        if (answer.outcome == Outcome::Fetched && !file_) return {Outcome::CannotWrite, "the disk is full"};
        return answer;
    }

  private:
    Answer tryOnce(const std::stop_token& stop) {
        const HttpRequest request{url_, received_, validator_, options_.connectTimeout, options_.stallTimeout};
        std::optional<std::uint64_t> expected;
        bool isBody = false;
        HttpReceiver receiver;
        receiver.onStatus = [&](int status, std::uint64_t bodyBytes) {
            isBody = status == kOk || status == kPartial;
            if (status == kOk) restart(); // everything from the begin, whatever was asked for
            if (bodyBytes != 0) expected = received_ + bodyBytes;
            progress_.total = expected.value_or(0);
        };
        receiver.onBytes = [&](ByteSpan bytes) {
            if (!isBody) return true; // the page of an error
            file_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
            received_ += bytes.size();
            progress_.done = received_;
            return file_.good();
        };
        const auto response = httpGet(request, receiver, stop);
        if (isBody) validator_ = response.validator;
        return judge(response, expected, stop);
    }

    Answer judge(const HttpResponse& response, std::optional<std::uint64_t> expected, const std::stop_token& stop) {
        using End = HttpResponse::End;
        switch (response.end) {
        case End::Cancelled:
            if (!stop.stop_requested()) return {Outcome::CannotWrite, "the disk is full"};
            return {Outcome::Cancelled, "cancelled"};
        case End::NotHttp:
            return {Outcome::NotThere, fmt::format("no answer that makes sense: {}", response.problem)};
        case End::NoServer:
            // A server that just sent half of the file is worth another try.
            if (received_ != 0) return {Outcome::CutOff, response.problem};
            return {Outcome::ServerDown, fmt::format("the server does not answer: {}", response.problem)};
        case End::CutOff:
            return {Outcome::CutOff, fmt::format("cut off after {} bytes", received_)};
        case End::Complete:
            break;
        }
        if (response.status == kRangeNotSatisfiable && received_ != 0) {
            restart();
            return {Outcome::CutOff, "the server changed its file"};
        }
        if (response.status != kOk && response.status != kPartial)
            return {Outcome::NotThere, fmt::format("not there (status {})", response.status)};
        if (expected && received_ < *expected)
            return {Outcome::CutOff, fmt::format("cut off after {} of {} bytes", received_, *expected)};
        return {Outcome::Fetched, "downloaded"};
    }

    void restart() {
        if (received_ == 0) return;
        file_.close();
        file_.open(part_, std::ios::binary | std::ios::trunc);
        received_ = 0;
    }

    const FetchOptions& options_;
    std::string url_;
    std::filesystem::path part_;
    Progress& progress_;
    std::ofstream file_;
    std::uint64_t received_ = 0;
    std::string validator_;
};

std::optional<SymbolFetcher::Answer> SymbolFetcher::knownFailure(const std::string& url) {
    const std::lock_guard lock(mutex_);
    for (const auto& key : {serverOf(url), url}) {
        if (const auto known = failures_.find(key); known != failures_.end())
            return Answer{known->second.outcome, known->second.sentence + " (asked before)"};
    }
    return std::nullopt;
}

void SymbolFetcher::remember(const std::string& url, const Answer& answer) {
    const std::lock_guard lock(mutex_);
    if (answer.outcome == Outcome::ServerDown) failures_[serverOf(url)] = answer;
    // A wrong or unreachable file would be fetched again for every module that asks.
    if (answer.outcome == Outcome::NotThere || answer.outcome == Outcome::WrongFile ||
        answer.outcome == Outcome::CutOff)
        failures_[url] = answer;
}

void SymbolFetcher::forgetFailures() {
    const std::lock_guard lock(mutex_);
    failures_.clear();
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
    std::error_code error;
    if (std::filesystem::exists(target, error) && check(target).hasValue()) return {Outcome::Fetched, "there already"};
    if (const auto known = knownFailure(url)) return *known;
    std::filesystem::create_directories(target.parent_path(), error);
    Download download(options_, url, target, progress);
    auto answer = download.run(stop);
    if (answer.outcome == Outcome::Fetched) {
        const auto checked = check(download.file());
        if (!checked.hasValue()) answer = {Outcome::WrongFile, "refused: " + checked.error().message};
    }
    if (answer.outcome == Outcome::Fetched) {
        std::filesystem::rename(download.file(), target, error);
        if (error) answer = {Outcome::CannotWrite, fmt::format("{} cannot be written", target.string())};
    }
    remember(url, answer);
    return answer;
}

} // namespace highwater::symbols
