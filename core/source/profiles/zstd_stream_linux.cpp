#include "core/source/profiles/packed_stream.h"

#include <zstd.h>

namespace highwater::source {
namespace {

/// Supports concatenated frames.
class ZstdStream final : public PackedStream {
  public:
    explicit ZstdStream(ByteSpan file) : file_(file), stream_(ZSTD_createDStream()) {
        constexpr int kLargestWindow = 31; // the limit of zstd --long=31; memory is allocated as it is written
        isBroken_ = stream_ == nullptr || ZSTD_isError(ZSTD_initDStream(stream_)) != 0 ||
                    ZSTD_isError(ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, kLargestWindow)) != 0;
    }
    ~ZstdStream() override { ZSTD_freeDStream(stream_); }
    ZstdStream(const ZstdStream&) = delete;
    ZstdStream& operator=(const ZstdStream&) = delete;

    std::size_t read(std::span<std::byte> room) override {
        ZSTD_outBuffer out{room.data(), room.size(), 0};
        while (out.pos < out.size && !isBroken_ && !(isFrameWhole_ && at_ == file_.size())) {
            ZSTD_inBuffer in{file_.data(), file_.size(), at_};
            const auto before = out.pos;
            const auto wanted = ZSTD_decompressStream(stream_, &out, &in);
            const bool hasMoved = in.pos > at_ || out.pos > before;
            at_ = in.pos;
            if (ZSTD_isError(wanted) != 0) isBroken_ = true;
            isFrameWhole_ = wanted == 0;
            if (!hasMoved && !isFrameWhole_) isBroken_ = true; // the decoder needs data that the file does not have
        }
        return out.pos;
    }
    [[nodiscard]] std::size_t bytesUsed() const override { return at_; }
    [[nodiscard]] bool isBroken() const override { return isBroken_; }

  private:
    ByteSpan file_;
    ZSTD_DStream* stream_;
    std::size_t at_ = 0;
    bool isFrameWhole_ = false;
    bool isBroken_ = false;
};

} // namespace

Result<std::unique_ptr<PackedStream>> openZstd(ByteSpan file, std::string_view /*name*/) {
    return std::unique_ptr<PackedStream>(std::make_unique<ZstdStream>(file));
}

} // namespace highwater::source
