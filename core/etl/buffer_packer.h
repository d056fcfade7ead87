#pragma once

#include "core/etl/buffer.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace highwater::etl {

/// A full buffer before it is written to the file.
struct PackingJob {
    BufferHeader header;
    std::vector<std::byte> image; ///< uncompressed, with room for the header
    std::uint32_t used = 0;       ///< bytes of the image
    std::int64_t firstTicks = 0;
    std::uint64_t counted = 0; ///< records counted by the writer: EtlWriter::countLast()
    std::chrono::steady_clock::time_point since;

  private:
    friend class BufferPacker;
    enum class State : std::uint8_t { Waiting, Done, Given };
    State state = State::Waiting;  ///< guarded by the packer's mutex, like the following members
    std::vector<std::byte> packed; ///< with room for the header
};

/// The compressed form of a buffer, with room for the header before it.
void packBuffer(const std::vector<std::byte>& image, std::uint32_t used, std::vector<std::byte>& packed);

/// Compresses the buffers of one writer on a separate thread of low priority. The writer never waits for it: a job can
/// be taken back at any time. One thread adds and takes jobs.
class BufferPacker {
  public:
    BufferPacker();
    /// Discards jobs that are not compressed yet.
    ~BufferPacker();
    BufferPacker(const BufferPacker&) = delete;
    BufferPacker& operator=(const BufferPacker&) = delete;

    void add(std::shared_ptr<PackingJob> job);
    /// Swaps the compressed form out of a finished job. False if it is not finished.
    [[nodiscard]] bool takePacked(PackingJob& job, std::vector<std::byte>& packed);
    /// The caller writes it otherwise. The packer may still be reading its image, from the end of the header to the end
    /// of the used bytes.
    void takeBack(PackingJob& job);

  private:
    void run();

    std::mutex mutex_; ///< guards all members below
    std::condition_variable woken_;
    std::deque<std::shared_ptr<PackingJob>> waiting_;
    bool isOver_ = false;
    std::thread thread_; ///< last because it uses the others
};

} // namespace highwater::etl
