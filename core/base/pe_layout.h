#pragma once

#include <cstddef>
#include <cstdint>

/// The layout of Windows programs and libraries in files and in memory. Contains the parts that this program reads.
/// Little-endian. All offsets and counts in them must be checked. Layout:
/// https://learn.microsoft.com/windows/win32/debug/pe-format
namespace highwater::pe {

inline constexpr std::uint16_t kDosSignature = 0x5A4D; ///< "MZ", at the start of the file
inline constexpr std::size_t kHeaderOffsetAt = 0x3C;   ///< position of the offset of the signature below
inline constexpr std::uint32_t kSignature = 0x00004550;
inline constexpr std::uint16_t kMachineX64 = 0x8664, kMachineArm64 = 0xAA64;
inline constexpr std::size_t kMostSections = 96; ///< limit of the loader

/// Follows the signature.
struct CoffHeader {
    std::uint16_t machine;
    std::uint16_t sections;
    std::uint32_t timeDateStamp;
    std::uint32_t symbolTable;
    std::uint32_t symbols;
    std::uint16_t optionalBytes;
    std::uint16_t characteristics;
};
static_assert(sizeof(CoffHeader) == 20);

/// The optional header follows the CoffHeader, and the sections follow both. It starts with one of these.
inline constexpr std::uint16_t kOptional32 = 0x10B, kOptional64 = 0x20B;
inline constexpr std::size_t kImageBytesAt = 56; ///< in the optional header

/// A part of the image that is identified by its number.
struct Directory {
    std::uint32_t address;
    std::uint32_t bytes;
};
inline constexpr std::size_t kExportDirectory = 0, kExceptionDirectory = 3, kDebugDirectory = 6,
                             kThreadLocalDirectory = 9;
inline constexpr std::size_t kMostDirectories = 16;
/// Offset in the optional header that starts with `magic`. The directory count is in the four bytes before.
[[nodiscard]] constexpr std::size_t directoriesAt(std::uint16_t magic) { return magic == kOptional32 ? 96 : 112; }

struct Section {
    char name[8];
    std::uint32_t memoryBytes;
    std::uint32_t address;
    std::uint32_t bytes; ///< in the file
    std::uint32_t offset;
    std::uint32_t relocations;
    std::uint32_t lines;
    std::uint16_t relocationCount;
    std::uint16_t lineCount;
    std::uint32_t characteristics;
};
static_assert(sizeof(Section) == 40);

/// An entry in kDebugDirectory.
struct DebugEntry {
    std::uint32_t characteristics;
    std::uint32_t timeDateStamp;
    std::uint32_t version;
    std::uint32_t type;
    std::uint32_t bytes;
    std::uint32_t address;
    std::uint32_t offset;
};
static_assert(sizeof(DebugEntry) == 28);
inline constexpr std::uint32_t kDebugCodeView = 2;  ///< a type
inline constexpr std::uint32_t kDebugEmbedded = 17; ///< another type: a compressed portable PDB
inline constexpr std::uint32_t kRsds = 0x53445352;  ///< such an entry: GUID, age and name of the PDB

struct ExportTable {
    std::uint32_t characteristics;
    std::uint32_t timeDateStamp;
    std::uint32_t version;
    std::uint32_t name;
    std::uint32_t ordinalBase;
    std::uint32_t functions;
    std::uint32_t names;
    std::uint32_t functionTable;
    std::uint32_t nameTable;
    std::uint32_t ordinalTable;
};
static_assert(sizeof(ExportTable) == 40);

/// Thread-local data of a 64-bit image. In memory, the addresses are those of the process.
struct ThreadLocalDirectory {
    std::uint64_t begin; ///< of the first values
    std::uint64_t end;
    std::uint64_t number; ///< where the number of the module is, of 32 bits
    std::uint64_t callbacks;
    std::uint32_t zeros; ///< bytes that follow the first values
    std::uint32_t characteristics;
};
static_assert(sizeof(ThreadLocalDirectory) == 40);

} // namespace highwater::pe
