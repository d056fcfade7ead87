// Descriptions that runtimes write of their code: any bytes as a perf map, as a jitdump file, as a list of mappings and
// as names, in pieces of any size. Never a crash, a hang or a read outside; and everything that is read is a piece of
// code that fits.
#include "core/source/generated_code/code_names.h"
#include "core/source/generated_code/jitdump.h"
#include "core/source/generated_code/perf_map.h"
#include "core/source/generated_code/standing_code.h"
#if defined(__linux__)
#include "core/source/generated_code/process_facts_linux.h"
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

using namespace highwater;
using namespace highwater::source;

namespace {

constexpr std::size_t kMostPieces = 1000;

/// Like the watcher of a process.
class Watched {
  public:
    void take(Address start, std::uint32_t size, std::string_view name) {
        if (size == 0 || start > std::numeric_limits<Address>::max() - size) std::abort();
        for (int runtime = 0; runtime <= static_cast<int>(Runtime::Python); ++runtime)
            (void)codeNameOf(name, start, static_cast<Runtime>(runtime));
        (void)standing_.add(start, size, name);
    }
    [[nodiscard]] bool knows(Address start) const { return standing_.nameAt(start).has_value(); }

  private:
    StandingCode standing_{kMostPieces};
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t piece = 1 + data[0] % 64;
    const ByteSpan bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    Watched ofMap, ofDump;
    PerfMapReader map;
    JitdumpReader dump;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        const auto count = std::min(piece, bytes.size() - at);
        map.take(text.substr(at, count),
                 [&](const PerfMapLine& line) { ofMap.take(line.start, line.size, line.name); });
        dump.take(bytes.subspan(at, count), [&](const JitdumpCode& code) {
            if (code.movedFrom == 0 || ofDump.knows(code.movedFrom)) ofDump.take(code.start, code.size, code.name);
        });
    }
    map.finish();
#if defined(__linux__)
    (void)jitdumpIn(text);
    if (const auto second = secondMappingIn(text); second && second->end <= second->begin) std::abort();
#endif
    return 0;
}
