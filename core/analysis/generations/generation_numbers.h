#pragma once

#include "core/base/units.h"

#include <cstdint>

namespace highwater::analysis {

/// The numbers of one generation, or of a stack in it (docs/numbers.md 16). Sums wrap because sizes come from files.
struct GenerationNumbers {
    SignedByteCount growth = 0;        ///< change of the outstanding amount from one mark to the next
    std::uint64_t persistentCount = 0; ///< allocated between them, outstanding at the end of the interval
    ByteCount persistentBytes = 0;     ///< their remaining bytes at that time

    void grow(ByteCount bytes) { growth = static_cast<SignedByteCount>(static_cast<ByteCount>(growth) + bytes); }
    void shrink(ByteCount bytes) { growth = static_cast<SignedByteCount>(static_cast<ByteCount>(growth) - bytes); }
    GenerationNumbers& operator+=(const GenerationNumbers& other) {
        grow(static_cast<ByteCount>(other.growth));
        persistentCount += other.persistentCount;
        persistentBytes += other.persistentBytes;
        return *this;
    }
    friend bool operator==(const GenerationNumbers&, const GenerationNumbers&) = default;
};

} // namespace highwater::analysis
