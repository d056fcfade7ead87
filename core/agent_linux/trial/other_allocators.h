#pragma once

#include "core/agent_linux/trial/trim_answer.h"

namespace highwater::agent {

/// A public function of an allocator other than glibc's that is loaded in this process, wherever it is linked into;
/// null: none. Lock-free and without allocation, unlike dlsym.
[[nodiscard]] void* functionOf(OtherAllocator allocator);

/// Whether its locks are those of pthreads. The others have one word each.
[[nodiscard]] bool usesMutexes(OtherAllocator allocator);

/// Calls that function for the numbers that the allocator offers. Only in a copy of the process: it may take locks of
/// the allocator, which threads that do not exist in the copy may hold, and never return.
void askForNumbers(OtherAllocator allocator, void* function, AllocatorAnswer& answer);

/// Has the allocator give back its free memory by its public function. False: it offers none, or refused. Only in a
/// copy of the process.
[[nodiscard]] bool giveBackMemory(OtherAllocator allocator, void* function);

} // namespace highwater::agent
