#pragma once

#include "core/event/memory_picture.h"
#include "core/event/resident_sample.h"

#include <map>
#include <string>
#include <utility>

namespace highwater::pipeline {

/// Names the frames of stacks that are roots of pictures, by the debug information or symbols in the files of their
/// modules. Remembers the names for the next picture. One thread.
class FrameNames {
  public:
    /// Replaces the names of frames whose function is found by "app!Session::run, session.cpp:41", or without a line.
    /// `mappings`: of the picture. Takes as long as it takes to open the files.
    void name(MemoryPicture& picture, const ResidentSample& mappings);

  private:
    using Place = std::pair<std::string, Address>; ///< file, and address in it

    std::map<Place, std::string> names_; ///< "": not found
};

} // namespace highwater::pipeline
