#pragma once

#include "core/base/result.h"
#include "core/etl/raw_record.h"
#include "core/event/trace_properties.h"
#include "core/files/output_file.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

namespace highwater::etl {

/// The destination of a writer's bytes. Implementations: FileOutput, MemoryOutput. One thread.
class ByteOutput {
  public:
    virtual ~ByteOutput() = default;
    virtual Result<void> append(ByteSpan bytes) = 0;
    /// Overwrites bytes already written (the header buffer, when the trace is finished).
    virtual Result<void> overwrite(std::uint64_t offset, ByteSpan bytes) = 0;
    /// Written data survives a power failure. May be called by another thread at the same time.
    virtual Result<void> sync() { return {}; }
    [[nodiscard]] virtual std::uint64_t size() const = 0;
};

class MemoryOutput final : public ByteOutput {
  public:
    Result<void> append(ByteSpan bytes) override;
    Result<void> overwrite(std::uint64_t offset, ByteSpan bytes) override;
    [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
    [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

  private:
    std::vector<std::byte> bytes_;
};

/// Writes the bytes to an open file.
[[nodiscard]] std::unique_ptr<ByteOutput> outputTo(std::unique_ptr<OutputFile> file);
/// Creates (or truncates) a file. Errors contain the system's reason and the path.
[[nodiscard]] Result<std::unique_ptr<ByteOutput>> createFileOutput(const std::filesystem::path& path);

enum class Compression : std::uint8_t { None, Xpress };

/// The thread that compresses.
enum class Packing : std::uint8_t {
    AtOnce, ///< the caller, before a buffer is written
    Aside,  ///< a thread of low priority; a buffer that it does not compress in time is written uncompressed
};

/// The layout of the file. Data about the machine comes from TraceProperties.
struct WriterOptions {
    std::uint32_t bufferBytes = 65536; ///< a multiple of 4096
    Compression compression = Compression::None;
    Packing packing = Packing::AtOnce;
    std::chrono::milliseconds packingPatience{200}; ///< maximum time for which a buffer waits for the packing thread
    std::uint32_t endRecordBytes = 0;               ///< room in the header buffer for the record of endCutOff()
};

/// The header of a record whose payload is created in the file's buffer itself.
struct SystemHeader {
    HeaderType type = HeaderType::PerfInfo64; ///< or Compact64
    std::uint8_t group = 0;
    std::uint8_t opcode = 0;
    std::uint8_t version = 0;
    std::uint16_t processor = 0;
    std::uint32_t pid = kNoId; ///< not in the PERFINFO form
    std::uint32_t tid = kNoId;
    std::int64_t ticks = 0;
};

/// Writes a trace that Windows' own readers accept (docs/etl-format.md 11): buffers per processor, each flushed when
/// full. Records of one processor must be in time order. A record that does not fit into one buffer is rejected
/// (Error). After an output error every further call returns that error; data flushed before stays readable. One
/// thread.
class EtlWriter {
  public:
    /// Writes the header buffer immediately, so that a file that is cut off later can be opened.
    static Result<std::unique_ptr<EtlWriter>> create(ByteOutput& output, const TraceProperties& properties,
                                                     const WriterOptions& options);
    ~EtlWriter();
    EtlWriter(const EtlWriter&) = delete;
    EtlWriter& operator=(const EtlWriter&) = delete;

    /// Appends one record in the header form of record.header. For FULL, INSTANCE and EVENT forms of a classic record
    /// without a provider, the GUID of its group is written (EVENT: with the classic flag 0x100). record.extended, if
    /// present, must be a well-formed chain of file-form items (EVENT forms only).
    Result<void> write(const RawRecord& record);
    /// Appends a record except its payload, and returns the address where the caller must write the payload before the
    /// next call. Used for the records of which a recording has millions, to avoid a copy.
    Result<std::byte*> place(const SystemHeader& header, std::uint32_t payloadBytes);
    /// Counts the last appended record of this processor for unwrittenCounted().
    void countLast(std::uint16_t processor);
    /// The number of counted records that have not reached the output, and after an output error never will.
    [[nodiscard]] std::uint64_t unwrittenCounted() const;
    /// Writes all buffers with records; the file is readable up to here afterwards. With Packing::Aside, buffers are
    /// written by later flushes, when they are compressed or after the patience.
    Result<void> flush();
    /// The same, but also with Packing::Aside: the caller compresses waiting buffers.
    Result<void> flushAll();
    /// Whether buffers are waiting to be compressed; another flush will write them.
    [[nodiscard]] bool isPacking() const;
    /// Buffers that were written uncompressed because they were not compressed in time. copyPacked() compresses them
    /// later.
    [[nodiscard]] std::uint64_t buffersLeftPlain() const;
    /// The ticks of the oldest record that is not written yet; nothing if all are. The file is complete up to there.
    [[nodiscard]] std::optional<std::int64_t> oldestUnwritten() const;
    /// Flushes and completes the header: buffers written, end time (100 ns since 1601), events and buffers lost. More
    /// may be written afterwards, after which the trace must be finished again.
    Result<void> finish(std::int64_t endFileTime, std::uint32_t eventsLost = 0, std::uint32_t buffersLost = 0);
    /// After an output error: completes the header anyway, as the end of the file's contents, followed by a record with
    /// the reason. Does not need room on the disk because the header buffer has reserved some. Error: the record is
    /// longer than WriterOptions specify, or the header cannot be overwritten either.
    Result<void> endCutOff(std::int64_t endFileTime, std::uint32_t eventsLost, std::uint32_t buffersLost,
                           const RawRecord& why);

  private:
    class Impl;
    explicit EtlWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::etl
