#pragma once

#include "core/base/result.h"

#include <mutex>
#include <optional>

namespace highwater::pipeline {

/// Why the file of a recording is not what it should be. Any thread; nobody waits here for a disk.
class SpoolErrors {
  public:
    struct Report {
        std::optional<Error> file; ///< nothing more is written to it
        std::optional<Error> next; ///< the file keeps all, although only the newest part is wanted
        std::optional<Error> sync; ///< the file is whole, but perhaps not on the disk
    };

    /// The first one stays: later ones follow from it.
    void reportFile(const Error& error);
    void reportSync(const Error& error);
    /// The newest one stays: each next file is another try.
    void reportNext(const Error& error);
    /// Another file has taken the place of the one that had them.
    void clear();

    [[nodiscard]] Report report() const;

  private:
    mutable std::mutex mutex_;
    Report report_;
};

} // namespace highwater::pipeline
