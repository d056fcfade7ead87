#pragma once

#include "core/base/result.h"
#include "core/symbols/answers/name_source.h"
#include "core/symbols/answers/symbol_identity.h"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

namespace highwater::symbols {

/// Identifies the file that something was read from. A replaced or changed file has another stamp.
struct FileStamp {
    std::string path; ///< "": no file
    std::uint64_t bytes = 0;
    std::int64_t changed = 0; ///< in the unit of the system
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
[[nodiscard]] FileStamp stampOf(const std::filesystem::path& path);

/// Cache of resolved names on disk, one file per module identity. Each file stores which debug file the names came
/// from. The caller must decide whether to trust that one, because any file can claim any identity. Files are written
/// under another name and renamed, and have a checksum: several processes may use the folder at once, and a damaged
/// file counts as missing. When the folder exceeds its limit, the least recently used files are removed. Folder and
/// files are readable only by the user, including a folder that already exists. Any thread.
class NameCache {
  public:
    static constexpr std::uint64_t kDefaultLimit = std::uint64_t{512} << 20;

    /// Empty folder: nothing is cached.
    explicit NameCache(std::filesystem::path folder, std::uint64_t limitBytes = kDefaultLimit)
        : folder_(std::move(folder)), limitBytes_(limitBytes) {}

    enum class Quality : std::uint8_t {
        PublicOnly, ///< from a debug file without private symbols; a better one may have the same identity
        Private,
    };
    struct Entry {
        ModuleNames names;
        Quality quality = Quality::PublicOnly;
        FileStamp source = {}; ///< the debug file
    };
    /// nullopt: missing or damaged.
    [[nodiscard]] std::optional<Entry> load(const SymbolIdentity& identity) const;
    /// Replaces an existing entry; load and merge first to keep it. Unknown identities are not cached.
    [[nodiscard]] Result<void> save(const SymbolIdentity& identity, const Entry& entry);

  private:
    [[nodiscard]] std::filesystem::path pathOf(const SymbolIdentity& identity) const;
    void removeOldest() const;

    std::filesystem::path folder_;
    std::uint64_t limitBytes_;
    std::mutex mutex_; ///< one clean-up at a time
};

} // namespace highwater::symbols
