#pragma once

#include "core/etl/etl_writer.h"

#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <utility>

namespace highwater {

/// A file on a disk that stalls, from the first buffer on, until `goesOn`. Reports when the stall starts.
class StandingDisk final : public etl::ByteOutput {
  public:
    StandingDisk(const std::filesystem::path& path, std::shared_future<void> goesOn, std::function<void()> stands = {})
        : file_(etl::createFileOutput(path).value()), goesOn_(std::move(goesOn)), stands_(std::move(stands)) {}
    Result<void> append(ByteSpan bytes) override {
        if (file_->size() > 0) {
            if (const auto tell = std::exchange(stands_, nullptr)) tell();
            goesOn_.wait();
        }
        return file_->append(bytes);
    }
    Result<void> overwrite(std::uint64_t offset, ByteSpan bytes) override { return file_->overwrite(offset, bytes); }
    Result<void> sync() override { return file_->sync(); }
    [[nodiscard]] std::uint64_t size() const override { return file_->size(); }

  private:
    std::unique_ptr<etl::ByteOutput> file_;
    std::shared_future<void> goesOn_;
    std::function<void()> stands_;
};

/// A disk that accepts everything, and never confirms it.
class UnsureDisk final : public etl::ByteOutput {
  public:
    explicit UnsureDisk(const std::filesystem::path& path) : file_(etl::createFileOutput(path).value()) {}
    Result<void> append(ByteSpan bytes) override { return file_->append(bytes); }
    Result<void> overwrite(std::uint64_t offset, ByteSpan bytes) override { return file_->overwrite(offset, bytes); }
    Result<void> sync() override { return Error{ErrorKind::Io, "Input/output error."}; }
    [[nodiscard]] std::uint64_t size() const override { return file_->size(); }

  private:
    std::unique_ptr<etl::ByteOutput> file_;
};

} // namespace highwater
