#pragma once

#include "core/base/byte_reader.h"
#include "core/base/guid.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::symbols {

/// The start of a source line in the IL of a method.
struct SequencePoint {
    std::uint32_t ilOffset = 0;
    std::uint32_t line = 0;
    std::uint32_t document = 0; ///< a row, from 1
};

/// The metadata of a portable PDB: the lines of methods. Everything is checked against the file; damaged parts are
/// empty. Immutable after open: any thread. Layout: ECMA-335 II.24, and
/// https://github.com/dotnet/runtime/blob/main/docs/design/specs/PortablePdb-Metadata.md
class PortableMetadata {
  public:
    [[nodiscard]] static bool isPortable(ByteSpan file);
    /// `file` must outlive the object.
    [[nodiscard]] static Result<PortableMetadata> open(ByteSpan file);

    /// Also in the RSDS record of the module.
    [[nodiscard]] const Guid& guid() const { return guid_; }
    [[nodiscard]] std::uint32_t methodCount() const { return methods_.rows; }
    /// The points of the method in a row, from 1, in the order of IL offsets, without points that are hidden from
    /// debuggers. Reads at most `most` bytes, and subtracts the bytes read from it.
    [[nodiscard]] std::vector<SequencePoint> sequencePoints(std::uint32_t method, std::uint64_t& most) const;
    /// The path of a source file; empty: none.
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
