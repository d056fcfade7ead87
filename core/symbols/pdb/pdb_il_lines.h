#pragma once

#include "core/base/seeded_hash.h"
#include "core/symbols/answers/il_address.h"
#include "core/symbols/pdb/pdb_layout.h"

#include <optional>
#include <tsl/robin_map.h>
#include <vector>

namespace highwater::symbols {

/// Source lines of managed methods, as stored by compilers in PDBs before portable PDBs existed. Methods have tokens,
/// and addresses are places in their IL. One thread.
class PdbIlLines {
  public:
    /// Finds the methods of all modules. Both arguments must outlive the object.
    PdbIlLines(const MsfFile& msf, const PdbLayout& layout);

    struct Line {
        std::uint32_t fileName = 0; ///< offset into the names stream
        std::uint32_t line = 0;
    };
    /// Reads the lines of one module at a time: request the methods of a module together.
    [[nodiscard]] std::optional<Line> lineAt(IlPlace place);
    /// For a method; nullopt: not found.
    [[nodiscard]] std::optional<std::size_t> moduleOf(std::uint32_t token) const;

  private:
    struct Method {
        std::size_t module = 0;
        std::uint32_t offset = 0;
        std::uint16_t segment = 0;
    };
    struct Point {
        std::uint32_t ilOffset = 0;
        std::uint32_t fileName = 0;
        std::uint32_t line = 0;
    };
    struct Run { ///< points [first, end) of one method, by IL offset
        std::uint64_t place = 0;
        std::size_t first = 0;
        std::size_t end = 0;
    };

    void findMethods(std::size_t module);
    void readLines(std::size_t module);
    void readRun(ByteSpan part, ByteSpan checksums);

    const MsfFile& msf_;
    const PdbLayout& layout_;
    tsl::robin_map<std::uint32_t, Method, SeededHash> methods_; ///< by token
    std::optional<std::size_t> read_;
    std::vector<Point> points_;
    std::vector<Run> runs_; ///< sorted by place
};

} // namespace highwater::symbols
