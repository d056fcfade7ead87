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

/// Which file something was read from: another one of the same name, or what it became since, is another stamp.
struct FileStamp {
    std::string path; ///< "": it is not there
    std::uint64_t bytes = 0;
    std::int64_t changed = 0; ///< in the system's own count
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
[[nodiscard]] FileStamp stampOf(const std::filesystem::path& path);

/// Names that were resolved once, kept on disk by the identity of the module: one file a module. It says which debug
/// file gave the names: whoever asks has to see whether that is one to believe, as any file can claim any identity. A
/// file is written under another name and renamed, and carries a checksum: several Highwaters may use the folder at
/// once, and a damaged file is as good as none. When the folder grows beyond its limit, the files that were not used
/// for the longest time go. Only the user can read folder and files: also a folder that was there is made so. Any
/// thread.
class NameCache {
  public:
    static constexpr std::uint64_t kDefaultLimit = std::uint64_t{512} << 20;

    /// An empty folder: nothing is kept.
    explicit NameCache(std::filesystem::path folder, std::uint64_t limitBytes = kDefaultLimit)
        : folder_(std::move(folder)), limitBytes_(limitBytes) {}

    enum class Quality : std::uint8_t {
        PublicOnly, ///< of a debug file without private symbols: a better one may have the same identity
        Private,
    };
    struct Entry {
        ModuleNames names;
        Quality quality = Quality::PublicOnly;
        FileStamp source = {}; ///< the debug file
    };
    /// nullopt: nothing there, or damaged.
    [[nodiscard]] std::optional<Entry> load(const SymbolIdentity& identity) const;
    /// Replaces what is there; load and merge first to keep it. Identities that are not known are not kept.
    [[nodiscard]] Result<void> save(const SymbolIdentity& identity, const Entry& entry);

  private:
    [[nodiscard]] std::filesystem::path pathOf(const SymbolIdentity& identity) const;
    void removeOldest() const;

    std::filesystem::path folder_;
    std::uint64_t limitBytes_;
    std::mutex mutex_; ///< one clean-up at a time
};

} // namespace highwater::symbols
