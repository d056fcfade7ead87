#pragma once

#include "core/base/byte_reader.h"
#include "core/base/guid.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::symbols {

/// Where a line of source begins in the IL of a method.
struct SequencePoint {
    std::uint32_t ilOffset = 0;
    std::uint32_t line = 0;
    std::uint32_t document = 0; ///< a row, from 1
};

/// The metadata of a portable PDB: which methods have which lines. Everything is checked against the bytes; damaged
/// parts are empty. Immutable after open: any thread. Layout: ECMA-335 II.24, and
/// https://github.com/dotnet/runtime/blob/main/docs/design/specs/PortablePdb-Metadata.md
class PortableMetadata {
  public:
    [[nodiscard]] static bool isPortable(ByteSpan file);
    /// `file` must outlive the object.
    [[nodiscard]] static Result<PortableMetadata> open(ByteSpan file);

    /// What the RSDS record of the module says, too.
    [[nodiscard]] const Guid& guid() const { return guid_; }
    [[nodiscard]] std::uint32_t methodCount() const { return methods_.rows; }
    /// Of the method of a row, from 1; in the order of IL offsets, without those that are hidden from debuggers. At
    /// most `most` bytes of them are read, which is counted down.
    [[nodiscard]] std::vector<SequencePoint> sequencePoints(std::uint32_t method, std::uint64_t& most) const;
    /// The path of a source file; empty: there is none.
    [[nodiscard]] std::string document(std::uint32_t row) const;

  private:
    struct Table {
        std::uint32_t rows = 0;
        std::size_t rowBytes = 0;
        ByteSpan bytes;
    };

    [[nodiscard]] bool readStreams(ByteSpan file);
    [[nodiscard]] bool readTables();
    [[nodiscard]] ByteSpan row(const Table& table, std::uint32_t number) const;
    [[nodiscard]] ByteSpan blob(std::uint64_t index) const;

    ByteSpan pdb_, tables_, blobs_;
    Guid guid_;
    std::size_t blobIndexBytes_ = 2;
    std::size_t documentIndexBytes_ = 2;
    Table documents_, methods_;
};

} // namespace highwater::symbols
