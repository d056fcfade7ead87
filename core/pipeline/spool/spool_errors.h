#pragma once

#include "core/base/result.h"

#include <mutex>
#include <optional>

namespace highwater::pipeline {

/// The reasons why the file of a recording is not as it should be. Any thread; no function waits for a disk.
class SpoolErrors {
  public:
    struct Report {
        std::optional<Error> file; ///< nothing more is written to it
        std::optional<Error> next; ///< the file keeps everything although only the newest part is wanted
        std::optional<Error> sync; ///< the file is complete but may not be on the disk
    };

    /// The first one stays because later ones are consequences.
    void reportFile(const Error& error);
    void reportSync(const Error& error);
    /// The newest one stays because each next file is another attempt.
    void reportNext(const Error& error);
    /// Another file has replaced the one with these errors.
    void clear();

    [[nodiscard]] Report report() const;

  private:
    mutable std::mutex mutex_;
    Report report_;
};

} // namespace highwater::pipeline
