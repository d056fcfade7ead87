#include "core/pipeline/core_files/core_contents.h"

#include "core/event/resident_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

namespace highwater::pipeline {
namespace {

/// Elf64_Ehdr
struct FileHeader {
    std::array<std::uint8_t, 16> identity;
    std::uint16_t type;
    std::uint16_t machine;
    std::uint32_t version;
    std::uint64_t entry;
    std::uint64_t segmentsAt;
    std::uint64_t sectionsAt;
    std::uint32_t flags;
    std::uint16_t headerBytes;
    std::uint16_t segmentBytes;
    std::uint16_t segments;
    std::uint16_t sectionBytes;
    std::uint16_t sections;
    std::uint16_t names;
};
static_assert(sizeof(FileHeader) == 64);

/// Elf64_Phdr
struct SegmentHeader {
    std::uint32_t type;
    std::uint32_t flags;
    std::uint64_t offset;
    std::uint64_t address;
    std::uint64_t physical;
    std::uint64_t fileBytes;
    std::uint64_t bytes;
    std::uint64_t alignment;
};
static_assert(sizeof(SegmentHeader) == 56);

constexpr std::array<std::uint8_t, 4> kMagic{0x7F, 'E', 'L', 'F'};
constexpr std::size_t kClassAt = 4, kDataAt = 5;
constexpr std::uint8_t kClass32 = 1, kClass64 = 2, kLittleEndian = 1;
constexpr std::uint16_t kRelocatable = 1, kProgram = 2, kLibrary = 3, kCore = 4;
constexpr std::uint16_t kX86 = 62, kArm64 = 183;
constexpr std::uint32_t kLoad = 1, kNote = 4;
constexpr std::uint32_t kMayExecute = 1, kMayWrite = 2, kMayRead = 4;
/// Memory of programs ends far below. The system describes a page of its own above, which programs can execute.
constexpr Address kHighest = Address{1} << 48, kKernel = Address{1} << 63;
/// The number of segments is in the first section header: a process with more than 65,534 mappings.
constexpr std::uint16_t kManySegments = 0xFFFF;
constexpr std::uint64_t kSectionInfoAt = 44;

template <typename T>
std::optional<T> takeAt(ByteSpan file, std::uint64_t offset) {
    if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
    return loadUnchecked<T>(file.data() + offset);
}

Error noCore(std::string_view name) {
    return {ErrorKind::NotATrace, fmt::format("{} is not a core file. Specify the core file of a process, such as one "
                                              "that \"gcore PID\" writes.",
                                              name)};
}

Error cutInHeader(std::string_view name) {
    return {ErrorKind::Damaged,
            fmt::format("{} is truncated: it ends before the description of the process. Copy the file again.", name)};
}

Error otherProcess(std::string_view name, std::string_view what) {
    return {ErrorKind::Unsupported,
            fmt::format("{} is the core file of {}. Highwater reads core files of 64-bit x86 processes.", name, what)};
}

std::optional<Error> whyNoCore(const FileHeader& header, std::string_view name) {
    const auto fileClass = header.identity[kClassAt], data = header.identity[kDataAt];
    if (fileClass != kClass32 && fileClass != kClass64) return noCore(name);
    if (data != kLittleEndian) return otherProcess(name, "a process on a big-endian processor");
    if (header.type == kRelocatable || header.type == kProgram || header.type == kLibrary)
        return Error{
            ErrorKind::NotATrace,
            fmt::format("{} is a program or library, not a core file. Specify the core file of a process, such "
                        "as one that \"gcore PID\" writes.",
                        name)};
    if (header.type != kCore) return noCore(name);
    if (fileClass == kClass32) return otherProcess(name, "a 32-bit process");
    if (header.machine == kArm64) return otherProcess(name, "a process on a 64-bit ARM processor");
    if (header.machine != kX86)
        return otherProcess(name, fmt::format("a process on another processor (ELF machine {})", header.machine));
    if (header.segmentBytes != sizeof(SegmentHeader)) return Error(cutInHeader(name));
    return std::nullopt;
}

std::uint32_t flagsOf(std::uint32_t flags) {
    return ((flags & kMayRead) != 0 ? mapping_flag::kRead : 0) | ((flags & kMayWrite) != 0 ? mapping_flag::kWrite : 0) |
           ((flags & kMayExecute) != 0 ? mapping_flag::kExecute : 0);
}

/// Headers may claim anything.
class ContentsReader {
  public:
    ContentsReader(ByteSpan file, std::string_view name) : file_(file), name_(name) {}

    Result<CoreContents> read() {
        const auto header = takeAt<FileHeader>(file_, 0);
        if (!header) return cutInHeader(name_);
        if (auto error = whyNoCore(*header, name_)) return *std::move(error);
        std::uint64_t count = header->segments;
        if (count == kManySegments)
            count = takeAt<std::uint32_t>(file_, header->sectionsAt + kSectionInfoAt).value_or(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto segment = takeAt<SegmentHeader>(file_, header->segmentsAt + i * sizeof(SegmentHeader));
            if (!segment) return cutInHeader(name_);
            if (segment->type == kNote) addNotes(*segment);
            if (segment->type == kLoad) addMemory(*segment);
        }
        sortSegments();
        finishNotes(found_.notes);
        const bool isProcess = !found_.notes.threads.empty() && found_.notes.pid != 0;
        if (!isProcess && found_.cutOff > 0) return cutInHeader(name_);
        if (!isProcess)
            return Error{ErrorKind::Unsupported,
                         fmt::format("{} describes no process. Specify the core file of a Linux process, such as one "
                                     "that \"gcore PID\" writes.",
                                     name_)};
        return std::move(found_);
    }

  private:
    void addNotes(const SegmentHeader& segment) {
        const auto there = segment.offset > file_.size() ? 0 : file_.size() - segment.offset;
        const auto bytes = std::min<std::uint64_t>(segment.fileBytes, there);
        addCutOff(segment.fileBytes - bytes); // gcore writes them behind the memory
        if (bytes == 0) return;
        // Several segments may share the same bytes.
        if (bytes > file_.size() - noteBytes_) return;
        noteBytes_ += bytes;
        addCoreNotes(file_.subspan(static_cast<std::size_t>(segment.offset), static_cast<std::size_t>(bytes)),
                     found_.notes);
    }
    void addMemory(const SegmentHeader& segment) {
        const auto begin = segment.address;
        if (segment.bytes == 0 || begin >= kKernel) return;
        if (begin % kResidentPageBytes != 0 || segment.bytes % kResidentPageBytes != 0 || begin >= kHighest ||
            segment.bytes > kHighest - begin) {
            ++found_.invalid;
            return;
        }
        const auto end = begin + segment.bytes;
        const auto wanted = std::min(segment.fileBytes, segment.bytes);
        auto there = segment.offset > file_.size() ? 0 : file_.size() - segment.offset;
        // Segments that share bytes would take any time.
        there = std::min<std::uint64_t>(there, file_.size() - memoryBytes_);
        const auto bytes = std::min<ByteCount>(wanted, there);
        found_.segments.push_back({begin, end, segment.offset, bytes, flagsOf(segment.flags), bytes < wanted});
        memoryBytes_ += bytes;
        addCutOff(wanted - bytes);
    }
    void addCutOff(ByteCount bytes) {
        if (__builtin_add_overflow(found_.cutOff, bytes, &found_.cutOff) || found_.cutOff > kHighest)
            found_.cutOff = kHighest;
    }
    void sortSegments() {
        auto& segments = found_.segments;
        std::ranges::stable_sort(segments, {}, &CoreSegment::begin);
        Address reached = 0;
        const auto gone = std::ranges::remove_if(segments, [&](const CoreSegment& segment) {
            if (segment.begin < reached) return true;
            reached = segment.end;
            return false;
        });
        found_.invalid += gone.size();
        segments.erase(gone.begin(), gone.end());
    }

    ByteSpan file_;
    std::string_view name_;
    CoreContents found_;
    std::uint64_t noteBytes_ = 0;
    ByteCount memoryBytes_ = 0;
};

} // namespace

Result<CoreContents> readCore(ByteSpan file, std::string_view name) {
    if (file.size() < kMagic.size() || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0) return noCore(name);
    return ContentsReader(file, name).read();
}

} // namespace highwater::pipeline
