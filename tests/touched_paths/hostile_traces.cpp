#include "tests/fixtures/trace_builder.h"

#include <fmt/format.h>

#include <cstdio>
#include <optional>

using namespace highwater;
using fixtures::seconds;

namespace {

constexpr std::uint32_t kPid = 10, kCommitFlag = 0x1000;
/// As a symbol tree names it: 11111111222233334444444444444444 and the age 1.
constexpr Guid kTreeGuid{0x11111111, 0x2222, 0x3333, {0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44}};
constexpr std::size_t kLong = 12'000;

/// The trace's description of its one library, and the names of volumes.
struct HostileCase {
    std::string name;
    std::string imagePath{};
    std::string pdbName = "x.pdb"; ///< without one no file is looked for
    std::string volume{}, drive{};
    std::string commandLine{};
    std::optional<std::vector<std::uint8_t>> buildId{};
};

const std::string kOnVolume = R"(\Device\HarddiskVolume3\)";

/// `bait`: an existing folder with a file x.dll that the user has not named.
std::vector<HostileCase> remoteCases() {
    return {
        {"unc", R"(\\host\share\x.dll)"},
        {"unc-with-slashes", "//host/share/x.so"},
        {"mup", R"(\Device\Mup\host\share\x.dll)"},
        {"redirector", R"(\Device\LanmanRedirector\host\share\x.dll)"},
        {"webdav", R"(\Device\WebDavRedirector\;Z:0000\host@80\share\x.dll)"},
        {"long-unc", R"(\\?\UNC\host\share\x.dll)"},
        {"nt-unc", R"(\??\UNC\host\share\x.dll)"},
        {"pipe", R"(\\.\pipe\x.dll)"},
        {"automount", "/net/host/x.so"},
        {"volume-is-unc", kOnVolume + "x.dll", "x.pdb", R"(\Device\HarddiskVolume3)", R"(\\host\share)"},
        {"volume-is-nt-unc", kOnVolume + "x.dll", "x.pdb", R"(\Device\HarddiskVolume3)", R"(\??\UNC\host\share)"},
        {"url", "http://host/x.dll"},
    };
}

std::vector<HostileCase> localCases(const std::string& bait) {
    return {
        {"plain-file", bait + "/x.dll"},
        {"dos-device", R"(\??\C:\Builds\x.dll)"},
        {"other-drive", R"(E:\x.dll)"},
        {"device", "/dev/zero"},
        {"process-memory", "/proc/self/mem"},
        {"secret", "/etc/shadow"},
        {"relative", "x.dll"},
        {"out-of-here", R"(..\..\..\..\etc\passwd)"},
        {"out-of-here-by-slashes", "../../../../etc/passwd"},
        {"volume-is-folder", kOnVolume + "x.dll", "x.pdb", R"(\Device\HarddiskVolume3)", bait},
        {"volume-is-root", kOnVolume + "etc/passwd", "x.pdb", R"(\Device\HarddiskVolume3)", "/"},
        {"volume-is-nothing", kOnVolume + "etc/passwd", "x.pdb", R"(\Device\HarddiskVolume3\)", ""},
        {"long-path", "/" + std::string(kLong, 'W') + ".dll"},
        {"path-with-line", bait + "/x\n.dll"},
        {"path-backwards", bait + "/\u202Elld.x"},
        {"command-line", "", "x.pdb", {}, {}, bait + R"(/x.dll --with /etc/shadow \\host\share\a.exe)"},
    };
}

std::vector<HostileCase> debugFileCases(const std::string& bait) {
    return {
        {"pdb-unc", "", R"(\\host\share\x.pdb)"},
        {"pdb-automount", "", "/net/host/x.pdb"},
        {"pdb-of-a-builder", "", R"(C:\build\x.pdb)"},
        {"pdb-out-of-here", "", "../../../../../../etc/passwd"},
        {"pdb-in-bait", "", bait + "/x.dll"},
        {"pdb-as-url", "", "x.pdb?y=..%2f..%2fetc"},
        {"pdb-with-line", "", "x\n/etc/passwd"},
        {"build-id-out-of-here", "", ".build-id/../../../../etc/passwd.debug"},
        {"pointer"}, // the test puts a symbol tree with a file.ptr beside it
        // and beside this one a debug file that refers to a file elsewhere
        {"alternate", bait + "/x.so", "", {}, {}, {}, std::vector<std::uint8_t>(20, 0xAB)},
    };
}

/// One program that allocates from its library, so that both need names.
fixtures::TraceBuilder traceOf(const HostileCase& what) {
    fixtures::TraceBuilder trace;
    trace.addresses().module("a.exe").ntPath = "";
    trace.addresses().module("a.exe").identity = {};
    auto& library = trace.addresses().module("x.dll");
    library.ntPath = what.imagePath;
    library.identity.pdbGuid = kTreeGuid;
    library.identity.pdbName = what.pdbName;
    if (what.buildId) library.identity.pdbName = buildIdAsPdb(*what.buildId);
    if (what.buildId) library.identity.pdbGuid = buildIdAsGuid(*what.buildId);
    if (!what.volume.empty()) trace.volumeMapping(what.volume, what.drive);
    trace.processRunsAlready(
        {.pid = kPid, .name = "a.exe", .mainTid = 11, .modules = {"x.dll"}, .commandLine = what.commandLine});
    const auto* stack = "a.exe!main;x.dll!take";
    trace.virtualAlloc({seconds(1), kPid, 11}, {0x10000000, fixtures::kMiB}, kCommitFlag, stack);
    trace.heapCreate({seconds(1), kPid, 11}, 0x1D0000, stack);
    trace.heapAlloc({seconds(2), kPid, 11}, 0x1D0000, {0x1D0100, 4096}, stack);
    trace.endsAt(seconds(4));
    return trace;
}

bool write(const std::filesystem::path& folder, const HostileCase& what) {
    std::error_code failed;
    std::filesystem::create_directories(folder / what.name, failed);
    const auto written = traceOf(what).writeTo(folder / what.name / "trace.etl");
    if (!written.hasValue()) fmt::print(stderr, "hostile-traces: {}\n", written.error().message);
    return written.hasValue();
}

} // namespace

/// FOLDER/NAME/trace.etl for each case, and FOLDER/honest/trace.etl, which does not name any file.
int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "Writes traces whose paths lead elsewhere.\nUsage: hostile-traces FOLDER BAIT\n");
        return 1;
    }
    std::vector<HostileCase> cases{{"honest"}};
    for (const auto& some : {remoteCases(), localCases(argv[2]), debugFileCases(argv[2])}) {
        cases.insert(cases.end(), some.begin(), some.end());
    }
    for (const auto& what : cases) {
        if (!write(argv[1], what)) return 2;
    }
    return 0;
}
