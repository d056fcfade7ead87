#pragma once

#include <memory>
#include <ostream>
#include <string_view>

namespace highwater::formats {

/// Compresses data in the gzip format without name and time, so that equal contents give equal files. Errors are those
/// of the stream, which must outlive it. One thread.
class GzipWriter {
  public:
    explicit GzipWriter(std::ostream& out);
    ~GzipWriter();
    GzipWriter(const GzipWriter&) = delete;
    GzipWriter& operator=(const GzipWriter&) = delete;

    void write(std::string_view bytes);
    /// Finishes the file; without it the output is truncated.
    void finish();

  private:
    struct Stream;
    void deflate(std::string_view bytes, int flush);

    std::ostream& out_;
    std::unique_ptr<Stream> stream_;
};

} // namespace highwater::formats
