#pragma once

#include "core/symbols/answers/symbol_file.h"
#include "core/symbols/places/symbol_path.h"
#include "core/symbols/store/symbol_archive.h"
#include "core/symbols/store/symbol_fetcher.h"

#include <memory>
#include <string>
#include <vector>

namespace highwater::symbols {

/// An image whose debug file is looked for.
struct SoughtImage {
    std::string path;    ///< of the image, as the trace names it; "": not looked at
    std::string name;    ///< file name: "ntdll.dll", "libfoo.so.1"
    std::string pdbName; ///< file name of the PDB; "" when the image names none
    SymbolIdentity identity;
    /// The trace was recorded on this computer, or the user allowed its paths: the image is looked at where the trace
    /// says, if that is on a local drive (trustedPath).
    bool isPathTrusted = false;
    /// Asked are places in IL: only what knows them is taken. The file may also lie beside the image, or in it.
    bool isIl = false;
};

/// One place that was looked at.
struct TriedPlace {
    std::string place;   ///< path or URL
    std::string outcome; ///< "not there", "belongs to another build: ...", "found"
    enum class Kind {
        NotThere, ///< nothing to be said against the place; also what was asked before, in this run
        Step,     ///< unpacked, downloaded, points to another place
        Found,
        Refused, ///< damaged, of another build, not trusted, or no answer: who looks for symbols may want to know
    } kind = Kind::Refused;
};

/// The outcome for an image whose path is not trusted.
inline constexpr const char* kForeignPathOutcome =
    "skipped because the trace seems to be from another computer. To search the paths in this trace: Configure Symbol "
    "Paths, or --trust-image-paths";

struct SymbolSearch {
    enum class State { Found, NotFound, Mismatched, Cancelled };
    State state = State::NotFound;
    std::unique_ptr<SymbolFile> file; ///< when Found
    std::filesystem::path path;       ///< of that file
    enum class Origin {
        Named,       ///< a place that the user named
        BesideTrace, ///< came with the trace: as good as its maker
        Image,       ///< the image itself
    } origin = Origin::Named;
    std::vector<TriedPlace> tried;  ///< in order, the place where it was found last
    bool hasSkippedServers = false; ///< OnlyCached: a server would have been asked
};

struct StoreOptions {
    std::filesystem::path cacheFolder; ///< of downloads whose entry names no cache
    Environment environment = systemEnvironment();
    enum class Reach { Everything, OnlyCached } reach = Reach::Everything; ///< OnlyCached: nothing is downloaded
    /// Folders of the path that came with the trace. What lies there leads to no other place, and is kept in no cache.
    std::vector<std::filesystem::path> besideTrace = {};
    /// Looked into after the whole path. What is in them is kept in no cache, either.
    std::vector<std::shared_ptr<const SymbolArchive>> archives = {};
};

/// Finds the debug file of an image along a symbol path: local trees (name / GUID+age / name, also compressed as name
/// with `_` at its end, or `file.ptr` that says where), plain folders, build-id folders, symbol servers and debuginfod.
/// Paths that files say lead to plain files on local drives only (trustedPath).
/// Only a file whose own identity fits is taken; what does not fit is told and the search goes on. Last comes the image
/// itself, for its symbol or export table. Any thread.
class SymbolStore {
  public:
    /// `fetcher` must outlive the object.
    SymbolStore(SymbolPath path, StoreOptions options, SymbolFetcher& fetcher);

    /// Blocks; call from a worker. `progress` counts the bytes of the current download.
    [[nodiscard]] SymbolSearch find(const SoughtImage& image, Progress& progress, std::stop_token stop) const;
    /// The same without a download, whatever the options say.
    [[nodiscard]] SymbolSearch findCached(const SoughtImage& image, std::stop_token stop) const;
    [[nodiscard]] bool mayDownload() const { return options_.reach == StoreOptions::Reach::Everything; }
    /// Whether a file lies in one of the places of the path (or their caches), and not beside a trace. Touches nothing.
    [[nodiscard]] bool isNamedPlace(const std::filesystem::path& file) const;
    /// Tries one file or folder that the user chose.
    [[nodiscard]] SymbolSearch tryFile(const SoughtImage& image, const std::filesystem::path& path) const;

  private:
    class Search;

    SymbolPath path_;
    StoreOptions options_;
    SymbolFetcher& fetcher_;
};

} // namespace highwater::symbols
