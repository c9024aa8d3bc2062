// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/show_key.hpp"

#include <string>

namespace submix::cluster {

/// The certificate by which the NATS server of a show proves itself. It is made of the show's key:
/// each program of the show makes the same one, and trusts no other. So there is no authority to
/// ask, and no file to copy.
struct NatsCertificate {
  std::string certificate;  ///< X.509 with an Ed25519 key, as PEM
  std::string private_key;  ///< PEM
};

/// The server's name in the certificate, at whatever address it answers.
inline constexpr const char* kNatsName = "submix";

/// Valid from 1970 on and for ever: PCs without a right clock must find each other, too.
[[nodiscard]] NatsCertificate nats_certificate(const ShowKey& key);

}  // namespace submix::cluster
