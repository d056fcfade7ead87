#include "core/etl/etl_reader.h"

#include "core/base/counted.h"
#include "core/etl/foreign_format.h"
#include "core/etl/record_header.h"
#include "core/etl/xpress.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <new>
#include <numeric>

namespace highwater::etl {
namespace {

/// Buffers are not larger than those of their session, and no session has larger ones than the second value. Buffers
/// that claim to expand to more are damaged.
constexpr std::uint32_t kSmallestMaxImageBytes = 1u << 20;
constexpr std::uint32_t kMaxImageBytes = 64u << 20;
/// Maximum number of spare bytes that compressors leave after the last byte of a buffer; more bytes are records.
constexpr std::size_t kMostSpareBytes = 4;
/// Maximum compression ratio of a real buffer, because a record has its own time at least every 64 KiB.
constexpr std::uint64_t kMaxRatio = 8192;
/// Up to this expanded size the order of all records is verified in advance; for larger files only if there are signs
/// of disorder.
constexpr std::uint64_t kVerifyBytes = 32u << 20;
/// Expanding more than this only to check the order is never worthwhile.
constexpr std::uint64_t kVerifyMostExpandedBytes = std::uint64_t{8} << 30;
constexpr auto kUnordered = log_mode::kCircular | log_mode::kAppend | log_mode::kNoPerProcessorBuffers;
/// When a whole file is scanned, this many buffers stay mapped at a time.
constexpr std::size_t kBuffersBetweenReleases = 512;

Error notATrace(const FileImage& image) {
    if (image.bytes.empty()) return {ErrorKind::NotATrace, fmt::format("{} is empty.", image.name)};
    const Error foreign{ErrorKind::NotATrace, fmt::format("{} is {}", image.name, describeForeign(image.bytes))};
    if (!foreignFormat(image.bytes).empty()) return foreign;
    const auto buffer = parseBufferHeader(image.bytes);
    if (buffer && buffer->type == buffer_type::kHeader && buffer->isPlausible()) {
        if (image.bytes.size() < buffer->storedBytes) {
            return {ErrorKind::Damaged,
                    fmt::format("{} is cut off inside its header, so no event can be read.", image.name)};
        }
        return {ErrorKind::Damaged, fmt::format("{} is damaged: its trace header cannot be read.", image.name)};
    }
    return foreign;
}

std::optional<TraceHeader> readTraceHeader(ByteSpan file) {
    if (file.size() <= kBufferHeaderBytes) return std::nullopt;
    const auto record = parseRecord(file.subspan(kBufferHeaderBytes));
    return record ? parseTraceHeader(*record) : std::nullopt;
}

std::string_view unreadableFormat(CompressionFormat format) {
    if (format == CompressionFormat::Lznt1) return "LZNT1";
    return format == CompressionFormat::XpressHuffman ? "XPRESS_HUFF" : std::string_view{};
}

} // namespace

EtlReader::EtlReader(FileImage image, TraceHeader header) : image_(std::move(image)), header_(std::move(header)) {}

Result<EtlReader> EtlReader::open(FileImage image, TraceHealth& health) {
    const auto limit = ExpansionLimit::of(image.bytes.size());
    return open(std::move(image), health, limit.recordBytes);
}

Result<EtlReader> EtlReader::open(FileImage image, TraceHealth& health, std::uint64_t mostRecordBytes) {
    auto reader = TRY(openPart(std::move(image), mostRecordBytes));
    (void)reader.listUpTo(std::numeric_limits<std::uint64_t>::max());
    (void)reader.putInOrder(health);
    if (reader.expandedBytes() <= kVerifyBytes || reader.mayBeOutOfOrder()) reader.findEarliestTimes();
    return reader;
}

Result<EtlReader> EtlReader::openPart(FileImage image, std::uint64_t mostRecordBytes) {
    auto header = readTraceHeader(image.bytes);
    if (!header) return notATrace(image);
    EtlReader reader(std::move(image), std::move(*header));
    reader.lister_ = std::make_unique<BufferLister>(reader.image_, reader.header_);
    reader.mostRecordBytes_ = mostRecordBytes;
    reader.timeLimits_ = timeLimitsOf(reader.header_, true);
    return reader;
}

bool EtlReader::mayBeListedWhileRead() const { return (header_.logMode & kUnordered) == 0; }

bool EtlReader::listUpTo(std::uint64_t offset) {
    auto known = buffers_.places.size();
    const bool isMore = lister_->listUpTo(offset, buffers_);
    for (; known < buffers_.places.size(); ++known)
        listedBytes_ += expectedBytes(buffers_.places[known]);
    return isMore;
}

bool EtlReader::finishListing(TraceHealth& health) {
    const auto listed = buffers_.places.size();
    const bool areTimesKept = putInOrder(health);
    return areTimesKept && buffers_.places.size() == listed && buffers_.unreadable == 0 && !mayBeOutOfOrder();
}

/// False if the times of some buffers were wrong.
bool EtlReader::putInOrder(TraceHealth& health) {
    countLosses(health);
    dropUnreadableFormats(health);
    dropBeyond(mostRecordBytes_, health);
    return findTimeLimits();
}

void EtlReader::countLosses(TraceHealth& health) {
    const auto count = [&health](Loss loss, std::uint64_t times) {
        if (times > 0) health.count(loss, times);
    };
    count(Loss::EventsLost, header_.eventsLost);
    count(Loss::BuffersLost, header_.buffersLost);
    count(Loss::BuffersMarkedLossy, buffers_.markedLossy);
    count(Loss::BuffersMissing, buffers_.missing);
    count(Loss::BuffersBehindTheEnd, buffers_.behindTheEnd);
    count(Loss::BuffersUnreadable, buffers_.unreadable);
    count(Loss::BuffersTruncated, buffers_.truncated);
    if (!hasClockFrequency(header_)) {
        health.remark(
            fmt::format("{} does not specify its clock frequency. All times may be wrong because 10 MHz was assumed.",
                        image_.name));
    }
    // A file that was saved during the recording is closed, but if the recording continued, it has more buffers than
    // the header counts.
    if (header_.isClosed() && buffers_.found <= header_.buffersWritten) return;
    if (header_.isClosed()) {
        health.remark(fmt::format(
            "{} has {}, but its header counts {} because the recording continued after this file was saved, or "
            "files were joined. The end may be missing.",
            image_.name, counted(buffers_.found, "buffer"), thousands(header_.buffersWritten)));
        return;
    }
    health.remark(
        fmt::format("The recording was not ended properly. Its end may be missing in {}. The recorder was killed "
                    "or is still recording.",
                    image_.name));
}

/// The header buffer contains the format, but only if the file has compressed buffers at all.
void EtlReader::dropUnreadableFormats(TraceHealth& health) {
    if (buffers_.compressed == 0) return;
    const auto buffer = parseBufferHeader(image_.bytes);
    const auto format = unreadableFormat(static_cast<CompressionFormat>(buffer->state & 0xFFFFu));
    if (format.empty()) return;
    std::erase_if(buffers_.places, [](const BufferPlace& place) { return place.isCompressed; });
    health.count(Loss::BuffersNotDecompressed, buffers_.compressed);
    health.remark(fmt::format("{} {} compressed with {}, which Highwater cannot read.",
                              counted(buffers_.compressed, "buffer"), byNumber(buffers_.compressed, "is", "are"),
                              format));
}

/// 0 if its claim is impossible and it is not expanded.
std::uint64_t EtlReader::expectedBytes(const BufferPlace& place) const {
    if (!place.isCompressed) return place.imageBytes;
    const auto most = std::clamp(header_.bufferBytes, kSmallestMaxImageBytes, kMaxImageBytes);
    const bool isPossible = place.storedBytes >= kBufferHeaderBytes && place.imageBytes <= most &&
                            place.imageBytes <= place.storedBytes * kMaxRatio;
    return isPossible ? place.imageBytes : 0;
}

std::uint64_t EtlReader::recordBytes() const {
    return std::accumulate(buffers_.places.begin(), buffers_.places.end(), std::uint64_t{0},
                           [this](std::uint64_t sum, const BufferPlace& place) { return sum + expectedBytes(place); });
}

/// In file order: keeps the first buffers, up to the one that exceeds the limit.
void EtlReader::dropBeyond(std::uint64_t mostRecordBytes, TraceHealth& health) {
    const auto claimed = recordBytes();
    if (claimed <= mostRecordBytes) return;
    std::uint64_t kept = 0;
    const auto firstBeyond =
        std::find_if(buffers_.places.begin(), buffers_.places.end(), [&](const BufferPlace& place) {
            kept += expectedBytes(place);
            return kept > mostRecordBytes;
        });
    const auto dropped = static_cast<std::uint64_t>(std::distance(firstBeyond, buffers_.places.end()));
    buffers_.places.erase(firstBeyond, buffers_.places.end());
    health.count(Loss::BuffersNotDecompressed, dropped);
    health.remark(fmt::format(
        "{} claims to expand to {} MB, far more than recordings of its size do. Its last {} of {} {} "
        "not read.",
        image_.name, claimed >> 20, dropped, counted(buffers_.found, "buffer"), byNumber(dropped, "was", "were")));
}

/// One buffer may begin with a damaged time. If several begin after the end in the header, the end is wrong because the
/// clock was set back.
bool EtlReader::findTimeLimits() {
    const auto isLate = [this](const BufferPlace& place) { return place.startTicks > timeLimits_.latest; };
    const auto late = std::ranges::count_if(buffers_.places, isLate);
    if (late > 1) timeLimits_ = timeLimitsOf(header_, false);
    // Opened early so that its records are put in order.
    for (auto& place : buffers_.places)
        if (isLate(place)) place.startTicks = header_.ticks;
    return late == 0;
}

std::uint64_t EtlReader::expandedBytes() const {
    return std::accumulate(buffers_.places.begin(), buffers_.places.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const BufferPlace& place) {
                               return sum + std::max(place.storedBytes, place.imageBytes);
                           });
}

/// Normal files contain the buffers and records of each processor in time order (docs/etl-format.md 8). Checking every
/// record in advance costs as much as reading, so larger files are trusted unless there are signs of disorder.
bool EtlReader::mayBeOutOfOrder() const {
    if (buffers_.compressed > 0 && expandedBytes() > kVerifyMostExpandedBytes) return false;
    if ((header_.logMode & kUnordered) != 0) return true;
    std::map<std::uint16_t, std::int64_t> newest;
    for (const auto& place : buffers_.places) {
        if (place.isHeader || place.startTicks == kUnknownTicks) continue;
        auto [last, isNew] = newest.try_emplace(place.processor, place.startTicks);
        if (!isNew && place.startTicks < last->second) return true;
        last->second = place.startTicks;
    }
    return false;
}

/// Sets startTicks to the earliest time in each buffer, at any position, and counts late records.
void EtlReader::findEarliestTimes() {
    auto& places = buffers_.places;
    std::vector<std::size_t> order(places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&places](auto a, auto b) { return isEarlierInStream(places[a], places[b]); });
    std::vector<RecordExtent> records;
    std::uint64_t late = 0;
    auto newest = kUnknownTicks;
    for (std::size_t i = 0; i < order.size(); ++i) {
        auto& place = places[order[i]];
        if (image_.file && i % kBuffersBetweenReleases == 0) image_.file->letGo();
        if (i > 0 && !isSameStream(places[order[i - 1]], place)) newest = kUnknownTicks;
        const auto image = load(place);
        if (!image) continue;
        records.clear();
        listRecords(image->bytes, kBufferHeaderBytes, std::max(newest, place.startTicks), records);
        (void)repairTimes(records, timeLimits_);
        for (const auto& record : records) {
            late += record.ticks < newest;
            newest = std::max(newest, record.ticks);
            place.startTicks = std::min(place.startTicks, record.ticks);
        }
    }
    lateRecords_ = late;
}

std::optional<BufferImage> EtlReader::load(const BufferPlace& place) const {
    const auto stored = image_.bytes.subspan(static_cast<std::size_t>(place.fileOffset), place.storedBytes);
    if (!place.isCompressed) {
        const auto end = std::min(place.storedBytes, place.imageBytes);
        return BufferImage{stored.first(end), nullptr, !place.isCut && hasRecordBehind(stored, end)};
    }
    if (expectedBytes(place) == 0) return std::nullopt;
    const std::shared_ptr<std::byte[]> memory(new (std::nothrow) std::byte[place.imageBytes]);
    if (!memory) return std::nullopt;
    const std::span<std::byte> image(memory.get(), place.imageBytes);
    const auto expanded = xpressDecompress(stored.subspan(kBufferHeaderBytes), image.subspan(kBufferHeaderBytes));
    const auto end = kBufferHeaderBytes + expanded.bytes;
    if (!place.isCut && (expanded.damaged || end != place.imageBytes)) return std::nullopt;
    return BufferImage{ByteSpan(image).first(end), memory, expanded.unread > kMostSpareBytes};
}

} // namespace highwater::etl
