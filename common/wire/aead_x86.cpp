// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/aead.hpp"

#if defined(__x86_64__)

#include "common/base/assert.hpp"

#include <intel-ipsec-mb.h>
#include <sodium.h>

namespace submix::wire {
namespace {

struct FreeManager {
  void operator()(IMB_MGR* manager) const { free_mb_mgr(manager); }
};

/// The library's functions for this CPU. Those of GCM keep no state in it.
IMB_MGR* functions() {
  static const std::unique_ptr<IMB_MGR, FreeManager> manager = [] {
    std::unique_ptr<IMB_MGR, FreeManager> made(alloc_mb_mgr(0));
    SUBMIX_ASSERT(made);
    init_mb_mgr_auto(made.get(), nullptr);
    return made;
  }();
  return manager.get();
}

class VectorAes final : public Aead {
 public:
  explicit VectorAes(const Digest& key) { IMB_AES256_GCM_PRE(functions(), key.data(), &key_); }
  ~VectorAes() override { sodium_memzero(&key_, sizeof key_); }
  VectorAes(const VectorAes&) = delete;
  VectorAes& operator=(const VectorAes&) = delete;

  void encrypt(const Nonce& nonce, Bytes header, Bytes plain, std::span<std::uint8_t> encrypted,
               CipherTag& tag) override {
    gcm_context_data context;
    IMB_AES256_GCM_ENC(functions(), &key_, &context, encrypted.data(), plain.data(), plain.size(),
                       nonce.data(), header.data(), header.size(), tag.data(), tag.size());
  }

  bool decrypt(const Nonce& nonce, Bytes header, std::span<std::uint8_t> bytes,
               const CipherTag& tag) override {
    gcm_context_data context;
    CipherTag found{};
    IMB_AES256_GCM_DEC(functions(), &key_, &context, bytes.data(), bytes.data(), bytes.size(),
                       nonce.data(), header.data(), header.size(), found.data(), found.size());
    return sodium_memcmp(found.data(), tag.data(), tag.size()) == 0;
  }

 private:
  alignas(64) gcm_key_data key_;
};

}  // namespace

bool has_vector_aes() {
  return imb_get_errno(functions()) == 0 && (functions()->features & IMB_FEATURE_AESNI) != 0;
}

std::unique_ptr<Aead> open_vector_aes(const Digest& key) {
  SUBMIX_ASSERT(has_vector_aes());
  return std::make_unique<VectorAes>(key);
}

}  // namespace submix::wire

#else

#include "common/base/assert.hpp"

namespace submix::wire {

bool has_vector_aes() {
  return false;
}

std::unique_ptr<Aead> open_vector_aes(const Digest& /*key*/) {
  SUBMIX_ASSERT(has_vector_aes());
  return nullptr;
}

}  // namespace submix::wire

#endif
