/* sanitizers: which sanitizer the program is built with. */
#ifndef SUPPORT_SANITIZERS_H
#define SUPPORT_SANITIZERS_H

#if !defined(__has_feature)
#define __has_feature(feature) 0
#endif

/* "address", "thread" or NULL. Both have an allocator of their own. */
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define SANITIZER "address"
#define HAS_OWN_ALLOCATOR 1
#elif defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define SANITIZER "thread"
#define HAS_SHADOW_OF_THREADS 1 /* several bytes for each byte that is mapped */
#define HAS_OWN_ALLOCATOR 1
#else
#define SANITIZER NULL
#endif

#endif
