#pragma once

#include "core/symbols/places/symbol_path_entry.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::symbols {

/// An ordered list of places, as users write it: entries separated by ';'. Parsing and printing a text preserves it,
/// except for empty entries. A value: any thread.
///
///     folder;cache*folder;srv*cache*https://server;SRV**https://server;build-id:folder;debuginfod:https://server
///
/// An unticked entry is written with a leading '!' (only in Highwater; other tools do not support it).
class SymbolPath {
  public:
    SymbolPath() = default;
    explicit SymbolPath(std::vector<SymbolPathEntry> entries) : entries_(std::move(entries)) {}

    [[nodiscard]] static SymbolPath parse(std::string_view text);
    [[nodiscard]] std::string toText() const;

    [[nodiscard]] const std::vector<SymbolPathEntry>& entries() const { return entries_; }
    void append(SymbolPathEntry entry) { entries_.push_back(std::move(entry)); }

    friend bool operator==(const SymbolPath&, const SymbolPath&) = default;

  private:
    std::vector<SymbolPathEntry> entries_;
};

/// Parses one entry. "" gives an empty folder entry.
[[nodiscard]] SymbolPathEntry parseSymbolPathEntry(std::string_view text);
[[nodiscard]] std::string toText(const SymbolPathEntry& entry);

/// Returns the value of an environment variable, or nullopt: std::getenv, or a function of a test.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
[[nodiscard]] Environment systemEnvironment();

/// Replaces %VAR% and a leading ~/ from the environment. Unset variables are not replaced.
[[nodiscard]] std::string expandVariables(std::string_view text, const Environment& environment);

/// The local places of debug files: _NT_SYMBOL_PATH, on Linux also /usr/lib/debug/.build-id.
[[nodiscard]] SymbolPath localSymbolPath(const Environment& environment);
/// The initial path of a new installation: the local path and the servers of DEBUGINFOD_URLS.
[[nodiscard]] SymbolPath defaultSymbolPath(const Environment& environment);
/// The user's cache folder (XDG_CACHE_HOME, ~/.cache, %LOCALAPPDATA%); nullopt: the environment has none.
[[nodiscard]] std::optional<std::filesystem::path> userCacheFolder(const Environment& environment);
/// The folder of resolved names, and of downloads without a folder of their own: _NT_SYMCACHE_PATH, otherwise
/// highwater/symbols in the user's cache folder (XDG_CACHE_HOME, ~/.cache, %LOCALAPPDATA%).
[[nodiscard]] std::filesystem::path defaultCacheFolder(const Environment& environment);

/// By its name: `X.etl.zip`, `.diagsession`. Recorders pack symbols into such archives.
[[nodiscard]] bool isTraceArchive(const std::filesystem::path& trace);
/// The folder `<trace>.NGENPDB` that WPR creates beside a trace, if it exists. Ignores a link of that name, because the
/// sender of a trace could point it anywhere.
[[nodiscard]] std::optional<std::filesystem::path> traceSymbolPath(const std::filesystem::path& trace);
/// The same with its size. Walks the folder; call from a worker.
struct TraceSymbolFolder {
    std::filesystem::path path;
    std::uint64_t bytes = 0; ///< size of all files in it
};
[[nodiscard]] std::optional<TraceSymbolFolder> traceSymbolFolder(const std::filesystem::path& trace);

} // namespace highwater::symbols
