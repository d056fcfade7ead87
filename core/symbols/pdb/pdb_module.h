#pragma once

#include "core/base/seeded_hash.h"
#include "core/symbols/pdb/pdb_layout.h"

#include <string_view>
#include <tsl/robin_map.h>
#include <vector>

namespace highwater::symbols {

/// A function of one module, with the position of its records.
struct PdbFunction {
    Rva begin = 0;
    Rva end = 0;
    std::string_view name;
    std::size_t firstRecord = 0; ///< records [firstRecord, endRecord) describe its contents
    std::size_t endRecord = 0;
};

/// The start of a source line in the code. It ends at the start of the next line.
struct PdbLine {
    Rva begin = 0;
    std::uint32_t file = 0; ///< offset into the module's checksums
    std::uint32_t line = 0;
};

/// One inlined call and its code ranges.
struct PdbInlineSite {
    struct Range {
        Rva begin = 0;
        Rva end = 0;
        std::uint32_t file = 0; ///< offset into the module's checksums
        std::uint32_t line = 0;
    };
    std::uint32_t inlinee = 0; ///< an id of the IPI stream
    std::size_t parent = 0;    ///< index of the site that it was inlined into, +1; 0: the function itself
    std::vector<Range> ranges;
};

/// The symbols and lines of one module, read at once and searched by address. Immutable after construction.
/// Layout: https://llvm.org/docs/PDB/ModiStream.html, records: Microsoft's cvinfo.h
class PdbModule {
  public:
    PdbModule(const MsfFile& msf, const PdbLayout& layout, const PdbModuleEntry& entry);

    [[nodiscard]] const PdbFunction* functionAt(Rva linked) const;
    /// nullptr: unknown.
    [[nodiscard]] const PdbLine* lineAt(Rva linked) const;
    /// All inlined calls of a function; callers precede the calls inlined into them.
    [[nodiscard]] std::vector<PdbInlineSite> inlineSites(const PdbFunction& function) const;
    /// Offset of the file's name in the names stream; nullopt: unknown.
    [[nodiscard]] std::optional<std::uint32_t> fileName(std::uint32_t file) const;
    /// An id of another module, as created by link-time code generation: the module, and the id in that module.
    struct ForeignId {
        std::uint32_t moduleName = 0; ///< offset into the names stream
        std::uint32_t id = 0;
    };
    [[nodiscard]] std::optional<ForeignId> foreignId(std::uint32_t inlinee) const;
    /// Maps ids of this module, as used by other modules, to ids of the IPI stream.
    [[nodiscard]] tsl::robin_map<std::uint32_t, std::uint32_t, SeededHash> exportedIds() const;

  private:
    /// The lines of one function, or of one of several functions that were folded into the same bytes.
    struct LineRun {
        Rva begin = 0;
        Rva end = 0;
        std::size_t firstLine = 0;
        std::size_t endLine = 0;
    };
    struct Inlinee {
        std::uint32_t file = 0;
        std::uint32_t line = 0;
    };
    struct Import {
        std::uint32_t moduleName = 0; ///< offset into the names stream
        ByteSpan ids;
    };

    void readFunctions(const PdbLayout& layout);
    void readLines(const PdbLayout& layout, ByteSpan part);
    void readLineRun(const PdbLayout& layout, ByteSpan part);
    void readInlinees(ByteSpan part);
    void readImports(ByteSpan part);
    void readAnnotations(ByteSpan bytes, Rva functionBegin, PdbInlineSite& site) const;

    StreamBytes stream_;
    ByteSpan symbols_;
    ByteSpan checksums_;
    std::vector<Import> imports_;        ///< ids of other modules that are used here
    ByteSpan exports_;                   ///< pairs (own id, IPI id)
    std::vector<PdbFunction> functions_; ///< sorted by start
    std::vector<LineRun> runs_;          ///< sorted by start
    std::vector<PdbLine> lines_;         ///< sorted by start within a run
    tsl::robin_map<std::uint32_t, Inlinee, SeededHash> inlinees_;
};

} // namespace highwater::symbols
