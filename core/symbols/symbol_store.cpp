#include "core/symbols/symbol_store.h"

#include "core/symbols/cabinet_file.h"

#include <fmt/format.h>

#include <fstream>

namespace highwater::symbols {
namespace {

using Kind = SymbolPathEntry::Kind;
using Path = std::filesystem::path;

constexpr std::string_view kPointerName = "file.ptr";
constexpr std::string_view kPathMark = "PATH:";

bool isUrl(const std::string& place) { return place.starts_with("http://") || place.starts_with("https://"); }

/// "ntdll.pdb" compressed is "ntdll.pd_".
std::string compressedName(std::string name) {
    if (!name.empty()) name.back() = '_';
    return name;
}

/// A name from a trace must not lead out of the tree.
bool isPlainName(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find_first_of("/\\:") == std::string::npos;
}

std::string joinUrl(std::string url, const std::string& rest) {
    if (!url.ends_with('/')) url += '/';
    return url + rest;
}

} // namespace

/// One search: what was tried, and where downloads go.
class SymbolStore::Search {
  public:
    Search(const SymbolStore& store, const SoughtImage& image, Progress& progress, std::stop_token stop)
        : store_(store), image_(image), progress_(progress), stop_(std::move(stop)) {}

    SymbolSearch run() {
        for (const auto& entry : store_.path_.entries()) {
            if (stop_.stop_requested()) {
                result_.state = SymbolSearch::State::Cancelled;
                return std::move(result_);
            }
            if (entry.isTicked && visit(entry)) return std::move(result_);
        }
        (void)(!image_.path.empty() && tryFile(image_.path));
        return std::move(result_);
    }

    /// True: the search is over.
    bool tryFile(const Path& path) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error)) return note(path.string(), "not there");
        auto opened = SymbolFile::openMatching(path, image_.identity);
        if (!opened.hasValue()) {
            if (opened.error().kind == ErrorKind::NotFound) result_.state = SymbolSearch::State::Mismatched;
            return note(path.string(), opened.error().message);
        }
        result_.file = std::move(opened).value();
        result_.path = path;
        result_.state = SymbolSearch::State::Found;
        const auto remark = result_.file->remark();
        note(path.string(), remark.empty() ? "found" : "found; " + remark);
        return true;
    }
    bool tryChosen(const Path& path) {
        std::error_code error;
        return std::filesystem::is_directory(path, error) ? visitFolder(path) : tryFile(path);
    }
    SymbolSearch take() { return std::move(result_); }

  private:
    bool note(std::string place, std::string outcome) {
        result_.tried.push_back({std::move(place), std::move(outcome)});
        return false;
    }
    [[nodiscard]] std::string expanded(const std::string& text) const {
        return expandVariables(text, store_.options_.environment);
    }
    [[nodiscard]] bool hasPdb() const { return image_.identity.hasPdb() && isPlainName(image_.pdbName); }
    [[nodiscard]] bool hasBuildId() const { return image_.identity.buildId.size() > 1; }

    bool visit(const SymbolPathEntry& entry) {
        const auto place = expanded(entry.place);
        switch (entry.kind) {
        case Kind::Folder:
            return visitFolder(place);
        case Kind::Cache:
            cache_ = place.empty() ? store_.options_.cacheFolder : Path(place);
            return visitTree(*cache_);
        case Kind::Server:
            return visitServer(entry, place);
        case Kind::BuildIdFolder:
            return hasBuildId() && tryFile(buildIdPath(place));
        case Kind::Debuginfod:
            return hasBuildId() && visitDebuginfod(place);
        }
        return false;
    }

    bool visitFolder(const Path& folder) {
        if (hasPdb() && (visitTree(folder) || tryFile(folder / image_.pdbName))) return true;
        if (!hasBuildId()) return false;
        if (tryFile(buildIdPath(folder)) || tryFile(buildIdPath(folder / ".build-id"))) return true;
        return isPlainName(image_.name) &&
               (tryFile(folder / (image_.name + ".debug")) || tryFile(folder / image_.name));
    }

    /// name / GUID+age / name
    bool visitTree(const Path& root) {
        if (!hasPdb()) return hasBuildId() && tryFile(debuginfodPath(root));
        const auto folder = root / image_.pdbName / pdbKey(image_.identity);
        std::error_code error;
        if (!std::filesystem::is_directory(folder, error)) return note((folder / image_.pdbName).string(), "not there");
        return tryFile(folder / image_.pdbName) || tryCompressed(folder / compressedName(image_.pdbName)) ||
               tryPointer(folder / kPointerName);
    }

    bool tryCompressed(const Path& path) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error)) return note(path.string(), "not there");
        const auto target = cacheFolder() / image_.pdbName / pdbKey(image_.identity) / image_.pdbName;
        const auto unpacked = unpackCabinet(path, target);
        if (!unpacked.hasValue()) return note(path.string(), unpacked.error().message);
        note(path.string(), "unpacked");
        if (tryFile(target)) return true;
        std::filesystem::remove(target, error); // another build's: the cache stays clean
        return false;
    }

    bool tryPointer(const Path& path) {
        std::ifstream file(path, std::ios::binary);
        std::string text;
        if (!std::getline(file, text)) return note(path.string(), "not there");
        while (!text.empty() && (text.back() == '\r' || text.back() == ' ' || text.back() == '\0'))
            text.pop_back();
        if (!text.starts_with(kPathMark)) return note(path.string(), "says no path: " + text.substr(0, 200));
        note(path.string(), "points to another place");
        return tryFile(text.substr(kPathMark.size()));
    }

    bool visitServer(const SymbolPathEntry& entry, const std::string& place) {
        std::optional<Path> first;
        for (const auto& text : entry.caches) {
            const auto folder = text.empty() ? store_.options_.cacheFolder : Path(expanded(text));
            if (!first) first = folder;
            if (visitTree(folder)) return true;
        }
        if (!isUrl(place)) return !place.empty() && visitTree(place);
        if (!hasPdb()) return false;
        const auto cache = first.value_or(cacheFolder());
        if (!first && visitTree(cache)) return true;
        const auto target = cache / image_.pdbName / pdbKey(image_.identity) / image_.pdbName;
        const auto below = joinUrl(place, image_.pdbName + "/" + pdbKey(image_.identity) + "/");
        if (download(below + image_.pdbName, target)) return true;
        return lastOutcome_ == SymbolFetcher::Outcome::NotThere &&
               downloadCompressed(below + compressedName(image_.pdbName), target);
    }

    bool visitDebuginfod(const std::string& server) {
        const auto target = debuginfodPath(cacheFolder());
        if (tryFile(target)) return true;
        return download(joinUrl(server, "buildid/" + buildIdHex(image_.identity) + "/debuginfo"), target);
    }

    bool download(const std::string& url, const Path& target) {
        const auto check = [&](const Path& file) -> Result<void> {
            const auto opened = SymbolFile::openMatching(file, image_.identity);
            if (!opened.hasValue()) return opened.error();
            return {};
        };
        return fetch(url, target, check) && tryFile(target);
    }

    bool downloadCompressed(const std::string& url, const Path& target) {
        auto packed = target;
        packed.replace_filename(compressedName(image_.pdbName));
        const auto unpacks = [&](const Path& file) -> Result<void> {
            auto trial = target;
            trial += ".unpacked";
            const auto unpacked = unpackCabinet(file, trial);
            if (!unpacked.hasValue()) return unpacked;
            const auto opened = SymbolFile::openMatching(trial, image_.identity);
            std::error_code error;
            if (opened.hasValue()) std::filesystem::rename(trial, target, error);
            if (opened.hasValue()) return {};
            std::filesystem::remove(trial, error);
            return opened.error();
        };
        if (!fetch(url, packed, unpacks)) return false;
        std::error_code error;
        std::filesystem::remove(packed, error);
        return tryFile(target);
    }

    bool fetch(const std::string& url, const Path& target, const SymbolFetcher::Check& check) {
        if (store_.options_.reach == StoreOptions::Reach::OnlyCached)
            return note(url, "not asked: only cached symbols");
        // Both kinds of tree are two folders deep.
        store_.fetcher_.removeLeftovers(target.parent_path().parent_path().parent_path());
        const auto answer = store_.fetcher_.fetch(url, target, check, progress_, stop_);
        lastOutcome_ = answer.outcome;
        note(url, answer.sentence);
        if (answer.outcome == SymbolFetcher::Outcome::WrongFile) result_.state = SymbolSearch::State::Mismatched;
        return answer.outcome == SymbolFetcher::Outcome::Fetched;
    }

    [[nodiscard]] Path cacheFolder() const { return cache_.value_or(store_.options_.cacheFolder); }
    [[nodiscard]] Path buildIdPath(const Path& root) const {
        const auto hex = buildIdHex(image_.identity);
        return root / hex.substr(0, 2) / (hex.substr(2) + ".debug");
    }
    [[nodiscard]] Path debuginfodPath(const Path& root) const {
        return root / "buildid" / buildIdHex(image_.identity) / "debuginfo";
    }

    const SymbolStore& store_;
    const SoughtImage& image_;
    Progress& progress_;
    std::stop_token stop_;
    SymbolSearch result_;
    std::optional<Path> cache_; ///< of the entries behind a cache entry
    SymbolFetcher::Outcome lastOutcome_ = SymbolFetcher::Outcome::NotThere;
};

SymbolStore::SymbolStore(SymbolPath path, StoreOptions options, SymbolFetcher& fetcher)
    : path_(std::move(path)), options_(std::move(options)), fetcher_(fetcher) {}

SymbolSearch SymbolStore::find(const SoughtImage& image, Progress& progress, std::stop_token stop) const {
    return Search(*this, image, progress, std::move(stop)).run();
}

SymbolSearch SymbolStore::tryFile(const SoughtImage& image, const std::filesystem::path& path) const {
    Progress progress;
    Search search(*this, image, progress, {});
    (void)search.tryChosen(path);
    return search.take();
}

} // namespace highwater::symbols
