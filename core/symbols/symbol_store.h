#pragma once

#include "core/symbols/symbol_fetcher.h"
#include "core/symbols/symbol_file.h"
#include "core/symbols/symbol_path.h"

#include <string>
#include <vector>

namespace highwater::symbols {

/// An image whose debug file is looked for.
struct SoughtImage {
    std::string path;    ///< of the image, as this system would open it; "" or not there: not looked at
    std::string name;    ///< file name: "ntdll.dll", "libfoo.so.1"
    std::string pdbName; ///< file name of the PDB; "" when the image names none
    SymbolIdentity identity;
};

/// One place that was looked at.
struct TriedPlace {
    std::string place;   ///< path or URL
    std::string outcome; ///< "not there", "belongs to another build: ...", "found"
};

struct SymbolSearch {
    enum class State { Found, NotFound, Mismatched, Cancelled };
    State state = State::NotFound;
    std::unique_ptr<SymbolFile> file; ///< when Found
    std::filesystem::path path;       ///< of that file
    std::vector<TriedPlace> tried;    ///< in order, the place where it was found last
};

struct StoreOptions {
    std::filesystem::path cacheFolder; ///< of downloads whose entry names no cache
    Environment environment = systemEnvironment();
    enum class Reach { Everything, OnlyCached } reach = Reach::Everything; ///< OnlyCached: nothing is downloaded
};

/// Finds the debug file of an image along a symbol path: local trees (name / GUID+age / name, also compressed as name
/// with `_` at its end, or `file.ptr` that says where), plain folders, build-id folders, symbol servers and debuginfod.
/// Only a file whose own identity fits is taken; what does not fit is told and the search goes on. Last comes the image
/// itself, for its symbol or export table. Any thread.
class SymbolStore {
  public:
    /// `fetcher` must outlive the object.
    SymbolStore(SymbolPath path, StoreOptions options, SymbolFetcher& fetcher);

    /// Blocks; call from a worker. `progress` counts the bytes of the current download.
    [[nodiscard]] SymbolSearch find(const SoughtImage& image, Progress& progress, std::stop_token stop) const;
    /// Tries one file or folder that the user chose.
    [[nodiscard]] SymbolSearch tryFile(const SoughtImage& image, const std::filesystem::path& path) const;

  private:
    class Search;

    SymbolPath path_;
    StoreOptions options_;
    SymbolFetcher& fetcher_;
};

} // namespace highwater::symbols
