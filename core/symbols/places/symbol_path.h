#pragma once

#include "core/symbols/places/symbol_path_entry.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::symbols {

/// An ordered list of places, as people write it: entries separated by ';'. Text that is parsed and printed again is
/// the same but for empty entries; so are the entries. A value: any thread.
///
///     folder;cache*folder;srv*cache*https://server;SRV**https://server;build-id:folder;debuginfod:https://server
///
/// An unticked entry is written with '!' before it (ours; other tools do not know it).
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

/// One entry, as parse() reads it. "" gives an empty folder entry.
[[nodiscard]] SymbolPathEntry parseSymbolPathEntry(std::string_view text);
[[nodiscard]] std::string toText(const SymbolPathEntry& entry);

/// The value of an environment variable, or nothing: std::getenv, or a test's own.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
[[nodiscard]] Environment systemEnvironment();

/// Replaces %VAR% (and a leading ~/) by the environment; variables that are not set stay as they are.
[[nodiscard]] std::string expandVariables(std::string_view text, const Environment& environment);

/// Where a computer has debug files by itself, without a network: _NT_SYMBOL_PATH, on Linux also
/// /usr/lib/debug/.build-id.
[[nodiscard]] SymbolPath localSymbolPath(const Environment& environment);
/// The path a fresh installation starts with: the local one and the servers of DEBUGINFOD_URLS.
[[nodiscard]] SymbolPath defaultSymbolPath(const Environment& environment);
/// The user's cache folder (XDG_CACHE_HOME, ~/.cache, %LOCALAPPDATA%); nothing: the environment names none.
[[nodiscard]] std::optional<std::filesystem::path> userCacheFolder(const Environment& environment);
/// The folder of resolved names and of downloads without a folder of their own: _NT_SYMCACHE_PATH, else the user's
/// cache folder (XDG_CACHE_HOME, ~/.cache, %LOCALAPPDATA%) with highwater/symbols below.
[[nodiscard]] std::filesystem::path defaultCacheFolder(const Environment& environment);

/// By its name: `X.etl.zip`, `.diagsession`. Recorders pack symbols into them.
[[nodiscard]] bool isTraceArchive(const std::filesystem::path& trace);
/// The folder that WPR leaves beside a trace, if it is there: `<trace>.NGENPDB`. A link of that
/// name is none: who sends a trace could lead anywhere with it.
[[nodiscard]] std::optional<std::filesystem::path> traceSymbolPath(const std::filesystem::path& trace);
/// The same with its size; walks it: call from a worker.
struct TraceSymbolFolder {
    std::filesystem::path path;
    std::uint64_t bytes = 0; ///< of all files below it
};
[[nodiscard]] std::optional<TraceSymbolFolder> traceSymbolFolder(const std::filesystem::path& trace);

} // namespace highwater::symbols
