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

/// A full buffer on its way to the file.
struct PackingJob {
    BufferHeader header;
    std::vector<std::byte> image; ///< plain, with room for the header
    std::uint32_t used = 0;       ///< of the image
    std::int64_t firstTicks = 0;
    std::uint64_t counted = 0; ///< records that the writer counts: EtlWriter::countLast()
    std::chrono::steady_clock::time_point since;

  private:
    friend class BufferPacker;
    enum class State : std::uint8_t { Waiting, Done, Given };
    State state = State::Waiting;  ///< guarded by the packer's mutex, as what follows
    std::vector<std::byte> packed; ///< with room for the header
};

/// The packed form of a buffer, with room for the header before it.
void packBuffer(const std::vector<std::byte>& image, std::uint32_t used, std::vector<std::byte>& packed);

/// Packs the buffers of one writer on a thread of its own, which takes what time others leave it. Nobody waits for it:
/// a job can be taken back at any time. One thread adds and takes.
class BufferPacker {
  public:
    BufferPacker();
    /// What was not packed is forgotten.
    ~BufferPacker();
    BufferPacker(const BufferPacker&) = delete;
    BufferPacker& operator=(const BufferPacker&) = delete;

    void add(std::shared_ptr<PackingJob> job);
    /// Swaps the packed form out of a job that is done. False: it is not.
    [[nodiscard]] bool takePacked(PackingJob& job, std::vector<std::byte>& packed);
    /// The caller writes it otherwise. The packer may be reading its image still, from the header's end to what is
    /// used.
    void takeBack(PackingJob& job);

  private:
    void run();

    std::mutex mutex_; ///< guards all below
    std::condition_variable woken_;
    std::deque<std::shared_ptr<PackingJob>> waiting_;
    bool isOver_ = false;
    std::thread thread_; ///< last: uses the others
};

} // namespace highwater::etl
