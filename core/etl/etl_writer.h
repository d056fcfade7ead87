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

/// Where a writer puts its bytes. Implementations: FileOutput, MemoryOutput. One thread.
class ByteOutput {
  public:
    virtual ~ByteOutput() = default;
    virtual Result<void> append(ByteSpan bytes) = 0;
    /// Overwrites bytes already written (the header buffer, when the trace is finished).
    virtual Result<void> overwrite(std::uint64_t offset, ByteSpan bytes) = 0;
    /// What was written survives a power cut. May be called by another thread meanwhile.
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

/// Puts the bytes into a file that is open.
[[nodiscard]] std::unique_ptr<ByteOutput> outputTo(std::unique_ptr<OutputFile> file);
/// Creates (or truncates) a file. Errors carry the system's reason and the path.
[[nodiscard]] Result<std::unique_ptr<ByteOutput>> createFileOutput(const std::filesystem::path& path);

enum class Compression : std::uint8_t { None, Xpress };

/// Who compresses.
enum class Packing : std::uint8_t {
    AtOnce, ///< the caller, before a buffer is written
    Aside,  ///< a thread of low priority: a buffer that it does not get to in time is written plain
};

/// How the file is laid out; what it says about the machine comes from TraceProperties.
struct WriterOptions {
    std::uint32_t bufferBytes = 65536; ///< a multiple of 4096
    Compression compression = Compression::None;
    Packing packing = Packing::AtOnce;
    std::chrono::milliseconds packingPatience{200}; ///< how long a buffer waits for it to be packed aside
    std::uint32_t endRecordBytes = 0; ///< room that the header's buffer keeps for the record of endCutOff()
};

/// The header of a record whose payload is made in the file's buffer itself.
struct SystemHeader {
    HeaderType type = HeaderType::PerfInfo64; ///< or Compact64
    std::uint8_t group = 0;
    std::uint8_t opcode = 0;
    std::uint8_t version = 0;
    std::uint16_t processor = 0;
    std::uint32_t pid = kNoId; ///< not in PERFINFO form
    std::uint32_t tid = kNoId;
    std::int64_t ticks = 0;
};

/// Writes a trace that Windows' own readers accept (docs/etl-format.md 11): buffers per processor, each flushed when
/// full. Records of one processor must come in time order. A record that does not fit into one buffer is refused
/// (Error). After an output error every further call returns that error; what was flushed before stays readable. One
/// thread.
class EtlWriter {
  public:
    /// Writes the header buffer at once, so that a file cut off later still opens.
    static Result<std::unique_ptr<EtlWriter>> create(ByteOutput& output, const TraceProperties& properties,
                                                     const WriterOptions& options);
    ~EtlWriter();
    EtlWriter(const EtlWriter&) = delete;
    EtlWriter& operator=(const EtlWriter&) = delete;

    /// Appends one record in the header form that record.header names. For FULL, INSTANCE and EVENT forms of a classic
    /// record without a provider the GUID of its group is written (EVENT: with the classic flag 0x100).
    /// record.extended, if present, must be a well-formed chain of file-form items (EVENT forms only).
    Result<void> write(const RawRecord& record);
    /// Appends a record but for its payload, and returns where the caller writes that before the next call. What a
    /// recording writes by the million is made this way, without a copy on the way.
    Result<std::byte*> place(const SystemHeader& header, std::uint32_t payloadBytes);
    /// The record that was appended last, of this processor, is one of those that unwrittenCounted() is about.
    void countLast(std::uint16_t processor);
    /// How many of these have not reached the output. After an output error: never will.
    [[nodiscard]] std::uint64_t unwrittenCounted() const;
    /// Writes out all buffers that hold records; the file is readable up to here afterwards. Where they are packed
    /// aside they are written by flushes that come later, too: when they are packed, or after the patience.
    Result<void> flush();
    /// The same, where they are packed aside, too: what waits is packed by the caller.
    Result<void> flushAll();
    /// Whether buffers wait for being packed: another flush will write them.
    [[nodiscard]] bool isPacking() const;
    /// Buffers that were written plain because they were not packed in time. copyPacked() makes up for that.
    [[nodiscard]] std::uint64_t buffersLeftPlain() const;
    /// The ticks of the oldest record that is not written out yet; nothing if all are. Up to there the file is whole.
    [[nodiscard]] std::optional<std::int64_t> oldestUnwritten() const;
    /// Flushes and completes the header: buffers written, end time (100 ns since 1601), events and buffers lost. More
    /// may be written afterwards: then it has to be finished again.
    Result<void> finish(std::int64_t endFileTime, std::uint32_t eventsLost = 0, std::uint32_t buffersLost = 0);
    /// After an output error: completes the header all the same, as the end of what is in the file, with a record
    /// behind it that says why. Needs no room on the disk: the header's buffer has kept some free. Error: the record is
    /// longer than WriterOptions say, or the header cannot be overwritten either.
    Result<void> endCutOff(std::int64_t endFileTime, std::uint32_t eventsLost, std::uint32_t buffersLost,
                           const RawRecord& why);

  private:
    class Impl;
    explicit EtlWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::etl
