#pragma once

#include "core/symbols/answers/symbol_file.h"
#include "core/symbols/places/symbol_path.h"
#include "core/symbols/store/symbol_archive.h"
#include "core/symbols/store/symbol_fetcher.h"

#include <memory>
#include <string>
#include <vector>

namespace highwater::symbols {

/// An image whose debug file is searched for.
struct SoughtImage {
    std::string path;    ///< path of the image in the trace; "": do not search there
    std::string name;    ///< file name: "ntdll.dll", "libfoo.so.1"
    std::string pdbName; ///< file name of the PDB; "": none
    SymbolIdentity identity;
    /// The trace was recorded on this computer, or the user allowed its paths: the image is searched for at the path in
    /// the trace, if that is on a local drive (trustedPath).
    bool isPathTrusted = false;
    /// The request is for places in IL: only files with IL lines are accepted. The file may also be beside the image or
    /// embedded in it.
    bool isIl = false;
};

/// One place that was tried.
struct TriedPlace {
    std::string place;   ///< path or URL
    std::string outcome; ///< "not found", "belongs to another build: ...", "found"
    enum class Kind {
        NotThere, ///< nothing wrong with the place; also places that were asked earlier in this process
        Step,     ///< unpacked, downloaded, points to another place
        Found,
        Refused, ///< damaged, another build, not trusted, or no answer: of interest to a user who is missing symbols
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
    std::filesystem::path path;       ///< path of `file`
    enum class Origin {
        Named,       ///< a place that the user named
        BesideTrace, ///< came with the trace; trusted as much as its creator
        Image,       ///< the image itself
    } origin = Origin::Named;
    std::vector<TriedPlace> tried;  ///< in order; the place of the file found is the last
    bool hasSkippedServers = false; ///< OnlyCached: a server was skipped
};

struct StoreOptions {
    std::filesystem::path cacheFolder; ///< for downloads whose entry has no cache
    Environment environment = systemEnvironment();
    enum class Reach { Everything, OnlyCached } reach = Reach::Everything; ///< OnlyCached: nothing is downloaded
    /// Folders of the path that came with the trace. Files there must not lead to other places, and are not cached.
    std::vector<std::filesystem::path> besideTrace = {};
    /// Searched after the whole path. Their files are not cached either.
    std::vector<std::shared_ptr<const SymbolArchive>> archives = {};
};

/// Finds the debug file of an image along a symbol path: local trees (name / GUID+age / name, also compressed as name
/// with a trailing `_`, or redirected by `file.ptr`), plain folders, build-id folders, symbol servers and debuginfod.
/// Paths stored in files must lead to ordinary files on local drives (trustedPath).
/// Accepts only files with a matching identity. A mismatch is noted and the search continues. The image itself comes
/// last, for its symbol or export table. Any thread.
class SymbolStore {
  public:
    /// `fetcher` must outlive the object.
    SymbolStore(SymbolPath path, StoreOptions options, SymbolFetcher& fetcher);

    /// Blocks; call from a worker. `progress` counts the bytes of the current download.
    [[nodiscard]] SymbolSearch find(const SoughtImage& image, Progress& progress, std::stop_token stop) const;
    /// The same without downloads, regardless of the options.
    [[nodiscard]] SymbolSearch findCached(const SoughtImage& image, std::stop_token stop) const;
    [[nodiscard]] bool mayDownload() const { return options_.reach == StoreOptions::Reach::Everything; }
    /// Whether a file is in one of the places of the path (or their caches), and not beside a trace. Does not access
    /// files.
    [[nodiscard]] bool isNamedPlace(const std::filesystem::path& file) const;
    /// Tries one file or folder chosen by the user.
    [[nodiscard]] SymbolSearch tryFile(const SoughtImage& image, const std::filesystem::path& path) const;

  private:
    class Search;

    SymbolPath path_;
    StoreOptions options_;
    SymbolFetcher& fetcher_;
};

} // namespace highwater::symbols
