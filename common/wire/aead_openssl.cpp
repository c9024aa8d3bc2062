// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/assert.hpp"
#include "common/wire/aead.hpp"

#include <openssl/evp.h>

#include <memory>
#include <utility>

namespace submix::wire {
namespace {

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

/// An error here is a bug: keys, lengths and order of the calls are fixed.
void expect_done(int result) {
  SUBMIX_ASSERT(result == 1);
}

class OpenSslAead final : public Aead {
 public:
  explicit OpenSslAead(Context context) : context_(std::move(context)) {}

  void encrypt(const Nonce& nonce, Bytes header, Bytes plain, std::span<std::uint8_t> encrypted,
               CipherTag& tag) override {
    begin(nonce, header);
    pass(plain, encrypted.data());
    int length = 0;
    expect_done(EVP_CipherFinal_ex(context_.get(), nullptr, &length));
    expect_done(EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_GET_TAG,
                                    static_cast<int>(tag.size()), tag.data()));
  }

  bool decrypt(const Nonce& nonce, Bytes header, std::span<std::uint8_t> bytes,
               const CipherTag& tag) override {
    begin(nonce, header);
    pass(bytes, bytes.data());
    auto expected = tag;  // the library takes it as a variable
    expect_done(EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_SET_TAG,
                                    static_cast<int>(expected.size()), expected.data()));
    int length = 0;
    return EVP_CipherFinal_ex(context_.get(), nullptr, &length) == 1;
  }

 private:
  void begin(const Nonce& nonce, Bytes header) {
    constexpr int kAsBefore = -1;
    expect_done(
        EVP_CipherInit_ex(context_.get(), nullptr, nullptr, nullptr, nonce.data(), kAsBefore));
    pass(header, nullptr);
  }
  /// Without `to`: authenticates only.
  void pass(Bytes from, std::uint8_t* to) {
    int length = 0;
    expect_done(
        EVP_CipherUpdate(context_.get(), to, &length, from.data(), static_cast<int>(from.size())));
  }

  Context context_;
};

}  // namespace

std::unique_ptr<Aead> open_by_openssl(Protection cipher, Aead::Use use, const Digest& key) {
  const auto* kind =
      cipher == Protection::aes_256_gcm ? EVP_aes_256_gcm() : EVP_chacha20_poly1305();
  Context context(EVP_CIPHER_CTX_new());
  const int direction = use == Aead::Use::encrypt ? 1 : 0;
  if (!context ||
      EVP_CipherInit_ex(context.get(), kind, nullptr, key.data(), nullptr, direction) != 1)
    return nullptr;
  return std::make_unique<OpenSslAead>(std::move(context));
}

}  // namespace submix::wire
