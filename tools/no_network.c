// Debian's HDF5 can read files from web servers, and brings a web client with thirty libraries along. Nothing here asks for it:
// a wheel has these in place of libcurl and libcrypto, and HDF5 finds that a connection cannot be made. (tools/build_wheel)
#include <stddef.h>

void* curl_easy_init(void) { return NULL; }
void curl_easy_cleanup(void* handle) { (void)handle; }
int curl_easy_perform(void* handle) { return (void)handle, 2; }  // CURLE_FAILED_INIT
int curl_easy_setopt(void* handle, int option, ...) { return (void)handle, (void)option, 2; }
int curl_global_init(long flags) { return (void)flags, 2; }
void curl_global_cleanup(void) {}
void* curl_slist_append(void* list, const char* text) { return (void)list, (void)text, NULL; }
void curl_slist_free_all(void* list) { (void)list; }

const void* EVP_sha256(void) { return NULL; }
unsigned char* HMAC(const void* kind, const void* key, int key_size, const unsigned char* data, size_t size,
                    unsigned char* digest, unsigned int* digest_size) {
  (void)kind, (void)key, (void)key_size, (void)data, (void)size, (void)digest, (void)digest_size;
  return NULL;
}
unsigned char* SHA256(const unsigned char* data, size_t size, unsigned char* digest) {
  (void)data, (void)size, (void)digest;
  return NULL;
}
