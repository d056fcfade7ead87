#include "core/files/whole_file.h"

#include "core/base/text.h"
#include "core/files/output_file.h"
#include "core/files/pending_file.h"

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <streambuf>
#include <system_error>

namespace highwater {
namespace {

constexpr auto kPart = ".part";

/// A file as a standard stream. Stores the first error; nothing is written after it.
class FileBuffer final : public std::streambuf {
  public:
    explicit FileBuffer(OutputFile& file) : file_(file) { setp(bytes_.data(), bytes_.data() + bytes_.size()); }

    Result<void> finish() {
        (void)flush();
        if (error_) return *error_;
        return {};
    }

  protected:
    int_type overflow(int_type next) override {
        if (!flush()) return traits_type::eof();
        if (!traits_type::eq_int_type(next, traits_type::eof())) sputc(traits_type::to_char_type(next));
        return traits_type::not_eof(next);
    }
    int sync() override { return flush() ? 0 : -1; }

  private:
    bool flush() {
        const auto size = static_cast<std::size_t>(pptr() - pbase());
        if (!error_ && size > 0) {
            const auto written = file_.append(std::as_bytes(std::span(pbase(), size)));
            if (!written.hasValue()) error_ = written.error();
        }
        setp(bytes_.data(), bytes_.data() + bytes_.size());
        return !error_;
    }

    OutputFile& file_;
    std::optional<Error> error_;
    std::array<char, 64 * 1024> bytes_{};
};

Result<void> cannotWrite(const std::filesystem::path& place, const std::string& why) {
    return Error{ErrorKind::Io, fmt::format("Cannot write {}: {}.", utf8(place), why)};
}

/// Deleted unless it was moved to its place.
class Part {
  public:
    explicit Part(std::filesystem::path path) : path_(std::move(path)) {}
    ~Part() {
        std::error_code gone;
        if (!path_.empty()) std::filesystem::remove(path_, gone);
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    Result<void> moveTo(const std::filesystem::path& place) {
        std::error_code failed;
        std::filesystem::rename(path_, place, failed);
        if (failed) return cannotWrite(place, failed.message());
        path_.clear();
        return {};
    }

  private:
    std::filesystem::path path_;
};

} // namespace

Result<void> writeWholeFile(const std::filesystem::path& path,
                            const std::function<Result<void>(std::ostream&)>& write) {
    const auto place = TRY(OutputFile::placeFor(path));
    auto pending = TRY(PendingFile::beside(place, kPart, OutputFile::Readers::AsUsual));
    {
        const auto file = pending.takeFile(); // closed before it is moved
        FileBuffer buffer(*file);
        std::ostream stream(&buffer);
        auto written = write(stream);
        TRY(buffer.finish()); // also the reason why the rest failed
        TRY(written);
    }
    const auto placed = pending.takePlace();
    return placed.hasValue() ? placed : cannotWrite(place, placed.error().message);
}

Result<void> makeWholeFile(const std::filesystem::path& path,
                           const std::function<Result<void>(const std::filesystem::path& part)>& make) {
    const auto place = TRY(OutputFile::placeFor(path));
    auto made = TRY(createBeside(place, kPart, OutputFile::Readers::AsUsual)); // it must have a name
    Part part(made.path);
    made.file.reset(); // `write` opens it itself
    TRY(make(part.path()));
    return part.moveTo(place);
}

} // namespace highwater
