#include "core/etl/etl_writer.h"

#include <algorithm>

namespace highwater::etl {
namespace {

class FileOutput final : public ByteOutput {
  public:
    explicit FileOutput(std::unique_ptr<OutputFile> file) : file_(std::move(file)) {}

    Result<void> append(ByteSpan bytes) override { return file_->append(bytes); }
    Result<void> overwrite(std::uint64_t offset, ByteSpan bytes) override { return file_->overwrite(offset, bytes); }
    Result<void> sync() override { return file_->sync(); }
    [[nodiscard]] std::uint64_t size() const override { return file_->size(); }

  private:
    std::unique_ptr<OutputFile> file_;
};

} // namespace

Result<void> MemoryOutput::append(ByteSpan bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return {};
}

Result<void> MemoryOutput::overwrite(std::uint64_t offset, ByteSpan bytes) {
    if (offset > bytes_.size() || bytes.size() > bytes_.size() - offset) {
        return Error{ErrorKind::Usage, "Only bytes that were already written can be overwritten."};
    }
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    return {};
}

std::unique_ptr<ByteOutput> outputTo(std::unique_ptr<OutputFile> file) {
    return std::make_unique<FileOutput>(std::move(file));
}

Result<std::unique_ptr<ByteOutput>> createFileOutput(const std::filesystem::path& path) {
    auto file = TRY(OutputFile::create(path));
    return outputTo(std::move(file));
}

} // namespace highwater::etl
