#pragma once

#include "core/references/process_memory.h"
#include "core/references/root_areas.h"

#include <vector>

namespace highwater::references {

/// Gives variables areas of their own: the whole words of a variable that are in areas of kind Variable, or of kind
/// ThreadLocal if it is thread-local, get its name. The rest of these areas keeps its name. If variables overlap, words
/// belong to the one that begins first; if several begin with the same word, to the one with the shortest name, then to
/// the first in the alphabet. Time: O(a + v log v) for a areas and v variables. Any thread.
void splitByVariables(RootAreas& found, std::vector<Variable> variables);

/// Sets RootArea::root and RootAreas::roots. Areas of the same kind, thread and name (even if the name has two numbers)
/// are one root. The numbers are in the order of the first areas. O(a + n log n) for n names.
void numberRoots(RootAreas& found);

} // namespace highwater::references
