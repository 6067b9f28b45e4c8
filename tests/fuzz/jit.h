/* jit: the variants of the call-time tier. */
#ifndef FUZZ_JIT_H
#define FUZZ_JIT_H

#include "session.h"

/* Some of them, drawn: through the public interface, by force, with a policy. One kernel is compiled for all, mostly.
 */
enum fuzz_result fuzz_jit_run(struct fuzz_session *s, int is_refused);

/* After a call that asked for the tier. One that it does not serve is counted, if the reason is one that is known. */
enum fuzz_result fuzz_jit_end(struct fuzz_session *s, enum gasket_status status, const char *message, int is_unserved);

/* By a kernel of the variant's prefetch distance, that may store past the caches; an index may change behind its check.
 */
enum fuzz_result fuzz_jit_forced(struct fuzz_session *s, const struct fuzz_variant *variant);

/* sync: the call compiles; async: a plan runs again and again while its kernel is compiled; require: a call finds what
 * was prepared. */
enum fuzz_result fuzz_jit_policy(struct fuzz_session *s, const struct fuzz_variant *variant);

#endif
