#include "core/etl/foreign_format.h"

#include "core/base/marked_text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>

namespace highwater::etl {
namespace {

using namespace std::string_view_literals;

struct Signature {
    std::string_view bytes;
    std::string_view format;
};

constexpr std::array kSignatures{
    Signature{"\x89PNG\r\n"sv, "a PNG picture"},
    Signature{"\xFF\xD8\xFF"sv, "a JPEG picture"},
    Signature{"GIF8"sv, "a GIF picture"},
    Signature{"%PDF"sv, "a PDF document"},
    Signature{"7z\xBC\xAF\x27\x1C"sv, "a 7-Zip archive; unpack it first"},
    Signature{"MSCF"sv, "a cabinet archive; unpack it first"},
    Signature{"Rar!"sv, "a RAR archive; unpack it first"},
    Signature{"\x1F\x8B\x08"sv, "a gzip file"},
    Signature{"\x28\xB5\x2F\xFD"sv, "a Zstandard file"},
    Signature{"\xFD"
              "7zXZ\0"sv,
              "an xz file, which Highwater does not unpack; gzip and Zstandard it does"},
    Signature{"\x04\x22\x4D\x18"sv, "an LZ4 file, which Highwater does not unpack; gzip and Zstandard it does"},
    Signature{"\x1F\x9D\x90"sv, "a file of compress (.Z), which Highwater does not unpack; gzip and Zstandard it does"},
    Signature{"\x7F"
              "ELF"sv,
              "an ELF program"},
    Signature{"MDMP"sv, "a minidump; WinDbg and Visual Studio open it"},
    Signature{"PAGEDU"sv, "a crash dump of Windows; WinDbg opens it"},
    Signature{"Microsoft C/C++ MSF 7.00"sv, "a PDB symbol file"},
    Signature{"ElfFile\0"sv, "an event log (.evtx)"},
    Signature{"PERFILE2"sv, "a recording of Linux' perf, which tells of no heap; heaptrack's files are opened"},
    Signature{"QELFIREP"sv, "a recording of Linux' perf, which tells of no heap; heaptrack's files are opened"},
    Signature{"JAVA PROFILE 1.0"sv, "a heap dump of Java (.hprof); Eclipse MAT and VisualVM open it"},
    Signature{"FLR\0"sv, "a recording of Java's Flight Recorder; JDK Mission Control opens it"},
    Signature{"# callgrind format"sv, "a file of callgrind; KCachegrind opens it"},
    Signature{"version: 1\ncreator: callgrind"sv, "a file of callgrind; KCachegrind opens it"},
    Signature{"{\"snapshot\":"sv,
              "a heap snapshot of V8 (.heapsnapshot, .heaptimeline); the DevTools of Chrome open it"},
    Signature{"{\"nodes\":["sv, "a CPU profile of V8 (.cpuprofile); the DevTools of Chrome open it"},
    Signature{"{\"traceEvents\""sv, "a trace of Chrome; Perfetto (ui.perfetto.dev) opens it"},
    Signature{"[{\"args\""sv, "a trace of Chrome; Perfetto (ui.perfetto.dev) opens it"},
    Signature{"[{\"name\""sv, "a trace of Chrome; Perfetto (ui.perfetto.dev) opens it"},
    Signature{"goroutine profile: total "sv, "a profile of goroutines (Go), and no heap profile; pprof opens it"},
    Signature{"goroutine "sv, "a list of goroutines (Go), and no heap profile"},
    Signature{"threadcreate profile: total "sv,
              "a profile of started threads (Go), and no heap profile; pprof opens it"},
    Signature{"--- contention"sv, "a profile of waiting (Go, gperftools), and no heap profile; pprof opens it"},
    Signature{"--- mutex"sv, "a profile of locks (Go), and no heap profile; pprof opens it"},
    Signature{"--- threadz"sv, "a profile of threads (gperftools), and no heap profile; pprof opens it"},
    Signature{"--- heapz 1 ---"sv,
              "a heap profile of Java as text; go tool pprof -proto makes one of it that is opened"},
    Signature{"\0\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0"sv,
              "a CPU profile of gperftools, and no heap profile; pprof opens it"},
    Signature{"Nettrace"sv, "a .nettrace recording of .NET; PerfView and Visual Studio open it"},
    Signature{"SQLite format 3"sv,
              "an SQLite database; one that highwater-cli fleet made is opened where its name ends with .sqlite"},
    Signature{"<?xml"sv, "an XML document"},
    Signature{"MZ"sv, "a Windows program"},
};

/// What begins in many ways is known by a word near its begin.
constexpr std::array kWords{
    Signature{"https://www.speedscope.app/file-format-schema"sv, "a profile of speedscope; speedscope.app opens it"},
    Signature{"\"product\": \"Firefox\""sv, "a profile of Firefox; profiler.firefox.com opens it"},
    Signature{"\"product\":\"Firefox\""sv, "a profile of Firefox; profiler.firefox.com opens it"},
    Signature{"\"traceEvents\""sv, "a trace of Chrome; Perfetto (ui.perfetto.dev) opens it"},
    Signature{"\"rts_arguments\""sv, "a profile of GHC (Haskell); speedscope.app opens it"},
    Signature{"Time and Allocation Profiling Report"sv, "a profile of GHC (Haskell)"},
    Signature{"\nMassif arguments:"sv, "text that ms_print made of a massif file; the massif file can be opened"},
};
constexpr std::size_t kBytesWithWords = 1024;

/// A line of folded stacks: frames with semicolons between them, a blank and a number.
bool isFoldedStack(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto blank = line.rfind(' ');
    if (blank == std::string_view::npos || line.find(';') >= blank) return false;
    const auto number = line.substr(blank + 1);
    return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
}

/// {"pid": 0, "ph": "B", ...}: events of Chrome, in any order.
bool isListOfEvents(std::string_view text) {
    return text.starts_with('[') && text.find("\"ph\"") != std::string_view::npos;
}

std::string_view formatByWords(std::string_view text) {
    for (const auto& [word, format] : kWords)
        if (text.find(word) != std::string_view::npos) return format;
    if (isListOfEvents(text)) return "a trace of Chrome; Perfetto (ui.perfetto.dev) opens it";
    if (isFoldedStack(text.substr(0, text.find('\n'))))
        return "a list of folded stacks, which does not say what it counts; speedscope.app opens it";
    return {};
}

bool startsWith(ByteSpan bytes, std::string_view signature) {
    return bytes.size() >= signature.size() && std::memcmp(bytes.data(), signature.data(), signature.size()) == 0;
}

/// The size of its blocks comes before the first of them, or the end of a file without any.
bool isBzip2(ByteSpan bytes) {
    constexpr std::size_t kSizeAt = 3;
    if (!startsWith(bytes, "BZh"sv) || bytes.size() <= kSizeAt) return false;
    const auto rest = bytes.subspan(kSizeAt + 1);
    return bytes[kSizeAt] >= std::byte{'1'} && bytes[kSizeAt] <= std::byte{'9'} &&
           (startsWith(rest, "1AY&SY"sv) || startsWith(rest, "\x17\x72\x45\x38\x50\x90"sv));
}

std::string_view formatOf(ByteSpan bytes) {
    if (isBzip2(bytes)) return "a bzip2 file, which Highwater does not unpack; gzip and Zstandard it does";
    for (const auto& signature : kSignatures) {
        if (startsWith(bytes, signature.bytes)) return signature.format;
    }
    return formatByWords({reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kBytesWithWords)});
}

/// Of text that says its encoding at its begin.
std::string_view formatOfMarked(TextMark mark, ByteSpan text) {
    if (!isUtf16(mark)) return formatOf(text);
    const auto begin = utf8OfUtf16(mark, text.first(std::min(text.size(), 2 * kBytesWithWords)));
    if (begin.empty()) return {};
    if (begin.starts_with('\x1F'))
        return "a packed file that was written as text, as PowerShell's > does, which destroys it; write it again with "
               "an option that names the file, or in cmd";
    const auto format = formatOf(std::as_bytes(std::span(begin)));
    return format.empty() ? "text in UTF-16, as PowerShell's > writes it, and none that Highwater reads" : format;
}

} // namespace

std::string_view foreignFormat(ByteSpan bytes) {
    const auto mark = textMarkOf(bytes);
    return mark == TextMark::None ? formatOf(bytes) : formatOfMarked(mark, bytes.subspan(bytesOf(mark)));
}

bool isZipArchive(ByteSpan bytes) { return startsWith(bytes, "PK\x03\x04"sv) || startsWith(bytes, "PK\x05\x06"sv); }

} // namespace highwater::etl
