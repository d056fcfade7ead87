#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace highwater::symbols {

/// Debug files in the archive that contains the trace. Any thread.
class SymbolArchive {
  public:
    virtual ~SymbolArchive() = default;
    [[nodiscard]] virtual const std::filesystem::path& path() const = 0;
    /// The file name / key / name, as in symbol trees. nullopt: not found. Blocks; call from a worker.
    [[nodiscard]] virtual std::optional<Result<std::vector<std::byte>>> read(const std::string& pdbName,
                                                                            const std::string& key) const = 0;
};

} // namespace highwater::symbols
