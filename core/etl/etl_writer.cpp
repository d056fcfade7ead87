#include "core/etl/etl_writer.h"

#include "core/etl/buffer.h"
#include "core/etl/buffer_packer.h"
#include "core/etl/class_guids.h"
#include "core/etl/record_header.h"
#include "core/etl/trace_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <system_error>
#include <utility>
#include <vector>

namespace highwater::etl {
namespace {

constexpr std::uint32_t kRoundTo = 4096;
constexpr std::uint32_t kSmallHeaderStep = 512; ///< compressed files have header buffers of this small size
constexpr std::uint32_t kMaxBufferBytes = 64u << 20;
constexpr std::uint32_t kMaxRecordBytes = 0xFFFF;
constexpr std::uint32_t kRecordStep = 8;
constexpr std::uint32_t kWrittenState = 3; ///< flushed; in a compressed file also the format: XPRESS
constexpr std::byte kFill{0xFF};
constexpr std::size_t kMostPacking = 256; ///< buffers that wait for the packing thread

struct OsVersion {
    std::uint8_t major, minor;
};
OsVersion osVersionOf(std::uint32_t build) {
    if (build == 0 || build >= 10240) return {10, 0};
    if (build >= 9600) return {6, 3};
    if (build >= 9200) return {6, 2};
    return {6, 1};
}

TraceHeader headerOf(const TraceProperties& properties, const WriterOptions& options) {
    TraceHeader header;
    header.bufferBytes = options.bufferBytes;
    const auto os = osVersionOf(properties.osBuild);
    header.osMajor = os.major;
    header.osMinor = os.minor;
    header.osBuild = properties.osBuild;
    header.processors = std::max(properties.processors, 1u);
    header.logMode = log_mode::kSequential;
    if (options.compression == Compression::Xpress) header.logMode |= log_mode::kCompressed;
    header.pointerBytes = properties.pointerBytes == 4 ? 4 : 8;
    header.cpuSpeedMhz = properties.cpuSpeedMhz;
    header.biasMinutes = properties.biasMinutes;
    header.bootFileTime = properties.bootFileTime;
    header.performanceFrequency = properties.ticksPerSecond;
    header.startFileTime = properties.startFileTime;
    header.clockType = static_cast<std::uint32_t>(properties.clock);
    header.ticks = properties.firstTicks;
    header.sessionName = properties.sessionName.substr(0, 1024);
    header.fileName = "[multiple files]"; // like merged files
    return header;
}

bool isEventForm(HeaderType type) { return type == HeaderType::Event32 || type == HeaderType::Event64; }

bool needsClassGuid(HeaderType type) {
    switch (type) {
    case HeaderType::Full32:
    case HeaderType::Full64:
    case HeaderType::Instance32:
    case HeaderType::Instance64:
    case HeaderType::Event32:
    case HeaderType::Event64:
        return true;
    default:
        return false;
    }
}

/// Headers of the SYSTEM, COMPACT and PERFINFO forms have the same start. Written in whole words because recordings
/// write millions of them. The further fields of the SYSTEM form are left alone.
void encodeSystemHeader(const SystemHeader& header, std::uint64_t recordBytes, std::byte* to) {
    const auto word = std::uint64_t{header.version} | (std::uint64_t{static_cast<std::uint8_t>(header.type)} << 16) |
                      (std::uint64_t{0xC0} << 24) | (recordBytes << 32) | (std::uint64_t{header.opcode} << 48) |
                      (std::uint64_t{header.group} << 56);
    std::memcpy(to, &word, sizeof(word));
    to += sizeof(word);
    if (header.type != HeaderType::PerfInfo32 && header.type != HeaderType::PerfInfo64) {
        const auto ids = std::uint64_t{header.tid} | (std::uint64_t{header.pid} << 32);
        std::memcpy(to, &ids, sizeof(ids));
        to += sizeof(ids);
    }
    std::memcpy(to, &header.ticks, sizeof(header.ticks));
}

/// Writes the header of one record, in the form of record.header, before its payload.
class RecordEncoder {
  public:
    explicit RecordEncoder(const RawRecord& record) : record_(record) {}

    /// Header, extended items and payload, without padding.
    [[nodiscard]] std::uint64_t totalBytes() const {
        return std::uint64_t{fixedBytes()} + record_.extendedBytes + record_.payloadBytes;
    }

    void encode(std::byte* to) const {
        const auto fixed = fixedBytes();
        std::fill_n(to, fixed, std::byte{0});
        encodeHeader(to);
        if (record_.extendedBytes != 0) std::memcpy(to + fixed, record_.extended, record_.extendedBytes);
        if (record_.payloadBytes != 0) {
            std::memcpy(to + fixed + record_.extendedBytes, record_.payload, record_.payloadBytes);
        }
    }

  private:
    [[nodiscard]] std::uint32_t fixedBytes() const {
        if (record_.header != HeaderType::Message) return headerBytes(record_.header);
        return headerBytes(HeaderType::Message) + (record_.provider != nullptr ? 16 : 0) + 8 + 8;
    }

    template <typename T>
    static void put(std::byte* to, T value) {
        std::memcpy(to, &value, sizeof(value));
    }

    void encodeHeader(std::byte* to) const {
        switch (record_.header) {
        case HeaderType::System32:
        case HeaderType::System64:
        case HeaderType::Compact32:
        case HeaderType::Compact64:
        case HeaderType::PerfInfo32:
        case HeaderType::PerfInfo64:
            encodeSystem(to);
            break;
        case HeaderType::Full32:
        case HeaderType::Full64:
        case HeaderType::Instance32:
        case HeaderType::Instance64:
            encodeFull(to);
            break;
        case HeaderType::Event32:
        case HeaderType::Event64:
            encodeEvent(to);
            break;
        case HeaderType::Message:
            encodeMessage(to);
            break;
        case HeaderType::Timed:
        case HeaderType::Error:
        case HeaderType::Wnode:
            encodeSized(to);
            break;
        }
    }

    void putType(std::byte* to) const {
        put(to + 2, static_cast<std::uint8_t>(record_.header));
        put(to + 3, std::uint8_t{0xC0});
    }
    void encodeSized(std::byte* to) const {
        put(to, static_cast<std::uint16_t>(totalBytes()));
        putType(to);
    }
    void encodeSystem(std::byte* to) const {
        encodeSystemHeader({.type = record_.header,
                            .group = record_.group,
                            .opcode = record_.opcode,
                            .version = static_cast<std::uint8_t>(record_.version), // higher values would announce
                                                                                   // counters
                            .processor = record_.processor,
                            .pid = record_.pid,
                            .tid = record_.tid,
                            .ticks = record_.ticks},
                           totalBytes(), to);
    }
    void putIdsAndTime(std::byte* to) const {
        put(to + 8, record_.tid);
        put(to + 12, record_.pid);
        put(to + 16, record_.ticks);
    }
    void putGuid(std::byte* to) const {
        if (record_.provider != nullptr) {
            std::memcpy(to, record_.provider, 16);
        } else if (record_.kind == RawRecord::Kind::Classic) {
            put(to, classOfGroup(record_.group).value_or(Guid{}));
        }
    }
    void encodeFull(std::byte* to) const {
        encodeSized(to);
        put(to + 4, record_.opcode);
        put(to + 6, record_.version);
        putIdsAndTime(to);
        putGuid(to + 24);
    }
    void encodeEvent(std::byte* to) const {
        const bool classic = record_.kind == RawRecord::Kind::Classic;
        const auto flags =
            (record_.extendedBytes != 0 ? event_flag::kExtended : 0) | (classic ? event_flag::kClassic : 0);
        encodeSized(to);
        put(to + 4, static_cast<std::uint16_t>(flags));
        putIdsAndTime(to);
        putGuid(to + 24);
        put(to + 40, record_.eventId);
        put(to + 42, static_cast<std::uint8_t>(record_.version));
        put(to + 45, record_.opcode);
    }
    void encodeMessage(std::byte* to) const {
        using namespace message_option;
        put(to, static_cast<std::uint16_t>(totalBytes()));
        put(to + 3, std::uint8_t{0x90});
        put(to + 4, record_.eventId);
        put(to + 6, static_cast<std::uint16_t>((record_.provider != nullptr ? kGuid : 0) | kTime | kIds));
        auto* field = to + 8;
        if (record_.provider != nullptr) {
            std::memcpy(field, record_.provider, 16);
            field += 16;
        }
        put(field, record_.ticks);
        put(field + 8, record_.tid);
        put(field + 12, record_.pid);
    }

    const RawRecord& record_;
};

std::uint32_t roundUp(std::uint32_t value, std::uint32_t step) { return (value + step - 1) / step * step; }

} // namespace

class EtlWriter::Impl {
  public:
    Impl(ByteOutput& output, const TraceProperties& properties, const WriterOptions& options)
        : output_(output), options_(options), header_(headerOf(properties, options)) {
        if (options.compression == Compression::Xpress && options.packing == Packing::Aside) startPacker();
    }

    Result<void> begin() { return keepError(output_.append(headerBuffer())); }

    Result<void> write(const RawRecord& record) {
        if (failed_) return error_;
        // The trace header of another file is not a record of this file; this writer creates its own.
        if (record.kind == RawRecord::Kind::Classic && record.group == 0 && record.opcode == 0) return {};
        TRY(check(record));
        const RecordEncoder encoder(record);
        auto room = TRY(append(record.processor, record.ticks, encoder.totalBytes()));
        encoder.encode(room);
        return {};
    }

    Result<std::byte*> place(const SystemHeader& header, std::uint32_t payloadBytes) {
        const auto fixed = headerBytes(header.type);
        const auto bytes = std::uint64_t{fixed} + payloadBytes;
        if (failed_) return error_;
        if (!fits(bytes)) return doesNotFit(bytes);
        auto room = append(header.processor, header.ticks, bytes);
        if (room.hasValue()) {
            encodeSystemHeader(header, bytes, room.value());
            room.value() += fixed;
        }
        return room;
    }

    void countLast(std::uint16_t processor) { ++buffers_[processor].counted; }

    [[nodiscard]] std::uint64_t unwrittenCounted() const {
        auto sum = countedInFailed_;
        for (const auto& buffer : buffers_)
            sum += buffer.counted;
        for (const auto& job : jobs_)
            sum += job->counted;
        return sum;
    }

    Result<void> flush() {
        if (failed_) return error_;
        for (std::size_t processor = 0; processor < buffers_.size(); ++processor) {
            if (buffers_[processor].used == kBufferHeaderBytes) continue;
            TRY(flushBuffer(static_cast<std::uint16_t>(processor), buffer_flag::kFlushMarker));
        }
        return packer_ ? writePacked() : Result<void>();
    }

    Result<void> flushAll() {
        auto flushed = flush();
        return flushed.hasValue() ? packRest() : flushed;
    }

    [[nodiscard]] bool isPacking() const { return !jobs_.empty() && !failed_; }
    [[nodiscard]] std::uint64_t buffersLeftPlain() const { return leftPlain_; }

    Result<void> finish(std::int64_t endFileTime, std::uint32_t eventsLost, std::uint32_t buffersLost) {
        TRY(flushAll());
        header_.endFileTime = endFileTime;
        header_.eventsLost = eventsLost;
        header_.buffersLost = buffersLost;
        header_.buffersWritten = buffersWritten_;
        return keepError(output_.overwrite(0, headerBuffer()));
    }

    [[nodiscard]] std::optional<std::int64_t> oldestUnwritten() const {
        std::optional<std::int64_t> oldest;
        for (const auto& buffer : buffers_) {
            if (buffer.used == kBufferHeaderBytes) continue;
            oldest = std::min(oldest.value_or(buffer.firstTicks), buffer.firstTicks);
        }
        for (const auto& job : jobs_)
            oldest = std::min(oldest.value_or(job->firstTicks), job->firstTicks);
        return oldest;
    }

    Result<void> endCutOff(std::int64_t endFileTime, std::uint32_t eventsLost, std::uint32_t buffersLost,
                           const RawRecord& why) {
        const auto bytes = RecordEncoder(why).totalBytes();
        if (bytes > options_.endRecordBytes) return doesNotFit(bytes);
        header_.endFileTime = endFileTime;
        header_.eventsLost = eventsLost;
        header_.buffersLost = buffersLost;
        header_.buffersWritten = buffersWritten_;
        return output_.overwrite(0, headerBuffer(&why));
    }

  private:
    struct Buffer {
        std::vector<std::byte> image;
        std::uint32_t used = kBufferHeaderBytes;
        std::int64_t firstTicks = 0;
        std::int64_t lastTicks = 0;
        std::uint64_t counted = 0; ///< records, see countLast()
    };

    /// Room for a record that fits, in the buffer of its processor, with the padding after it.
    Result<std::byte*> append(std::uint16_t processor, std::int64_t ticks, std::uint64_t recordBytes) {
        if (processor >= buffers_.size()) buffers_.resize(processor + std::size_t{1});
        auto& buffer = buffers_[processor];
        const auto bytes = static_cast<std::uint32_t>(recordBytes);
        const auto padded = roundUp(bytes, kRecordStep);
        if (padded > options_.bufferBytes - buffer.used) {
            TRY(flushBuffer(processor, 0));
        }
        if (buffer.image.empty()) {
            buffer.image = std::exchange(spare_, {});
            buffer.image.resize(options_.bufferBytes);
        }
        auto* const at = buffer.image.data() + buffer.used;
        if (padded != bytes) std::fill_n(at + bytes, padded - bytes, std::byte{0});
        if (buffer.used == kBufferHeaderBytes) buffer.firstTicks = ticks;
        buffer.used += padded;
        buffer.lastTicks = ticks;
        return at;
    }

    [[nodiscard]] bool fits(std::uint64_t recordBytes) const {
        return recordBytes <= kMaxRecordBytes &&
               (recordBytes + kRecordStep - 1) / kRecordStep * kRecordStep <= options_.bufferBytes - kBufferHeaderBytes;
    }
    static Error doesNotFit(std::uint64_t recordBytes) {
        return {ErrorKind::Usage, fmt::format("A record of {} bytes does not fit into a trace buffer.", recordBytes)};
    }

    /// The size is the same with and without a last record.
    [[nodiscard]] std::vector<std::byte> headerBuffer(const RawRecord* last = nullptr) const {
        const auto record = encodeTraceHeader(header_);
        const auto lastAt = roundUp(kBufferHeaderBytes + static_cast<std::uint32_t>(record.size()), kRecordStep);
        const auto lastBytes = last != nullptr ? static_cast<std::uint32_t>(RecordEncoder(*last).totalBytes()) : 0;
        const auto end = roundUp(lastAt + lastBytes, kRecordStep);
        const bool small = options_.compression == Compression::Xpress;
        BufferHeader header;
        header.storedBytes = small ? roundUp(lastAt + options_.endRecordBytes, kSmallHeaderStep) : options_.bufferBytes;
        header.savedOffset = header.offset = end;
        header.state = kWrittenState;
        header.flags = buffer_flag::kProcessorIndex | buffer_flag::kFlushMarker;
        header.type = buffer_type::kHeader;
        std::vector<std::byte> bytes(header.storedBytes, kFill);
        storeBufferHeader(header, bytes.data());
        std::fill(bytes.begin() + kBufferHeaderBytes, bytes.begin() + end, std::byte{0});
        std::copy(record.begin(), record.end(), bytes.begin() + kBufferHeaderBytes);
        if (last != nullptr) RecordEncoder(*last).encode(bytes.data() + lastAt);
        return bytes;
    }

    [[nodiscard]] Result<void> check(const RawRecord& record) const {
        const auto bytes = RecordEncoder(record).totalBytes();
        if (!fits(bytes)) return doesNotFit(bytes);
        const auto chain = extendedItemsBytes(record.extendedSpan());
        if (record.extendedBytes != 0 && (!isEventForm(record.header) || chain != record.extendedBytes)) {
            return Error{ErrorKind::Usage,
                         "The extended items of a record are not the complete chain of an EVENT record."};
        }
        const bool hasGuid = record.provider != nullptr ||
                             (record.kind == RawRecord::Kind::Classic && classOfGroup(record.group).has_value());
        if (needsClassGuid(record.header) && !hasGuid) {
            return Error{ErrorKind::Usage,
                         fmt::format("A record of group {} cannot be written as {} because it has no class GUID.",
                                     record.group, name(record.header))};
        }
        return {};
    }

    Result<void> flushBuffer(std::uint16_t processor, std::uint16_t flags) {
        auto& buffer = buffers_[processor];
        BufferHeader header;
        header.storedBytes = options_.bufferBytes;
        header.savedOffset = header.offset = buffer.used;
        header.state = kWrittenState;
        header.timeStamp = buffer.lastTicks;
        header.sequence = buffersMade_;
        header.processor = processor;
        header.flags = static_cast<std::uint16_t>(buffer_flag::kProcessorIndex | flags);
        if (packer_) return packAside(header, buffer);
        const bool isPacked = options_.compression == Compression::Xpress;
        if (isPacked) packBuffer(buffer.image, buffer.used, packed_);
        TRY(writeBuffer(header, buffer.image, isPacked));
        ++buffersMade_;
        buffer.used = kBufferHeaderBytes;
        buffer.counted = 0;
        return {};
    }

    /// Writes the compressed form, or the plain one if there is none or it is not smaller.
    Result<void> writeBuffer(BufferHeader header, std::vector<std::byte>& image, bool isPacked) {
        auto& bytes = isPacked && packed_.size() < options_.bufferBytes ? packed_ : image;
        if (&bytes == &packed_) {
            header.storedBytes = static_cast<std::uint32_t>(packed_.size());
            header.flags |= buffer_flag::kCompressed;
        } else {
            std::fill(image.begin() + header.savedOffset, image.end(), kFill);
        }
        storeBufferHeader(header, bytes.data());
        TRY(keepError(output_.append(bytes)));
        ++buffersWritten_;
        header_.processors = std::max(header_.processors, header.processor + 1u);
        return {};
    }

    /// Without another thread, buffers are compressed when they are written.
    void startPacker() {
        try {
            packer_ = std::make_unique<BufferPacker>();
        } catch (const std::system_error&) { // it stays null then
        }
    }

    Result<void> packAside(const BufferHeader& header, Buffer& buffer) {
        auto job = std::make_shared<PackingJob>();
        job->header = header;
        job->used = buffer.used;
        job->firstTicks = buffer.firstTicks;
        job->counted = std::exchange(buffer.counted, 0);
        job->since = std::chrono::steady_clock::now();
        job->image = std::exchange(buffer.image, {});
        buffer.used = kBufferHeaderBytes;
        ++buffersMade_;
        packer_->add(job);
        jobs_.push_back(std::move(job));
        return writePacked();
    }

    Result<void> writeJob(PackingJob& job, bool isPacked) {
        auto written = writeBuffer(job.header, job.image, isPacked);
        if (!written.hasValue()) countedInFailed_ += job.counted;
        return written;
    }

    /// In order, as far as they are compressed or have waited long enough.
    Result<void> writePacked() {
        const auto now = std::chrono::steady_clock::now();
        while (!jobs_.empty()) {
            const auto job = jobs_.front();
            const bool isPacked = packer_->takePacked(*job, packed_);
            if (!isPacked) {
                if (jobs_.size() <= kMostPacking && now - job->since < options_.packingPatience) return {};
                packer_->takeBack(*job);
                ++leftPlain_;
            }
            jobs_.pop_front();
            TRY(writeJob(*job, isPacked));
            if (isPacked) spare_ = std::move(job->image); // otherwise the packer may still be reading it
        }
        return {};
    }

    /// Compresses the remaining buffers here because the packing thread may not get processor time.
    Result<void> packRest() {
        while (!jobs_.empty()) {
            const auto job = jobs_.front();
            if (!packer_->takePacked(*job, packed_)) {
                packer_->takeBack(*job);
                packBuffer(job->image, job->used, packed_);
            }
            jobs_.pop_front();
            TRY(writeJob(*job, true));
        }
        return {};
    }

    Result<void> keepError(Result<void> result) {
        if (!result.hasValue() && !failed_) {
            failed_ = true;
            error_ = result.error();
        }
        return result;
    }

    ByteOutput& output_;
    WriterOptions options_;
    TraceHeader header_;
    std::vector<Buffer> buffers_; ///< by processor
    std::vector<std::byte> packed_;
    std::vector<std::byte> spare_;  ///< image of a written buffer, for reuse
    std::uint32_t buffersMade_ = 1; ///< includes the header buffer
    std::uint32_t buffersWritten_ = 1;
    std::deque<std::shared_ptr<PackingJob>> jobs_; ///< created but not written yet
    std::uint64_t leftPlain_ = 0;
    std::uint64_t countedInFailed_ = 0;    ///< in the job that could not be written
    std::unique_ptr<BufferPacker> packer_; ///< null: buffers are compressed when they are written, or not at all
    bool failed_ = false;
    Error error_;
};

Result<std::unique_ptr<EtlWriter>> EtlWriter::create(ByteOutput& output, const TraceProperties& properties,
                                                     const WriterOptions& options) {
    if (options.bufferBytes == 0 || options.bufferBytes % kRoundTo != 0 || options.bufferBytes > kMaxBufferBytes) {
        return Error{ErrorKind::Usage, fmt::format("Trace buffers must be a multiple of {} bytes and at most {} MiB.",
                                                   kRoundTo, kMaxBufferBytes >> 20)};
    }
    auto impl = std::make_unique<Impl>(output, properties, options);
    TRY(impl->begin());
    return std::unique_ptr<EtlWriter>(new EtlWriter(std::move(impl)));
}

EtlWriter::EtlWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EtlWriter::~EtlWriter() = default;

Result<void> EtlWriter::write(const RawRecord& record) { return impl_->write(record); }
Result<std::byte*> EtlWriter::place(const SystemHeader& header, std::uint32_t payloadBytes) {
    return impl_->place(header, payloadBytes);
}
void EtlWriter::countLast(std::uint16_t processor) { impl_->countLast(processor); }
std::uint64_t EtlWriter::unwrittenCounted() const { return impl_->unwrittenCounted(); }
Result<void> EtlWriter::flush() { return impl_->flush(); }
Result<void> EtlWriter::flushAll() { return impl_->flushAll(); }
bool EtlWriter::isPacking() const { return impl_->isPacking(); }
std::uint64_t EtlWriter::buffersLeftPlain() const { return impl_->buffersLeftPlain(); }
Result<void> EtlWriter::finish(std::int64_t endFileTime, std::uint32_t eventsLost, std::uint32_t buffersLost) {
    return impl_->finish(endFileTime, eventsLost, buffersLost);
}
std::optional<std::int64_t> EtlWriter::oldestUnwritten() const { return impl_->oldestUnwritten(); }
Result<void> EtlWriter::endCutOff(std::int64_t endFileTime, std::uint32_t eventsLost, std::uint32_t buffersLost,
                                  const RawRecord& why) {
    return impl_->endCutOff(endFileTime, eventsLost, buffersLost, why);
}

} // namespace highwater::etl
