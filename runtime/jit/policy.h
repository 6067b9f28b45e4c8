/* policy: when a call-time kernel that is not there is compiled. */
#ifndef GK_POLICY_H
#define GK_POLICY_H

/* Never; at once, while the caller waits; on a thread in the background, when it has been asked for often enough;
 * never, and its not being there is an error. */
enum gk_policy { GK_POLICY_OFF, GK_POLICY_SYNC, GK_POLICY_ASYNC, GK_POLICY_REQUIRE, GK_POLICIES };
#define GK_POLICY_NAMES "off", "sync", "async", "require"

#endif
