#pragma once

#include "core/base/result.h"
#include "core/symbols/name_source.h"
#include "core/symbols/symbol_identity.h"

#include <filesystem>
#include <mutex>
#include <optional>

namespace highwater::symbols {

/// Names that were resolved once, kept on disk by the identity of the debug file: one file a module. A file is written
/// under another name and renamed, and carries a checksum: several Highwaters may use the folder at once, and a damaged
/// file is as good as none. When the folder grows beyond its limit, the files that were not used for the longest time
/// go. Any thread.
class NameCache {
  public:
    static constexpr std::uint64_t kDefaultLimit = std::uint64_t{512} << 20;

    explicit NameCache(std::filesystem::path folder, std::uint64_t limitBytes = kDefaultLimit)
        : folder_(std::move(folder)), limitBytes_(limitBytes) {}

    enum class Quality : std::uint8_t {
        PublicOnly, ///< of a debug file without private symbols: a better one may have the same identity
        Private,
    };
    struct Entry {
        ModuleNames names;
        Quality quality = Quality::PublicOnly;
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
