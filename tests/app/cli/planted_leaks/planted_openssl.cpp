#include "tests/app/cli/planted_leaks/planted.h"

#include <openssl/evp.h>

#include <array>

namespace {

using Block = std::array<unsigned char, 16>;

/// Leaks: the context is never freed.
[[gnu::noinline]] int encrypt(const Block& key, const Block& text) {
    auto* context = EVP_CIPHER_CTX_new();
    std::array<unsigned char, 32> sealed{};
    int length = 0;
    EVP_EncryptInit_ex(context, EVP_aes_128_cbc(), nullptr, key.data(), key.data());
    EVP_EncryptUpdate(context, sealed.data(), &length, text.data(), static_cast<int>(text.size()));
    return length;
}

/// The correct version.
[[gnu::noinline]] unsigned digest(const Block& text) {
    auto* context = EVP_MD_CTX_new();
    std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
    unsigned length = 0;
    EVP_DigestInit_ex(context, EVP_sha256(), nullptr);
    EVP_DigestUpdate(context, text.data(), text.size());
    EVP_DigestFinal_ex(context, sum.data(), &length);
    EVP_MD_CTX_free(context);
    return length;
}

} // namespace

int main() {
    return planted::serve([](int request) {
        const Block key{1, 2, 3};
        const Block text{static_cast<unsigned char>(request)};
        return digest(text) > 0 && encrypt(key, text) > 0;
    });
}
