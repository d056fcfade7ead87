#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace highwater::source {

/// A range of addresses whose pages have the same attributes, as Windows describes it. Multiples of kResidentPageBytes.
struct MemoryRegion {
    enum class Kind : std::uint8_t { Private, Mapped, Image };

    Address begin = 0;
    Address end = 0;        ///< above begin
    Address allocation = 0; ///< start of the allocation that it is part of
    Kind kind = Kind::Private;
    bool isCommitted = false; ///< otherwise reserved, without pages
    bool isGuard = false;     ///< its pages raise an exception when they are used first, as those below a stack
    std::uint32_t access = 0; ///< kRead, kWrite and kExecute of mapping_flag
    bool isCopiedOnWrite = false; ///< a mapped file whose pages become private when the process writes to them
};

/// A page at one moment.
struct PageFacts {
    bool isResident = false;   ///< in the working set
    bool isShared = false;     ///< other processes may also have it
    std::uint8_t sharedBy = 0; ///< working sets that have it, as far as they are counted (to 7); 0: not counted
    friend bool operator==(const PageFacts&, const PageFacts&) = default;
};

/// Questions about the address space of a process, which changes meanwhile. One thread.
class MemoryRegions {
  public:
    virtual ~MemoryRegions() = default;
    /// The first region that ends above this address, and is not free. Nothing: there is none, or the process has
    /// ended.
    [[nodiscard]] virtual std::optional<MemoryRegion> regionAfter(Address address) = 0;
    /// Fills in the facts of consecutive pages. False if the system refuses, as for a process that has ended.
    [[nodiscard]] virtual bool readPages(Address begin, std::span<PageFacts> pages) = 0;
    /// Path of the file that is mapped there, in UTF-8; empty: none, or not known.
    [[nodiscard]] virtual std::string fileAt(Address address) = 0;
    /// Size of the working set; 0: not known.
    [[nodiscard]] virtual ByteCount workingSet() = 0;
};

} // namespace highwater::source
