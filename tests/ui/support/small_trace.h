#pragma once

#include "core/store/trace_store.h"

#include <initializer_list>
#include <map>
#include <memory>
#include <string>

namespace highwater::tests {

/// A trace of a few events, fed directly into a store. Times in milliseconds.
class SmallTrace {
  public:
    SmallTrace();

    SmallTrace& process(std::uint32_t pid, const std::string& name);
    /// Continues as another program.
    SmallTrace& execute(std::int64_t ms, std::uint32_t pid, const std::string& name);
    /// Loaded before the trace starts.
    SmallTrace& image(std::uint32_t pid, Address base, ByteCount size, const std::string& name);
    /// Frames innermost first.
    SmallTrace& commit(std::int64_t ms, std::uint32_t pid, Address address, ByteCount size,
                       std::initializer_list<Address> frames = {});
    /// An allocation of a managed object; this also declares its type.
    SmallTrace& managed(std::int64_t ms, std::uint32_t pid, const std::string& type, ByteCount size,
                        std::initializer_list<Address> frames = {});
    /// Sizes of generations 0, 1, 2 and large objects after a collection.
    SmallTrace& collected(std::int64_t ms, std::uint32_t pid, std::initializer_list<ByteCount> sizes);
    SmallTrace& decommit(std::int64_t ms, std::uint32_t pid, Address address, ByteCount size);
    /// Names the thread that does everything in the process.
    SmallTrace& threadName(std::int64_t ms, std::uint32_t pid, const std::string& name);
    SmallTrace& lose(Loss loss, std::uint64_t times);
    /// The same, between two times.
    SmallTrace& lose(Loss loss, std::uint64_t times, std::int64_t fromMs, std::int64_t toMs);
    /// A record of a rundown.
    SmallTrace& rundown(Occasion occasion, std::int64_t ms);
    [[nodiscard]] std::shared_ptr<const store::PublishedTrace> publish(std::int64_t endMs);

  private:
    std::unique_ptr<TraceHealth> health_;
    std::unique_ptr<store::TraceStore> store_;
    std::map<std::string, std::uint32_t> types_;
};

inline constexpr ByteCount kPage = 4096;

[[nodiscard]] constexpr TraceTime ms(std::int64_t value) { return {value * 1'000'000}; }

} // namespace highwater::tests
