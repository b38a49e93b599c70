// SPDX-License-Identifier: Apache-2.0
// Tokens that PyJWT 2.15.1 created with the keys of tests/crypto/keys.
#include "jwt/tokens.hpp"

#include <doctest/doctest.h>

#include <utility>

using namespace apus;

TEST_CASE("tokens of another implementation are verified") {
    const jwt::verifier verifier(test::keys_of_service(), test::expected());
    const std::pair<std::string, std::string> rows[] = {
        {"HS256",
         "eyJhbGciOiJIUzI1NiIsImtpZCI6ImhzIiwidHlwIjoiSldUIn0."
         "eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOlsiYXBpIl0sInN1YiI6ImFu"
         "biIsImV4cCI6MTgwMDAwMDYwMH0.VicNCBl3YCkIwQgPQxKCedZLTiFLN_z5Ws1tBj-egmM"},
        {"RS256",
         "eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYSIsInR5cCI6IkpXVCJ9."
         "eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOlsiYXBpIl0sInN1YiI6ImF"
         "ubiIsImV4cCI6MTgwMDAwMDYwMH0.nMMjNGIVOW7fg2AjQgKewNfK7vP-ql_OkcJmHfoIsoBPKMFg3BX3T5Cv5JMt1Cst_svq15ape86-"
         "OfvN060vH1Pxxe_"
         "VV0TzvMCQ-KNIHUhoaZYuFyHbW4dOoekQEZVSMJaE5XPtCpKl5oWRlzkCtSipF6MFzyr2F3tILE1x-VRud8NguElDmro_S6eKvia3_"
         "a1OGjTxfwRCWyUkzUq"
         "ecLziCRP3P8l0veqFKjM9EpgWEBV_OnXaCBZI1p8NHR-FPNFBu4_uNsl_n0Vw9iauH6_7rZSB4YQTWo2sWfF6jMkfSIk_"
         "GaIiQabpTAlIpSlQSBpW-Wf7pZY"
         "ORKcnzrf5zA"},
        {"PS256",
         "eyJhbGciOiJQUzI1NiIsImtpZCI6InBzcyIsInR5cCI6IkpXVCJ9."
         "eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOlsiYXBpIl0sInN1YiI6ImF"
         "ubiIsImV4cCI6MTgwMDAwMDYwMH0.trZk9I8cVUZ2VrzkhURwsq3S-Hu_"
         "drxjNSar3bAedETho1pByPUkRJKvjCuHS2HAXtUzTrM4S2XqXhaVwiC3l_nF2D9"
         "TGNtYcS7zyAXmDCQymu9MGpyHBtrECMY0pL4CjtciZ3qRmfDG_nCW5IdS6DDowhWAISitmro-IQXGx_mBXOpHPs7nDnUtWwi9CdLgb-"
         "j8NnF8h4Aw0a5oia8"
         "IM7zbLPTPTLDLQvTSZRUTccvino4DGLYpUDM4o7g-K4UQPewvja_TH7EH6liITfH1xDITySzTOIif14bOvG2rvsScC-Q0_FvMJO4jmyBmidT_"
         "eB_QR0PESXJ"
         "S8OOocDeGQw"},
        {"ES256",
         "eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjIiwidHlwIjoiSldUIn0."
         "eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOlsiYXBpIl0sInN1YiI6ImFu"
         "biIsImV4cCI6MTgwMDAwMDYwMH0.19Px6mZNFx8ykJFMlAgHKg9ADjSWJF8JurL6N--"
         "9Dhz4zHhRgj86Xr3GDxNJFNeqq7bMValeSPEQtkl7GgyiRg"},
        {"ES384",
         "eyJhbGciOiJFUzM4NCIsImtpZCI6ImVjMzg0IiwidHlwIjoiSldUIn0."
         "eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOlsiYXBpIl0sInN1YiI6"
         "ImFubiIsImV4cCI6MTgwMDAwMDYwMH0.aXqvzLhJpxrfaO8zzN-BghYqvI0m-_"
         "RbHiZuQhzqnIwPKclCn3HDoXroUqyLdHi6ZH2SrXb2xM0IW-3nF4oBLckU"
         "9Z0atpSPGzEbSbATEuTkW0SUwld6zfMCzyLTObsB"},
        {"EdDSA",
         "eyJhbGciOiJFZERTQSIsImtpZCI6ImVkIiwidHlwIjoiSldUIn0."
         "eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOlsiYXBpIl0sInN1YiI6ImFu"
         "biIsImV4cCI6MTgwMDAwMDYwMH0.NbTwfsfMXxXASnz5MZyHPkR4fb9W-yCivFNMpdJo_855oIQk3WeonVLrdLCRtu8Rry-m0_"
         "V4hfg9Sl1kAEyuCA"},
    };
    for (const auto& [name, token] : rows) {
        CAPTURE(name);
        CHECK(test::seen(verifier.verify(token, test::noon)) == "sub ann");
    }
}
