#pragma once

#include <memory>
#include <ostream>
#include <string_view>

namespace highwater::formats {

/// Compresses what it is given as gzip does, without a name and a time: equal contents are equal files. Errors are
/// those of the stream, which outlives it. One thread.
class GzipWriter {
  public:
    explicit GzipWriter(std::ostream& out);
    ~GzipWriter();
    GzipWriter(const GzipWriter&) = delete;
    GzipWriter& operator=(const GzipWriter&) = delete;

    void write(std::string_view bytes);
    /// The end of it; without it what was written is cut off.
    void finish();

  private:
    struct Stream;
    void deflate(std::string_view bytes, int flush);

    std::ostream& out_;
    std::unique_ptr<Stream> stream_;
};

} // namespace highwater::formats
