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
    Signature{"\x89PNG\r\n"sv, "a PNG image"},
    Signature{"\xFF\xD8\xFF"sv, "a JPEG image"},
    Signature{"GIF8"sv, "a GIF image"},
    Signature{"%PDF"sv, "a PDF document"},
    Signature{"7z\xBC\xAF\x27\x1C"sv, "a 7-Zip archive; unpack it first"},
    Signature{"MSCF"sv, "a cabinet archive; unpack it first"},
    Signature{"Rar!"sv, "a RAR archive; unpack it first"},
    Signature{"\x1F\x8B\x08"sv, "a gzip file"},
    Signature{"\x28\xB5\x2F\xFD"sv, "a Zstandard file"},
    Signature{"\xFD"
              "7zXZ\0"sv,
              "an xz file; Highwater unpacks gzip and Zstandard files, but not xz files"},
    Signature{"\x04\x22\x4D\x18"sv, "an LZ4 file; Highwater unpacks gzip and Zstandard files, but not LZ4 files"},
    Signature{"\x1F\x9D\x90"sv, "a compress file (.Z); Highwater unpacks gzip and Zstandard files, but not .Z files"},
    Signature{"\x7F"
              "ELF"sv,
              "an ELF program"},
    Signature{"MDMP"sv, "a minidump; open it in WinDbg or Visual Studio"},
    Signature{"PAGEDU"sv, "a Windows crash dump; open it in WinDbg"},
    Signature{"Microsoft C/C++ MSF 7.00"sv, "a PDB symbol file"},
    Signature{"ElfFile\0"sv, "an event log (.evtx)"},
    Signature{"PERFILE2"sv, "a Linux perf recording, which has no heap data; Highwater opens heaptrack files"},
    Signature{"QELFIREP"sv, "a Linux perf recording, which has no heap data; Highwater opens heaptrack files"},
    Signature{"JAVA PROFILE 1.0"sv, "a Java heap dump (.hprof); open it in Eclipse MAT or VisualVM"},
    Signature{"FLR\0"sv, "a Java Flight Recorder recording; open it in JDK Mission Control"},
    Signature{"# callgrind format"sv, "a callgrind file; open it in KCachegrind"},
    Signature{"version: 1\ncreator: callgrind"sv, "a callgrind file; open it in KCachegrind"},
    Signature{"{\"snapshot\":"sv, "a V8 heap snapshot (.heapsnapshot, .heaptimeline); open it in Chrome DevTools"},
    Signature{"{\"nodes\":["sv, "a V8 CPU profile (.cpuprofile); open it in Chrome DevTools"},
    Signature{"{\"traceEvents\""sv, "a Chrome trace; open it in Perfetto (ui.perfetto.dev)"},
    Signature{"[{\"args\""sv, "a Chrome trace; open it in Perfetto (ui.perfetto.dev)"},
    Signature{"[{\"name\""sv, "a Chrome trace; open it in Perfetto (ui.perfetto.dev)"},
    Signature{"goroutine profile: total "sv, "a goroutine profile (Go), not a heap profile; open it in pprof"},
    Signature{"goroutine "sv, "a list of goroutines (Go), not a heap profile"},
    Signature{"threadcreate profile: total "sv, "a thread creation profile (Go), not a heap profile; open it in pprof"},
    Signature{"--- contention"sv, "a contention profile (Go, gperftools), not a heap profile; open it in pprof"},
    Signature{"--- mutex"sv, "a mutex profile (Go), not a heap profile; open it in pprof"},
    Signature{"--- threadz"sv, "a thread profile (gperftools), not a heap profile; open it in pprof"},
    Signature{"--- heapz 1 ---"sv, "a Java heap profile in text form; convert it with go tool pprof -proto first"},
    Signature{"\0\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0"sv, "a gperftools CPU profile, not a heap profile; open it in pprof"},
    Signature{"Nettrace"sv, "a .NET recording (.nettrace); open it in PerfView or Visual Studio"},
    Signature{
        "SQLite format 3"sv,
        "an SQLite database; Highwater opens only those of highwater-cli fleet, with names that end with .sqlite"},
    Signature{"<?xml"sv, "an XML document"},
    Signature{"MZ"sv, "a Windows program"},
};

/// Formats without a fixed start are identified by a word near the start.
constexpr std::array kWords{
    Signature{"https://www.speedscope.app/file-format-schema"sv, "a speedscope profile; open it in speedscope.app"},
    Signature{"\"product\": \"Firefox\""sv, "a Firefox profile; open it in profiler.firefox.com"},
    Signature{"\"product\":\"Firefox\""sv, "a Firefox profile; open it in profiler.firefox.com"},
    Signature{"\"traceEvents\""sv, "a Chrome trace; open it in Perfetto (ui.perfetto.dev)"},
    Signature{"\"rts_arguments\""sv, "a GHC profile (Haskell); open it in speedscope.app"},
    Signature{"Time and Allocation Profiling Report"sv, "a GHC profile (Haskell)"},
    Signature{"\nMassif arguments:"sv, "ms_print output; open the massif file that it was created from"},
};
constexpr std::size_t kBytesWithWords = 1024;

/// A line of folded stacks: frames separated by semicolons, a blank and a number.
bool isFoldedStack(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto blank = line.rfind(' ');
    if (blank == std::string_view::npos || line.find(';') >= blank) return false;
    const auto number = line.substr(blank + 1);
    return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
}

/// {"pid": 0, "ph": "B", ...}: Chrome events with fields in any order.
bool isListOfEvents(std::string_view text) {
    return text.starts_with('[') && text.find("\"ph\"") != std::string_view::npos;
}

std::string_view formatByWords(std::string_view text) {
    for (const auto& [word, format] : kWords)
        if (text.find(word) != std::string_view::npos) return format;
    if (isListOfEvents(text)) return "a Chrome trace; open it in Perfetto (ui.perfetto.dev)";
    if (isFoldedStack(text.substr(0, text.find('\n'))))
        return "a list of folded stacks, which does not name the counted unit; open it in speedscope.app";
    return {};
}

bool startsWith(ByteSpan bytes, std::string_view signature) {
    return bytes.size() >= signature.size() && std::memcmp(bytes.data(), signature.data(), signature.size()) == 0;
}

/// The block size comes before the first block, or before the end of a file without blocks.
bool isBzip2(ByteSpan bytes) {
    constexpr std::size_t kSizeAt = 3;
    if (!startsWith(bytes, "BZh"sv) || bytes.size() <= kSizeAt) return false;
    const auto rest = bytes.subspan(kSizeAt + 1);
    return bytes[kSizeAt] >= std::byte{'1'} && bytes[kSizeAt] <= std::byte{'9'} &&
           (startsWith(rest, "1AY&SY"sv) || startsWith(rest, "\x17\x72\x45\x38\x50\x90"sv));
}

/// The type of an ELF file follows its identity.
bool isCoreFile(ByteSpan bytes) {
    constexpr std::size_t kTypeAt = 16;
    constexpr auto kCore = std::byte{4};
    return startsWith(bytes, "\x7F"
                             "ELF"sv) &&
           bytes.size() > kTypeAt && bytes[kTypeAt] == kCore;
}

std::string_view formatOf(ByteSpan bytes) {
    if (isCoreFile(bytes)) return "a core file; examine its memory with highwater-cli holders --core";
    if (isBzip2(bytes)) return "a bzip2 file; Highwater unpacks gzip and Zstandard files, but not bzip2 files";
    for (const auto& signature : kSignatures) {
        if (startsWith(bytes, signature.bytes)) return signature.format;
    }
    return formatByWords({reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kBytesWithWords)});
}

/// For text with a byte order mark.
std::string_view formatOfMarked(TextMark mark, ByteSpan text) {
    if (!isUtf16(mark)) return formatOf(text);
    const auto begin = utf8OfUtf16(mark, text.first(std::min(text.size(), 2 * kBytesWithWords)));
    if (begin.empty()) return {};
    if (begin.starts_with('\x1F'))
        return "a compressed file that was corrupted by being written as text, as > does in PowerShell; write it again "
               "with "
               "an option that names the file, or in cmd";
    const auto format = formatOf(std::as_bytes(std::span(begin)));
    return format.empty() ? "text in UTF-16, as > writes it in PowerShell, in a format that Highwater does not read"
                          : format;
}

/// Without control characters, in any encoding of one byte or several.
bool looksLikeText(ByteSpan bytes) {
    const auto start = bytes.first(std::min(bytes.size(), kBytesWithWords));
    return std::ranges::all_of(start, [](std::byte byte) {
        const auto letter = std::to_integer<unsigned char>(byte);
        return letter >= ' ' ? letter != 0x7F : letter >= '\t' && letter <= '\r';
    });
}

} // namespace

std::string describeForeign(ByteSpan bytes) {
    auto text = std::string(foreignFormat(bytes));
    if (text.find(';') != std::string::npos) return text + '.'; // with advice
    if (text.empty() && looksLikeText(bytes)) text = "a text file in a format that Highwater does not read";
    if (text.empty()) text = "a binary file that does not begin with a trace header";
    return text + ". Highwater opens event traces (.etl, also in .zip and .diagsession archives) and heap profiles "
                  "from heaptrack, pprof, DHAT, massif, V8, gperftools and jemalloc.";
}

std::string_view foreignFormat(ByteSpan bytes) {
    const auto mark = textMarkOf(bytes);
    return mark == TextMark::None ? formatOf(bytes) : formatOfMarked(mark, bytes.subspan(bytesOf(mark)));
}

bool isZipArchive(ByteSpan bytes) { return startsWith(bytes, "PK\x03\x04"sv) || startsWith(bytes, "PK\x05\x06"sv); }

} // namespace highwater::etl
