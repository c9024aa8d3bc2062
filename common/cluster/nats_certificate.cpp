// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/nats_certificate.hpp"

#include "common/base/assert.hpp"
#include "common/base/handle.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>

namespace submix::cluster {
namespace {

using PrivateKey = std::unique_ptr<EVP_PKEY, FreeBy<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, FreeBy<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, FreeBy<X509_EXTENSION_free>>;
using Memory = std::unique_ptr<BIO, FreeBy<BIO_free_all>>;

std::string text_of(BIO* memory) {
  char* bytes = nullptr;
  const auto count = BIO_get_mem_data(memory, &bytes);
  return {bytes, static_cast<std::size_t>(count)};
}

void add_extension(X509* certificate, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value));
  X509_add_ext(certificate, extension.get(), -1);
}

/// The same key always gives the same bytes: signatures of Ed25519 are not random.
Certificate self_signed(EVP_PKEY* key) {
  constexpr long kVersion3 = 2;
  Certificate certificate(X509_new());
  X509_set_version(certificate.get(), kVersion3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  ASN1_TIME_set_string(X509_getm_notBefore(certificate.get()), "19700101000000Z");
  ASN1_TIME_set_string(X509_getm_notAfter(certificate.get()), "99991231235959Z");
  X509_set_pubkey(certificate.get(), key);
  auto* name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(kNatsName), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  add_extension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  add_extension(certificate.get(), NID_subject_alt_name, (std::string("DNS:") + kNatsName).c_str());
  X509_sign(certificate.get(), key, nullptr);
  return certificate;
}

}  // namespace

NatsCertificate nats_certificate(const ShowKey& key) {
  const auto seed = key.nats_certificate_seed();
  const PrivateKey pair(
      EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()));
  SUBMIX_ASSERT(pair != nullptr);
  const auto certificate = self_signed(pair.get());
  const Memory as_text(BIO_new(BIO_s_mem()));
  const Memory key_as_text(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(as_text.get(), certificate.get());
  PEM_write_bio_PrivateKey(key_as_text.get(), pair.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return {text_of(as_text.get()), text_of(key_as_text.get())};
}

}  // namespace submix::cluster
