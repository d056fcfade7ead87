#include "core/symbols/store/symbol_store.h"

#include "core/base/text.h"
#include "core/files/bounded_file.h"
#include "core/symbols/places/trusted_image_path.h"
#include "core/symbols/store/cabinet_file.h"
#include "core/symbols/store/symbol_file_opener.h"

#include <fmt/format.h>

#include <algorithm>

namespace highwater::symbols {
namespace {

using Kind = SymbolPathEntry::Kind;
using Path = std::filesystem::path;

constexpr std::string_view kPointerName = "file.ptr";
constexpr std::string_view kPathMark = "PATH:";
constexpr const char* kNotThere = "not found";
constexpr const char* kLinkBesideTrace = "is reached through a link in a folder that came with the trace; skipped";

bool isUrl(const std::string& place) {
    const auto scheme = lowered(place.substr(0, place.find(':') + 1));
    return scheme == "http:" || scheme == "https:";
}

/// A name as one step of a URL.
std::string percentEncoded(const std::string& name) {
    constexpr std::string_view kPlain = "-._~";
    std::string encoded;
    for (const char c : name) {
        const bool isPlain = (c >= '0' && c <= '9') || (lowered(c) >= 'a' && lowered(c) <= 'z') ||
                             kPlain.find(c) != std::string_view::npos;
        encoded += isPlain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return encoded;
}

/// Both kinds of trees are two folders deep: name / identity / file. Folders that are not empty cannot be removed.
void removeEmptyFolders(const std::filesystem::path& target) {
    auto folder = target.parent_path();
    for (int depth = 0; depth < 2; ++depth, folder = folder.parent_path()) {
        std::error_code error;
        if (!std::filesystem::is_directory(folder, error) || !std::filesystem::remove(folder, error)) return;
    }
}

TriedPlace::Kind kindOf(const SymbolFetcher::Answer& answer) {
    if (answer.outcome == SymbolFetcher::Outcome::Fetched) return TriedPlace::Kind::Step;
    const bool isOrdinary = answer.outcome == SymbolFetcher::Outcome::NotThere || answer.wasAskedBefore ||
                            answer.outcome == SymbolFetcher::Outcome::Cancelled;
    return isOrdinary ? TriedPlace::Kind::NotThere : TriedPlace::Kind::Refused;
}

/// "ntdll.pdb" becomes "ntdll.pd_".
std::string compressedName(std::string name) {
    if (!name.empty()) name.back() = '_';
    return name;
}

bool isUnc(const std::string& place) { return place.starts_with("\\\\") || place.starts_with("//"); }

std::string joinUrl(std::string url, const std::string& rest) {
    if (!url.ends_with('/')) url += '/';
    return url + rest;
}

} // namespace

/// One search, its tried places and its download folder.
class SymbolStore::Search {
  public:
    Search(const SymbolStore& store, const SoughtImage& image, Progress& progress, std::stop_token stop,
           bool mayDownload)
        : store_(store), image_(image), progress_(progress), stop_(std::move(stop)), mayDownload_(mayDownload) {}

    SymbolSearch run() {
        for (const auto& entry : store_.path_.entries()) {
            if (stop_.stop_requested()) {
                result_.state = SymbolSearch::State::Cancelled;
                return std::move(result_);
            }
            if (entry.isTicked && visit(entry)) return std::move(result_);
        }
        if (!tryArchives()) (void)tryImage();
        return std::move(result_);
    }

    /// True: the search is finished.
    bool tryFile(const Path& path) {
        if (const auto* objection = objectionTo(path, PlaceBelow::File)) return noteRejected(path, objection);
        return take(openMatchingSymbolFile(path, image_.identity, linked_), path);
    }
    bool take(Result<std::unique_ptr<SymbolFile>> opened, const Path& path) {
        if (!opened.hasValue()) {
            if (opened.error().kind == ErrorKind::NotFound) result_.state = SymbolSearch::State::Mismatched;
            return note(path.string(), opened.error().message);
        }
        if (image_.isIl && !opened.value()->knowsIl())
            return note(path.string(), "has no source lines for managed code", TriedPlace::Kind::NotThere);
        result_.file = std::move(opened).value();
        result_.path = path;
        if (besideTrace_) result_.origin = SymbolSearch::Origin::BesideTrace;
        result_.state = SymbolSearch::State::Found;
        const auto remark = result_.file->remark();
        note(path.string(), remark.empty() ? "found" : "found; " + remark, TriedPlace::Kind::Found);
        return true;
    }
    bool tryChosen(const Path& path) {
        linked_ = {LinkedFiles::Reach::Local};
        std::error_code error;
        return std::filesystem::is_directory(path, error) ? visitFolder(path) : tryFile(path);
    }
    SymbolSearch take() { return std::move(result_); }

  private:
    bool note(std::string place, std::string outcome, TriedPlace::Kind kind = TriedPlace::Kind::Refused) {
        result_.tried.push_back({std::move(place), std::move(outcome), kind});
        return false;
    }
    bool noteRejected(const Path& place, const char* objection) {
        const bool isAbsent = objection == kNotThere;
        return note(place.string(), objection, isAbsent ? TriedPlace::Kind::NotThere : TriedPlace::Kind::Refused);
    }
    /// Why a place of the wanted type cannot be read; nullptr: it can. In a folder that came with the trace, no link is
    /// followed, not even to check its target.
    [[nodiscard]] const char* objectionTo(const Path& path, PlaceBelow wanted) const {
        if (besideTrace_) {
            const auto found = placeTypeBelow(*besideTrace_, path);
            if (found == wanted) return nullptr;
            return found == PlaceBelow::Link ? kLinkBesideTrace : kNotThere;
        }
        std::error_code error;
        const auto status = std::filesystem::status(path, error);
        const bool isThere = wanted == PlaceBelow::File ? std::filesystem::is_regular_file(status)
                                                        : std::filesystem::is_directory(status);
        return isThere ? nullptr : kNotThere;
    }
    [[nodiscard]] std::string expanded(const std::string& text) const {
        return expandVariables(text, store_.options_.environment);
    }
    [[nodiscard]] bool hasPdb() const { return image_.identity.hasPdb() && isPlainName(image_.pdbName); }
    [[nodiscard]] bool hasBuildId() const { return image_.identity.buildId.size() > 1; }

    bool tryArchives() {
        if (!hasPdb()) return false;
        for (const auto& archive : store_.options_.archives) {
            for (const auto& key : pdbKeys()) {
                auto bytes = archive->read(image_.pdbName, key);
                if (bytes && tryArchived(archive->path() / "symbols" / image_.pdbName / key, std::move(*bytes)))
                    return true;
            }
        }
        return false;
    }
    bool tryArchived(const Path& place, Result<std::vector<std::byte>> bytes) {
        if (!bytes.hasValue()) return note(place.string(), bytes.error().message);
        auto opened = openSymbolFileInMemory(std::move(bytes).value());
        if (!take(refuseOtherBuild(std::move(opened), place, image_.identity), place)) return false;
        result_.origin = SymbolSearch::Origin::BesideTrace;
        return true;
    }

    /// The last step: the image at the path in the trace.
    bool tryImage() {
        if (image_.path.empty()) return false;
        if (const auto objection = symbols::objectionTo(image_.path); !objection.empty())
            return note(image_.path, objection + "; skipped", TriedPlace::Kind::NotThere);
        if (!image_.isPathTrusted) return note(image_.path, kForeignPathOutcome, TriedPlace::Kind::NotThere);
        const auto trusted = trustedPath(image_.path);
        if (!trusted.hasValue()) return note(image_.path, trusted.error().message);
        besideTrace_.reset();
        linked_ = {LinkedFiles::Reach::Local};
        const bool isBeside = image_.isIl && hasPdb() && tryPdbBesideImage(trusted.value());
        if (!isBeside && !tryFile(trusted.value())) return false;
        result_.origin = SymbolSearch::Origin::Image;
        return true;
    }

    /// Compilers create the PDB beside the image.
    bool tryPdbBesideImage(const Path& image) {
        const auto pdb = trustedPath((image.parent_path() / image_.pdbName).string());
        return pdb.hasValue() && tryFile(pdb.value());
    }

    bool visit(const SymbolPathEntry& entry) {
        const auto place = expanded(entry.place);
        const auto& beside = store_.options_.besideTrace;
        const auto came = std::find(beside.begin(), beside.end(), Path(place));
        besideTrace_ = came == beside.end() ? std::nullopt : std::optional(*came);
        const bool isNamed = entry.kind == Kind::Folder || entry.kind == Kind::BuildIdFolder;
        using Reach = LinkedFiles::Reach;
        linked_ = besideTrace_ ? LinkedFiles{Reach::Below, *besideTrace_}
                               : LinkedFiles{isNamed ? Reach::Local : Reach::SameStore};
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
        if (image_.isIl && isPlainName(image_.name) && tryFile(folder / image_.name)) return true;
        if (!hasBuildId()) return false;
        if (tryFile(buildIdPath(folder)) || tryFile(buildIdPath(folder / ".build-id"))) return true;
        return isPlainName(image_.name) &&
               (tryFile(folder / (image_.name + ".debug")) || tryFile(folder / image_.name));
    }

    /// name / GUID+age / name
    bool visitTree(const Path& root) {
        if (!hasPdb()) return hasBuildId() && tryFile(debuginfodPath(root));
        const auto keys = pdbKeys();
        return std::any_of(keys.begin(), keys.end(),
                           [&](const auto& key) { return visitKey(root, root / image_.pdbName / key); });
    }
    /// The type of the PDB of a managed module is unknown, so both keys are tried.
    [[nodiscard]] std::vector<std::string> pdbKeys() const {
        if (!image_.isIl) return {pdbKey(image_.identity)};
        return {portablePdbKey(image_.identity), pdbKey(image_.identity)};
    }
    bool visitKey(const Path& root, const Path& folder) {
        if (const auto* objection = objectionTo(folder, PlaceBelow::Folder))
            return noteRejected(folder / image_.pdbName, objection);
        key_ = folder.filename().string();
        return tryFile(folder / image_.pdbName) || tryCompressed(folder / compressedName(image_.pdbName)) ||
               tryPointer(folder / kPointerName, root);
    }

    bool tryCompressed(const Path& path) {
        if (const auto* objection = objectionTo(path, PlaceBelow::File)) return noteRejected(path, objection);
        if (besideTrace_) return tryUnpacked(path);
        const auto target = cacheFolder() / image_.pdbName / key_ / image_.pdbName;
        const auto unpacked = unpackCabinet(path, target);
        if (!unpacked.hasValue()) {
            removeEmptyFolders(target);
            return note(path.string(), unpacked.error().message);
        }
        note(path.string(), "unpacked", TriedPlace::Kind::Step);
        if (tryFile(target)) return true;
        std::error_code error;
        std::filesystem::remove(target, error); // another build's file does not stay in the cache
        removeEmptyFolders(target);
        return false;
    }

    /// Not into the cache, where other traces would find it.
    bool tryUnpacked(const Path& path) {
        auto bytes = unpackCabinetToMemory(path);
        if (!bytes.hasValue()) return note(path.string(), bytes.error().message);
        return take(refuseOtherBuild(openSymbolFileInMemory(std::move(bytes).value()), path, image_.identity), path);
    }

    bool tryPointer(const Path& path, const Path& root) {
        if (besideTrace_) return false; // created by the creator of the trace
        constexpr std::size_t kMostPath = 1 << 16;
        const auto read = readBounded(path, kMostPath);
        if (!read.hasValue()) {
            if (read.error().kind != ErrorKind::NotFound) return note(path.string(), read.error().message);
            return note(path.string(), kNotThere, TriedPlace::Kind::NotThere);
        }
        auto text = read.value().substr(0, read.value().find('\n'));
        if (read.value().empty()) return note(path.string(), kNotThere, TriedPlace::Kind::NotThere);
        while (!text.empty() && (text.back() == '\r' || text.back() == ' ' || text.back() == '\0'))
            text.pop_back();
        if (!text.starts_with(kPathMark)) return note(path.string(), "contains no path: " + text.substr(0, 200));
        note(path.string(), "points to another place", TriedPlace::Kind::Step);
        return tryPointed(text.substr(kPathMark.size()), root);
    }

    bool tryPointed(const std::string& target, const Path& root) {
        const auto inside = Path(target).lexically_normal().lexically_relative(root.lexically_normal());
        const bool isInStore = !inside.empty() && *inside.begin() != "..";
        // A user who specifies a network store trusts its references within the network.
        if (isInStore || (isUnc(target) && isUnc(root.string()))) return tryFile(target);
        const auto trusted = trustedPath(target);
        if (!trusted.hasValue()) return note(target, trusted.error().message);
        return tryFile(trusted.value());
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
        const auto keys = pdbKeys();
        return std::any_of(keys.begin(), keys.end(),
                           [&](const auto& key) { return downloadKey(place, key, cache / image_.pdbName / key); });
    }
    bool downloadKey(const std::string& server, const std::string& key, const Path& folder) {
        const auto target = folder / image_.pdbName;
        const auto below = joinUrl(server, percentEncoded(image_.pdbName) + "/" + key + "/");
        if (download(below + percentEncoded(image_.pdbName), target)) return true;
        return lastOutcome_ == SymbolFetcher::Outcome::NotThere &&
               downloadCompressed(below + percentEncoded(compressedName(image_.pdbName)), target);
    }

    bool visitDebuginfod(const std::string& server) {
        const auto target = debuginfodPath(cacheFolder());
        if (tryFile(target)) return true;
        return download(joinUrl(server, "buildid/" + buildIdHex(image_.identity) + "/debuginfo"), target);
    }

    bool download(const std::string& url, const Path& target) {
        const auto check = [&](const Path& file) -> Result<void> {
            TRY(openMatchingSymbolFile(file, image_.identity));
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
            TRY(unpackCabinet(file, trial));
            const auto opened = openMatchingSymbolFile(trial, image_.identity);
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
        if (!mayDownload_) {
            result_.hasSkippedServers = true;
            return note(url, "not queried because only cached symbols are used", TriedPlace::Kind::NotThere);
        }
        store_.fetcher_.removeLeftovers(target.parent_path().parent_path().parent_path());
        const auto answer = store_.fetcher_.fetch(url, target, check, progress_, stop_);
        lastOutcome_ = answer.outcome;
        note(url, answer.sentence, kindOf(answer));
        if (answer.outcome != SymbolFetcher::Outcome::Fetched) removeEmptyFolders(target);
        if (answer.outcome == SymbolFetcher::Outcome::OtherBuild) result_.state = SymbolSearch::State::Mismatched;
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
    bool mayDownload_;
    SymbolSearch result_;
    std::string key_;                 ///< key of the current folder: name / key / name
    std::optional<Path> cache_;       ///< for the entries after a cache entry
    std::optional<Path> besideTrace_; ///< the current folder, if it came with the trace
    LinkedFiles linked_;
    SymbolFetcher::Outcome lastOutcome_ = SymbolFetcher::Outcome::NotThere;
};

SymbolStore::SymbolStore(SymbolPath path, StoreOptions options, SymbolFetcher& fetcher)
    : path_(std::move(path)), options_(std::move(options)), fetcher_(fetcher) {}

SymbolSearch SymbolStore::find(const SoughtImage& image, Progress& progress, std::stop_token stop) const {
    return Search(*this, image, progress, std::move(stop), mayDownload()).run();
}

SymbolSearch SymbolStore::findCached(const SoughtImage& image, std::stop_token stop) const {
    Progress progress;
    return Search(*this, image, progress, std::move(stop), false).run();
}

bool SymbolStore::isNamedPlace(const std::filesystem::path& file) const {
    const auto isBelow = [&](const Path& folder) {
        std::error_code error;
        const auto whole = Path(std::filesystem::absolute(folder, error)).lexically_normal();
        const auto rest = file.lexically_relative(whole);
        return !error && !rest.empty() && *rest.begin() != "..";
    };
    const auto& beside = options_.besideTrace;
    if (std::any_of(beside.begin(), beside.end(), isBelow)) return false;
    if (!options_.cacheFolder.empty() && isBelow(options_.cacheFolder)) return true;
    return std::any_of(path_.entries().begin(), path_.entries().end(), [&](const auto& entry) {
        const auto isPlace = [&](const std::string& text) {
            const auto place = expandVariables(text, options_.environment);
            return !place.empty() && !isUrl(place) && isBelow(place);
        };
        return entry.isTicked &&
               (isPlace(entry.place) || std::any_of(entry.caches.begin(), entry.caches.end(), isPlace));
    });
}

SymbolSearch SymbolStore::tryFile(const SoughtImage& image, const std::filesystem::path& path) const {
    Progress progress;
    Search search(*this, image, progress, {}, false);
    (void)search.tryChosen(path);
    return search.take();
}

} // namespace highwater::symbols
