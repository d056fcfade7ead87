#pragma once

#include "core/base/result.h"
#include "core/references/object_types.h"
#include "core/references/process_memory.h"
#include "core/references/reference_graph.h"
#include "core/references/root_areas.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::references {

/// A word of a root area that refers to a block.
struct RootReference {
    Address address = 0; ///< of the word, or number of the register
    std::uint32_t area = 0;
    Reference reference;
};

struct ScannedMemory {
    ReferenceGraph graph;
    /// By area, then address. At least the first certain and the first possible one to each block, and one from a
    /// second root if there is one. More would change neither holders nor dominators.
    std::vector<RootReference> roots;
    ByteCount rootBytes = 0;   ///< of areas, that have been read
    ByteCount unreadBytes = 0; ///< of areas and blocks
};

/// Memory of this many bytes is read at most in all areas, and in all blocks. A process can map far more than it uses.
inline constexpr ByteCount kMostScannedBytes = ByteCount{256} << 30;

/// Reads the words of areas and blocks once, with two threads, and looks them up. `blocks`: by address, without
/// overlaps, fewer than 2^31; their PictureBlock::type becomes that of their first word in `types`. `found`: with the
/// numbers of its roots, at most 2^29. Parts of large blocks outside of the mappings are unread. Pages that were
/// never touched are not read. The result does not depend on the threads, except for further roots. Errors: Cancelled;
/// Unsupported (more than 2^32 references).
[[nodiscard]] Result<ScannedMemory> scanMemory(const Memory& memory, std::span<PictureBlock> blocks,
                                               const RootAreas& found, const ObjectTypes& types,
                                               const std::stop_token& stop);

} // namespace highwater::references
