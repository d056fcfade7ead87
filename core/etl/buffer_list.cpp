#include "core/etl/buffer_list.h"

#include "core/etl/record_header.h"
#include "core/etl/xpress.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <tuple>

namespace highwater::etl {
namespace {

/// Enough of a buffer for its header and usually the time of its first record.
constexpr std::size_t kHeadBytes = 1024;
/// For a compressed buffer, expanded.
constexpr std::size_t kExpandedBytes = 512;
/// Maximum distance to search for a compressed buffer after damage, which limits the cost for files of any size.
constexpr std::uint64_t kMostSkippedBytes = 64u << 20;
/// Smaller sizes are not assumed for other buffers because they may be damaged.
constexpr std::uint32_t kUsualBytes = 64u << 10;

/// The starts of buffers in a file. Read and not mapped because they are spread over the whole file.
class FileHeads {
  public:
    explicit FileHeads(const FileImage& file) : file_(file) {}
    /// Up to kHeadBytes, valid until the next call.
    [[nodiscard]] ByteSpan at(std::uint64_t offset) {
        if (file_.file == nullptr) {
            const auto rest = file_.bytes.subspan(static_cast<std::size_t>(offset));
            return rest.first(std::min(rest.size(), kHeadBytes));
        }
        if (offset >= announced_) announce(offset);
        if (offset != offset_) head_ = file_.file->read(offset, room_);
        offset_ = offset;
        return head_;
    }

  private:
    /// Without it, each read would wait for the disk separately.
    void announce(std::uint64_t offset) {
        announced_ = offset + kAnnouncedBytes;
        file_.file->willRead(offset, 2 * kAnnouncedBytes);
    }

    static constexpr std::uint64_t kAnnouncedBytes = std::uint64_t{8} << 20;

    const FileImage& file_;
    std::uint64_t announced_ = 0;
    std::array<std::byte, kHeadBytes> room_{};
    std::uint64_t offset_ = std::numeric_limits<std::uint64_t>::max();
    ByteSpan head_;
};

std::optional<std::int64_t> startTicksOf(const BufferPlace& place, ByteSpan stored) {
    if (!place.isCompressed)
        return firstTicks(stored.first(std::min<std::size_t>(stored.size(), place.imageBytes)), kBufferHeaderBytes);
    std::array<std::byte, kExpandedBytes> start{};
    const auto expanded = xpressDecompress(stored.subspan(kBufferHeaderBytes), start);
    return firstTicks(ByteSpan(start).first(expanded.bytes), 0);
}

} // namespace

/// Contains its own copies so that the lister can be moved.
class BufferLister::Walk {
  public:
    Walk(const FileImage& file, const TraceHeader& header) : image_(file), header_(header) {}

    bool listUpTo(std::uint64_t offset, BufferList& list) {
        list_ = &list;
        while (!isDone_ && at_ < offset)
            isDone_ = !step();
        return !isDone_;
    }
    [[nodiscard]] std::uint64_t reached() const { return at_; }

  private:
    /// Adds one buffer. False at the end.
    bool step() {
        for (;;) {
            const auto buffer = at_ < file_.size() ? parseBufferHeader(heads_.at(at_)) : std::nullopt;
            if (!buffer) {
                list_->truncated += at_ < file_.size();
                break;
            }
            if (isAcceptable(*buffer, at_)) {
                add(*buffer, at_);
                at_ += buffer->storedBytes;
                return true;
            }
            if (isUnwritten(at_)) break;
            const auto next = resynchronise();
            if (!next) {
                ++list_->unreadable;
                break;
            }
            at_ = *next;
        }
        list_->found = list_->places.size();
        countAbsent();
        return false;
    }

    [[nodiscard]] bool isAcceptable(const BufferHeader& buffer, std::uint64_t at) const {
        if (!buffer.isPlausible()) return false;
        if (buffer.storedBytes <= file_.size() - at) return true;
        // Truncated by the end of the file, or a wrong size?
        const bool variable = buffer.isCompressed() || buffer.type == buffer_type::kHeader;
        return variable ? buffer.storedBytes <= std::max(header_.bufferBytes, kSmallestSessionBytes)
                        : buffer.storedBytes == header_.bufferBytes;
    }

    void add(const BufferHeader& buffer, std::uint64_t at) {
        BufferPlace place;
        place.fileOffset = at;
        place.isCut = buffer.storedBytes > file_.size() - at;
        place.storedBytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(buffer.storedBytes, file_.size() - at));
        place.imageBytes = buffer.imageBytes();
        place.sequence = buffer.sequence;
        place.processor = buffer.processor;
        place.isHeader = buffer.type == buffer_type::kHeader;
        place.isCompressed = buffer.isCompressed();
        list_->compressed += place.isCompressed;
        list_->truncated += place.isCut;
        place.isAfterLoss = (buffer.flags & (buffer_flag::kEventsLost | buffer_flag::kBufferLost)) != 0;
        list_->markedLossy += place.isAfterLoss;
        const auto head = heads_.at(at);
        const auto ticks = startTicksOf(place, head.first(std::min<std::size_t>(head.size(), place.storedBytes)));
        place.startTicks = ticks ? *ticks : startTicksOfWhole(place);
        // In one step because a growing list leaves its smaller copies behind.
        if (list_->places.empty()) list_->places.reserve(file_.size() / std::max(place.storedBytes, kUsualBytes) + 1);
        list_->places.push_back(place);
    }

    /// For a first record that is too large for a head.
    [[nodiscard]] std::int64_t startTicksOfWhole(const BufferPlace& place) const {
        const auto stored = file_.subspan(static_cast<std::size_t>(place.fileOffset), place.storedBytes);
        return startTicksOf(place, stored).value_or(kUnknownTicks);
    }

    /// Space that the recorder had reserved and not used.
    [[nodiscard]] bool isUnwritten(std::uint64_t at) {
        if (header_.isClosed() && (header_.logMode & log_mode::kPreallocate) == 0) return false;
        const auto bytes = heads_.at(at).first(kBufferHeaderBytes);
        return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
    }

    /// The next place after the last valid buffer where a buffer seems to begin. Counts skipped places.
    std::optional<std::uint64_t> resynchronise() {
        const std::uint64_t step = header_.bufferBytes;
        if (step < kBufferHeaderBytes) return {};
        if (list_->compressed > 0 || (header_.logMode & log_mode::kCompressed) != 0) return resynchroniseCompressed();
        const std::uint64_t last = list_->places.empty() ? 0 : list_->places.back().fileOffset;
        std::uint64_t skipped = 0;
        for (auto at = (last / step + 1) * step; at < file_.size(); at += step, ++skipped) {
            if (!looksLikeBuffer(at)) continue;
            list_->unreadable += std::max<std::uint64_t>(skipped, 1);
            if (!list_->places.empty()) trim(list_->places.back(), at);
            return at;
        }
        return {};
    }

    /// Compressed buffers have any length, so the next one may begin at any byte. It must have an expected sequence
    /// number, and must be followed by another buffer or the end of the file.
    std::optional<std::uint64_t> resynchroniseCompressed() {
        if (list_->places.empty()) return {};
        const auto& last = list_->places.back();
        const auto begin = last.fileOffset + kBufferHeaderBytes;
        if (begin >= file_.size()) return {};
        const auto bytes = file_.subspan(
            static_cast<std::size_t>(begin),
            static_cast<std::size_t>(std::min(file_.size() - begin, kMostSkippedBytes + last.storedBytes)));
        for (std::size_t i = 0; i + kBufferHeaderBytes <= bytes.size(); ++i) {
            const auto buffer = parseBufferHeader(bytes.subspan(i, kBufferHeaderBytes));
            if (!buffer || !isDueAfter(last.sequence, *buffer) || !isFollowed(begin + i, *buffer)) continue;
            list_->unreadable +=
                static_cast<std::uint64_t>(std::max<std::int64_t>(buffer->sequence - last.sequence - 1, 1));
            trim(list_->places.back(), begin + i);
            return begin + i;
        }
        return {};
    }

    /// Two buffers are at least this many bytes apart, which limits the difference of their numbers.
    [[nodiscard]] bool isDueAfter(std::int64_t last, const BufferHeader& buffer) const {
        if (!buffer.isPlausible() || buffer.storedBytes > header_.bufferBytes + kBufferHeaderBytes) return false;
        const auto most = static_cast<std::int64_t>(kMostSkippedBytes / kBufferHeaderBytes);
        return buffer.sequence > last && buffer.sequence - last <= most;
    }

    [[nodiscard]] bool isFollowed(std::uint64_t at, const BufferHeader& buffer) const {
        const auto next = at + buffer.storedBytes;
        if (next >= file_.size()) return next == file_.size();
        const auto follower = parseBufferHeader(file_.subspan(static_cast<std::size_t>(next)));
        return follower && isDueAfter(buffer.sequence, *follower);
    }

    [[nodiscard]] bool looksLikeBuffer(std::uint64_t at) {
        const auto head = heads_.at(at);
        const auto buffer = parseBufferHeader(head);
        if (!buffer || !buffer->isPlausible() || buffer->isCompressed()) return false;
        if (buffer->storedBytes != header_.bufferBytes || head.size() < kBufferHeaderBytes + 4) return false;
        const auto word = loadUnchecked<std::uint32_t>(head.data() + kBufferHeaderBytes);
        return (word & 0xC0000000u) == 0xC0000000u || (word & 0xD0000000u) == 0x90000000u;
    }

    /// The size of the last buffer was wrong: it ends where the next one begins.
    void trim(BufferPlace& place, std::uint64_t end) const {
        if (place.fileOffset + place.storedBytes <= end) return;
        place.storedBytes = static_cast<std::uint32_t>(end - place.fileOffset);
        place.isCut = true;
        place.startTicks = startTicksOfWhole(place);
    }

    /// Sequence numbers run from 0 without gaps, but only in files that were closed and never overwritten. Missing
    /// numbers above the highest existing one were after the end of the file, and so may be a few below it; the others
    /// are gaps.
    void countAbsent() {
        constexpr auto kUnreliable =
            log_mode::kCircular | log_mode::kAppend | log_mode::kNewFile | log_mode::kBuffering;
        if (!header_.isClosed() || (header_.logMode & kUnreliable) != 0) return;
        const std::uint64_t found = list_->places.size();
        const std::uint64_t accounted = found + list_->unreadable;
        const std::uint64_t written = header_.buffersWritten;
        const std::uint64_t absent = written > accounted ? written - accounted : 0;
        std::vector<std::int64_t> numbers;
        for (const auto& place : list_->places)
            numbers.push_back(place.sequence);
        std::sort(numbers.begin(), numbers.end());
        const bool unique = std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end();
        // A number far above the others is damaged and not a gap.
        const auto highest = found == 0 || numbers.front() < 0 ? 0 : static_cast<std::uint64_t>(numbers.back());
        if (found == 0 || !unique || numbers.front() < 0 || highest >= 2 * std::max(found, written)) {
            list_->missing = absent;
            return;
        }
        const std::uint64_t inGaps = highest + 1 > accounted ? highest + 1 - accounted : 0;
        list_->behindTheEnd = std::min(absent, written > highest + 1 ? written - (highest + 1) : 0);
        list_->missing = std::max(inGaps, absent - list_->behindTheEnd);
        if (list_->truncated == 0 && list_->behindTheEnd == 0) return;
        const auto filling = std::min({list_->missing, absent - list_->behindTheEnd, mostBeingFilled()});
        list_->behindTheEnd += filling;
        list_->missing -= filling;
    }

    /// A processor gets the next number when it begins to fill a buffer, which is written when it is full. Therefore,
    /// if a file is cut off, each of the other processors may have had a buffer with a number below the highest
    /// existing one.
    [[nodiscard]] std::uint64_t mostBeingFilled() const { return header_.processors > 0 ? header_.processors - 1 : 0; }

    static constexpr std::uint32_t kSmallestSessionBytes = 4096;

    FileImage image_;
    ByteSpan file_ = image_.bytes;
    FileHeads heads_{image_};
    TraceHeader header_;
    BufferList* list_ = nullptr;
    std::uint64_t at_ = 0;
    bool isDone_ = false;
};

bool isEarlierInStream(const BufferPlace& a, const BufferPlace& b) {
    return std::tuple(a.processor, !a.isHeader, a.startTicks, a.sequence, a.fileOffset) <
           std::tuple(b.processor, !b.isHeader, b.startTicks, b.sequence, b.fileOffset);
}

bool isSameStream(const BufferPlace& a, const BufferPlace& b) {
    return a.processor == b.processor && a.isHeader == b.isHeader;
}

BufferLister::BufferLister(const FileImage& file, const TraceHeader& header)
    : walk_(std::make_unique<Walk>(file, header)) {}
BufferLister::~BufferLister() = default;
bool BufferLister::listUpTo(std::uint64_t offset, BufferList& list) { return walk_->listUpTo(offset, list); }
std::uint64_t BufferLister::reached() const { return walk_->reached(); }

} // namespace highwater::etl
