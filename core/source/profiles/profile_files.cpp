#include "core/source/profiles/profile_files.h"

#include "core/base/text.h"
#include "core/etl/buffer.h"
#include "core/etl/foreign_format.h"
#include "core/files/mapped_file.h"
#include "core/source/profiles/dhat.h"
#include "core/source/profiles/heap_text.h"
#include "core/source/profiles/heaptrack_source.h"
#include "core/source/profiles/massif.h"
#include "core/source/profiles/packed_stream.h"
#include "core/source/profiles/pprof.h"
#include "core/source/profiles/profile_source.h"
#include "core/source/profiles/v8_heap_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace highwater::source {
namespace {

constexpr std::size_t kStartBytes = 4096;
constexpr std::size_t kMostUnpackedBytes = std::size_t{256} << 20; // readers copy the longest text twice

/// The first unpacked bytes. Empty: none, or they cannot be unpacked.
std::string startOf(ByteSpan file, std::string_view name) {
    std::string start(kStartBytes, '\0');
    auto stream = PackedStream::open(file, name);
    start.resize(stream.hasValue() ? stream.value()->read(std::as_writable_bytes(std::span(start))) : 0);
    return start;
}

bool isPprofText(std::string_view start) { return isPprof(std::as_bytes(std::span(start))); }

struct ProfileFormat {
    std::string_view patterns; ///< file name patterns
    bool (*isOne)(std::string_view start);
    Result<Profile> (*read)(ByteSpan file, std::string_view name); ///< null: HeaptrackSource reads it as a stream
};

/// The first matching format reads the file.
constexpr std::array kFormats{
    ProfileFormat{"heaptrack.* *.zst *.gz", HeaptrackSource::isOne, nullptr},
    ProfileFormat{"dhat.out.*", isDhat, readDhat},
    ProfileFormat{"massif.out.*", isMassif, readMassif},
    ProfileFormat{"*.heap", isHeapText, readHeapText},
    ProfileFormat{"*.heapprofile", isV8HeapProfile, readV8HeapProfile},
    ProfileFormat{"*.pb", isPprofText, readPprof},
};

/// Null: not a known profile.
const ProfileFormat* formatOf(std::string_view start) {
    const auto* found = std::find_if(kFormats.begin(), kFormats.end(),
                                     [&](const ProfileFormat& format) { return format.isOne(start); });
    return found == kFormats.end() ? nullptr : found;
}

/// A file that cannot be unpacked is recognized only by its name.
bool isOne(ByteSpan file, std::string_view name) {
    const auto start = startOf(file, name);
    if (formatOf(start) != nullptr) return true;
    return isZstd(file) && start.empty(); // traces are never packed in this way
}

/// The unpacked contents of a profile.
struct Unpacked {
    ByteSpan bytes;
    std::vector<std::byte> memory; ///< owns the bytes of a packed file
    bool isBroken = false;         ///< more data is missing
};

Result<Unpacked> unpacked(const etl::FileImage& file) {
    if (!isPackedOrMarked(file.bytes)) return Unpacked{file.bytes, {}, false};
    auto stream = TRY(PackedStream::open(file.bytes, file.name));
    std::vector<std::byte> bytes;
    for (;;) {
        constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
        const auto before = bytes.size();
        if (before > kMostUnpackedBytes) {
            return Error{ErrorKind::Unsupported, fmt::format("{} is too large because it unpacks to more than {}.",
                                                             file.name, bytesText(kMostUnpackedBytes))};
        }
        bytes.resize(before + kPieceBytes);
        const auto count = stream->read(std::span(bytes).subspan(before));
        bytes.resize(before + count);
        if (count != 0) continue;
        Unpacked all{{}, std::move(bytes), stream->isBroken()};
        all.bytes = all.memory;
        return all;
    }
}

/// The error for a packed file without contents.
Error nothingIn(const etl::FileImage& file) {
    auto stream = PackedStream::open(file.bytes, file.name);
    std::byte first{};
    const bool isBroken = !stream.hasValue() || stream.value()->read({&first, 1}) > 0 || stream.value()->isBroken();
    if (!isBroken) return {ErrorKind::NotATrace, fmt::format("{} is empty when unpacked.", file.name)};
    return {ErrorKind::Damaged, fmt::format("{} is cut off or damaged and cannot be unpacked.", file.name)};
}

/// The error for a packed file that is not a profile; describes its contents.
Error noProfileIn(const etl::FileImage& file, std::string_view start) {
    const auto content = std::as_bytes(std::span(start));
    const Error foreign{ErrorKind::NotATrace,
                        fmt::format("{} is packed. Unpacked, it is {}", file.name, etl::describeForeign(content))};
    if (!etl::foreignFormat(content).empty()) return foreign;
    if (etl::isZipArchive(content))
        return {ErrorKind::NotATrace,
                fmt::format("{} is packed. Unpacked, it is a zip archive; unpack it first.", file.name)};
    const auto buffer = etl::parseBufferHeader(content);
    if (buffer && buffer->type == etl::buffer_type::kHeader && buffer->isPlausible()) {
        return {ErrorKind::NotATrace, fmt::format("{} is a packed event trace. Unpack it first ({} -d FILE).",
                                                  file.name, isZstd(file.bytes) ? "zstd" : "gzip")};
    }
    return foreign;
}

Result<std::unique_ptr<RecordSource>> openImage(etl::FileImage file) {
    TRY(PackedStream::open(file.bytes, file.name));
    const auto start = startOf(file.bytes, file.name);
    const auto* format = formatOf(start);
    if (isPacked(file.bytes)) {
        if (start.empty()) return nothingIn(file);
        if (format == nullptr) return noProfileIn(file, start);
    }
    if (format == nullptr)
        return Error{ErrorKind::NotATrace, fmt::format("{} is {}", file.name, etl::describeForeign(file.bytes))};
    if (format->read == nullptr) {
        auto source = TRY(HeaptrackSource::open(std::move(file), start));
        return std::unique_ptr<RecordSource>(std::move(source));
    }
    const auto all = TRY(unpacked(file));
    auto profile = TRY(format->read(all.bytes, file.name));
    if (all.isBroken) {
        profile.remarks.push_back(fmt::format("{} is cut off or damaged; the rest is missing.", file.name));
    }
    if (file.file != nullptr && file.file->hasLostBytes()) {
        profile.remarks.push_back(fmt::format(
            "{} was cut off while it was being read, or its disk failed: part of it is missing.", file.name));
    }
    return std::unique_ptr<RecordSource>(
        std::make_unique<ProfileSource>(std::move(profile), file.name, file.bytes.size()));
}

} // namespace

std::string profilePatterns() {
    std::string patterns;
    for (const auto& format : kFormats)
        patterns += (patterns.empty() ? "" : " ") + std::string(format.patterns);
    return patterns;
}

bool isProfile(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    return file.hasValue() && isOne(file.value()->bytes(), utf8(path));
}

bool isPacked(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    return file.hasValue() && isPacked(file.value()->bytes());
}

Result<std::unique_ptr<RecordSource>> openProfile(const std::filesystem::path& path) {
    auto file = TRY(MappedFile::open(path));
    const auto bytes = file->bytes();
    return openImage({bytes, file, utf8(path), file});
}

Result<std::unique_ptr<RecordSource>> profileFromMemory(std::vector<std::byte> bytes, std::string name) {
    const auto owned = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return openImage({*owned, owned, std::move(name)});
}

} // namespace highwater::source
