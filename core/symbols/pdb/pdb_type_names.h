#pragma once

#include "core/base/seeded_hash.h"
#include "core/symbols/pdb/msf_file.h"

#include <mutex>
#include <string>
#include <tsl/robin_map.h>
#include <vector>

namespace highwater::symbols {

/// The names of inlined functions, which a PDB stores among its types ("ns::Class::function"). Reads single types: the
/// type stream of a large program is never read as a whole. Any thread.
class PdbTypeNames {
  public:
    explicit PdbTypeNames(const MsfFile& msf);

    /// "": no such id.
    [[nodiscard]] std::string inlineeName(std::uint32_t id);

  private:
    /// A type stream. Walks start at the nearest index whose offset is in the hash stream.
    struct Types {
        std::size_t stream = 0;
        std::uint32_t first = 0;
        std::uint32_t end = 0;
        std::uint64_t recordsAt = 0;
        std::uint64_t recordBytes = 0;
        struct Entry {
            std::uint32_t index = 0;
            std::uint32_t offset = 0;
        };
        std::vector<Entry> entries; ///< by index
        std::uint64_t left = 0;     ///< remaining bytes for walks
    };
    struct Record {
        std::uint16_t kind = 0;
        std::vector<std::byte> content;
    };

    [[nodiscard]] Types open(std::size_t stream) const;
    [[nodiscard]] Record record(Types& types, std::uint32_t index) const;
    [[nodiscard]] std::string readInlineeName(std::uint32_t id);
    [[nodiscard]] std::string className(std::uint32_t type);
    [[nodiscard]] std::string scopeName(std::uint32_t id);

    const MsfFile& msf_;
    Types types_;
    Types ids_;
    std::mutex mutex_;
    tsl::robin_map<std::uint32_t, std::string, SeededHash> known_;
};

} // namespace highwater::symbols
