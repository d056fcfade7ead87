#pragma once

#include "core/event/resident_sample.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::source {

/// Reads the text of /proc/PID/smaps, or of maps, which has no sizes, piece by piece as the kernel delivers it. Lines
/// in another form are skipped. One thread.
class SmapsReader {
  public:
    /// A piece; may end anywhere.
    void take(std::string_view text);
    /// All of an open file, from its position on. Returns 0, or the number of the error.
    [[nodiscard]] int takeFile(int file);
    /// Where mappings begin that the program excludes from forks (MADV_DONTFORK), until finish(). Only of smaps.
    [[nodiscard]] const std::vector<Address>& notForked() const { return notForked_; }
    /// All mappings, without their pages, time and process. They may overlap if the program has changed them meanwhile.
    /// The reader is empty then.
    [[nodiscard]] ResidentSample finish();

  private:
    void takeLine(std::string_view line);
    void takeMapping(std::string_view line);
    void takeSize(std::string_view line);
    void removeFrom(Address begin);
    [[nodiscard]] std::uint32_t numberOf(std::string_view name);
    void takeFlags(std::string_view line);

    ResidentSample sample_;
    std::vector<Address> notForked_;
    std::map<std::string, std::uint32_t, std::less<>> names_; ///< to their numbers
    std::string rest_;                                        ///< a line without its end
};

} // namespace highwater::source
