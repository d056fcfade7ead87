#pragma once

#include "core/references/process_memory.h"
#include "core/references/root_areas.h"

#include <vector>

namespace highwater::references {

/// Gives variables areas of their own: the whole words of a variable that are in areas of its kind get its name. The
/// rest of these areas keeps its name. If variables overlap, words belong to the one that begins first; if several
/// begin with the same word, to the one with the shortest name, then to the first in the alphabet. Time: O(a + v log v)
/// for a areas and v variables. Any thread.
void splitByVariables(RootAreas& found, std::vector<Variable> variables);

/// Sets RootArea::root and RootAreas::parents. Areas of the same kind, thread and name (even if the name has two
/// numbers) are one root. The numbers are in the order of the first areas, that of a stack before those of its frames.
/// O(a + n log n) for n names.
void numberRoots(RootAreas& found);

} // namespace highwater::references
