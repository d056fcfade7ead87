#pragma once

#include "core/analysis/explain/findings.h"

#include <string>

namespace highwater::analysis {

/// One line about a finding. The name, which comes from the trace, may be shortened to fit.
struct FindingLine {
    std::string before;
    std::string name; ///< name of the owner
    std::string after;

    [[nodiscard]] std::string text() const { return before + name + after; }
};

struct FindingText {
    FindingLine line;     ///< "Surge: +126.0 MB in 1.2 s, 87 % by shop.exe!addItem"
    FindingLine brief;    ///< for less room: "Surge: +126.0 MB by shop.exe!addItem"
    std::string sentence; ///< the sentence about it on the page of explain
};

[[nodiscard]] FindingText textOf(const SurgeFinding& finding);
/// "Leak: addItem (cart.cpp:12), 3.4 MB, growing 58.0 KB/s". The names of different findings differ.
[[nodiscard]] std::vector<FindingText> textsOf(const std::vector<LeakFinding>& findings);

/// "Held: 688.0 MB of pages by 10.2 MB of service!Sessions::add", with blocks in place of less than 1 MB. `held` has
/// one holder.
[[nodiscard]] FindingText textOf(const ProcessHolders& held);

/// "app!fill in server (7) keeps 1.2 GB, the most of all stacks that are not suspects. Held by app!g_cache (picture at
/// 5.00 s)." `stack` is Explanation::largest.
[[nodiscard]] std::string largestText(const LeakSuspect& stack);
/// "-1.0 KB".
[[nodiscard]] std::string signedBytes(SignedByteCount bytes);
/// "shop.exe (7) grew by 126.0 MB between 2.00 s and 3.20 s, from 1.0 MB to 127.0 MB outstanding."
[[nodiscard]] std::string surgeSentence(const Surge& surge);
/// "10.2 MB in 163,840 blocks of ... hold 688.0 MB of pages, ...", and a conclusion.
[[nodiscard]] std::string heldMeaning(const ProcessHolders& held);
/// The same after "service (7) had 766.0 MB in RAM at 12.30 s."
[[nodiscard]] std::string heldSentence(const ProcessHolders& held);

} // namespace highwater::analysis
