#pragma once

#include "core/base/units.h"

#include <cstdint>

namespace highwater::analysis {

/// What one generation, or a stack in it, did (docs/numbers.md 16). Sums wrap: sizes come from files.
struct GenerationNumbers {
    SignedByteCount growth = 0;        ///< of the outstanding amount, from one mark to the next
    std::uint64_t persistentCount = 0; ///< rows allocated between them that are outstanding when the interval ends
    ByteCount persistentBytes = 0;     ///< what is left of these then

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
