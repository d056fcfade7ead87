#pragma once

#include "core/analysis/leaks/leak_report.h"

#include <string>
#include <string_view>

namespace highwater::analysis {

/// "shop!readOrder (order.cpp:12)": the owner with its place, if that is known.
[[nodiscard]] std::string ownerText(const LeakSuspect& suspect);
/// "readOrder" of "shop!readOrder".
[[nodiscard]] std::string_view functionOf(std::string_view frame);
/// "Heap" or "VirtualAlloc".
[[nodiscard]] std::string_view kindText(Table table);
/// "VirtualAlloc of heaps is left out: 3 stacks, 12.0 MB"; empty: none is.
[[nodiscard]] std::string heapMemoryText(const LeftOutStacks& memory);
/// "Most of the heap memory was freed as server.exe exited, and is not listed."
[[nodiscard]] std::string freedText(const FreedOnExit& freed);
/// "server (7): 100 blocks (49.2 KB) are unreachable (picture at 0.16 s). They have no stack because they are not in
/// the trace, for example because the recording began later."
[[nodiscard]] std::string untracedText(const UntracedBlocks& untraced);
/// One sentence that explains the rank of a suspect with the numbers that determined it. All fields of the suspect
/// except `why` must be set.
[[nodiscard]] std::string whySuspected(const LeakSuspect& suspect, const LeakJudgement& judgement);
/// "37.4 KB/s": for positive and negative growth.
[[nodiscard]] std::string rateText(double bytesPerSecond);

} // namespace highwater::analysis
