// Any bytes as a stack tag file, and as a suppression file: never a crash or a hang, and the result gives an answer for
// any function.
#include "core/analysis/tags/stack_tags.h"
#include "core/analysis/tags/suppressions.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace highwater::analysis;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    constexpr std::size_t kMost = std::size_t{64} << 10; // longer patterns take longer, but no other code path
    if (size > kMost) return 0;
    StackTags tags;
    const auto read = tags.add(bytes, "fuzz");
    if (!read.hasValue() && (read.error().message.empty() || !tags.isEmpty())) std::abort();
    for (const auto* label :
         {"ntdll.dll!RtlAllocateHeap", "app.exe!+0x1234", "0x7ff612345678", "(no stack)", "a!", "!b"}) {
        const auto found = tags.of(label);
        for (const auto tag : {found.ofCallee, found.ofCaller}) {
            if (tag == kNoStackTag) continue;
            if (!tags.isEntryOf(tag, label) || tags.hintedName(tag, label).empty()) std::abort();
        }
        if (found.own != kNoStackTag && tags[found.own].name.empty()) std::abort();
    }
    Suppressions suppressions;
    suppressions.add(bytes, "fuzz");
    (void)suppressions.matches("app::Cache::insert");
    return 0;
}
